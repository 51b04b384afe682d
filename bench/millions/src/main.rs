//! Writes a corpus of N short documents as JSON lines: `millions N OUT.jsonl [--seed S] [--family F] [--spam P] [--join J]`.
//!
//! Every document is a function of the seed, N and its number, so copies need no memory of what they copy, and any number
//! of documents takes a few megabytes. Each line has an `id` and a `text` of at most 300 bytes, or of J such
//! paragraphs.

use crate::corpus::Corpus;
use clap::Parser;
use std::fs::{File, rename};
use std::io::{BufWriter, Write};
use std::path::PathBuf;

mod chance;
mod corpus;
mod frames;
mod words;

/// What is to be written.
#[derive(Parser)]
struct Options {
    /// How many documents.
    documents: u64,
    /// The file of JSON lines.
    out: PathBuf,
    /// Another seed makes another corpus.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// So many of the documents are near-copies of one, spread among the others.
    #[arg(long, default_value_t = 0)]
    family: u64,
    /// A million documents hold a family of so many equal, and one of so many nearly equal ones; 0 for none.
    #[arg(long, default_value_t = 100_000)]
    spam: u64,
    /// A text is made of so many, a blank line between them.
    #[arg(long, default_value_t = 1)]
    join: u64,
}

fn main() -> std::io::Result<()> {
    let options = Options::parse();
    let corpus = Corpus::new(options.seed, options.documents * options.join, options.family, options.spam);
    let aside = options.out.with_extension("part");
    let mut out = BufWriter::with_capacity(1 << 20, File::create(&aside)?);
    let (mut text, mut paragraph) = (String::new(), String::new());
    for number in 0..options.documents {
        text.clear();
        for part in number * options.join..(number + 1) * options.join {
            if !text.is_empty() {
                text.push_str("\n\n");
            }
            paragraph.clear();
            corpus.write(part, &mut paragraph);
            text.push_str(&paragraph);
        }
        // Of all characters that JSON escapes, texts hold line ends alone.
        writeln!(out, r#"{{"id": "d{number:09}", "text": "{}"}}"#, text.replace('\n', "\\n"))?;
    }
    out.into_inner()?.sync_all()?;
    rename(aside, options.out)
}
