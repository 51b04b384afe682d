//! Exact all-pairs resemblance of a JSONL file, by code that shares nothing with neardup.
//!
//! `truth DOCS.jsonl OUT --threshold 4/5 --tokens contract|alnum --shingle 5 --unit words|chars` writes a folder:
//! `docs.tsv` (index, group, size, id as JSON), `pairs.tsv` (left, right, shared, left_size, right_size) and
//! `truth.json` (settings and counts). Documents with equal shingle sets, and documents without shingles whose bytes
//! are equal and not blank, form one group, identified by its first document. Pairs are listed only between groups: every
//! member of one group forms a pair with every member of the other, with the same counts, and the members of a group
//! resemble each other with 1. So a family of n copies costs n lines, not n^2/2.

mod collapse;
mod documents;
mod join;
mod options;
mod output;
mod shingles;
mod threshold;
mod tokens;

use std::process::ExitCode;
use std::time::Instant;

use crate::options::Options;

fn run(options: &Options) -> Result<(), String> {
    let start = Instant::now();
    let mut gather = collapse::Gather::default();
    let mut tokeniser = tokens::Tokeniser::new(options.tokens, options.unit);
    documents::read(&options.docs, &options.id_field, &options.text_field, |id, text| {
        let tokens = tokeniser.tokens(text);
        gather.push(id, text, &shingles::fingerprints(&tokens, usize::from(options.shingle)));
    })?;
    let corpus = gather.finish();
    eprintln!(
        "{} documents, {} groups, {} distinct shingles, {:.1} s",
        corpus.documents.len(),
        corpus.sets.len(),
        corpus.distinct,
        start.elapsed().as_secs_f64()
    );
    let pairs = join::join(&corpus.sets, options.threshold);
    let summary = output::write(options, &corpus, &pairs)?;
    eprintln!("{:.1} s in all", start.elapsed().as_secs_f64());
    println!("{summary}");
    Ok(())
}

fn main() -> ExitCode {
    match Options::read().and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("truth: {message}");
            ExitCode::FAILURE
        }
    }
}
