//! Exact all-pairs resemblance of a JSONL file, by means that share nothing with neardup's own code.
//!
//! `truth DOCS.jsonl OUT --threshold 4/5 --tokens contract|alnum --shingle 5 --unit words|chars` writes a folder:
//! `docs.tsv` (index, group, size, id as JSON), `pairs.tsv` (left, right, shared, left_size, right_size) and
//! `truth.json` (settings and counts). Documents with equal shingle sets, and documents without shingles whose bytes
//! are equal and not blank, form one group, named by its first document. Pairs are listed between groups only: every
//! member of the one meets every member of the other with the same counts, and the members of a group meet each other
//! with resemblance 1. So a family of n copies costs n lines, not n^2/2.

mod collapse;
mod documents;
mod join;
mod output;
mod shingles;
mod threshold;
mod tokens;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;

use crate::threshold::Threshold;
use crate::tokens::{Rule, Unit};

/// The command line.
#[derive(Parser, Debug)]
#[command(about = "Exact all-pairs resemblance of a JSONL file.")]
pub struct Options {
    /// One JSON object a line; lines end with \n.
    docs: PathBuf,
    /// Folder for docs.tsv, pairs.tsv and truth.json; made when absent.
    out: PathBuf,
    /// Least resemblance, a fraction p/q with 0 < p <= q.
    #[arg(long, default_value = "4/5")]
    threshold: Threshold,
    /// What a word is: the project's contract, or runs of alphanumerics and `_` as other tools have it.
    #[arg(long, value_enum, default_value = "contract")]
    tokens: Rule,
    /// What is shingled.
    #[arg(long, value_enum, default_value = "words")]
    unit: Unit,
    /// Tokens in a shingle.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    shingle: u16,
    /// Field that holds the text.
    #[arg(long, default_value = "text")]
    text_field: String,
    /// Field that holds the id.
    #[arg(long, default_value = "id")]
    id_field: String,
}

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
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("truth: {message}");
            ExitCode::FAILURE
        }
    }
}
