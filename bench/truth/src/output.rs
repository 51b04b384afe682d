//! The output folder of the truth.

use std::fs::{self, File};
use std::io::{BufWriter, Write};

use serde_json::json;

use crate::collapse::Corpus;
use crate::join::Pair;
use crate::options::{Options, name};

/// Writes docs.tsv, pairs.tsv and, last, truth.json; returns the text of truth.json.
///
/// In docs.tsv, the group of a blank document, which is in no group, is `-`.
pub fn write(options: &Options, corpus: &Corpus, pairs: &[Pair]) -> Result<String, String> {
    let folder = &options.out;
    let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(fail)?;

    let mut first = vec![usize::MAX; corpus.sets.len()];
    let mut members = vec![0_u64; corpus.sets.len()];
    let mut out = BufWriter::new(File::create(folder.join("docs.tsv")).map_err(fail)?);
    for (index, document) in corpus.documents.iter().enumerate() {
        let id = json!(document.id);
        match document.group {
            Some(group) => {
                first[group] = first[group].min(index);
                members[group] += 1;
                writeln!(out, "{index}\t{}\t{}\t{id}", first[group], document.size)
            }
            None => writeln!(out, "{index}\t-\t{}\t{id}", document.size),
        }
        .map_err(fail)?;
    }
    out.flush().map_err(fail)?;

    let mut out = BufWriter::new(File::create(folder.join("pairs.tsv")).map_err(fail)?);
    // Groups are numbered by first appearance, so left < right holds for their first documents too.
    for pair in pairs {
        let (left, right) = (pair.left, pair.right);
        let (left_size, right_size) = (corpus.sets[left].len(), corpus.sets[right].len());
        writeln!(out, "{}\t{}\t{}\t{left_size}\t{right_size}", first[left], first[right], pair.shared).map_err(fail)?;
    }
    out.flush().map_err(fail)?;

    let inside: u64 = members.iter().map(|&count| count * count.saturating_sub(1) / 2).sum();
    let across: u64 = pairs.iter().map(|pair| members[pair.left] * members[pair.right]).sum();
    let summary = json!({
        "threshold": options.threshold.to_string(),
        "tokens": name(options.tokens),
        "unit": name(options.unit),
        "shingle": options.shingle,
        "documents": corpus.documents.len(),
        "groups": corpus.sets.len(),
        "largest_group": members.iter().max(),
        "distinct_shingles": corpus.distinct,
        "pairs_of_groups": pairs.len(),
        "pairs": inside + across,
    });
    let summary = format!("{summary:#}");
    fs::write(folder.join("truth.json"), format!("{summary}\n")).map_err(fail)?;
    Ok(summary)
}
