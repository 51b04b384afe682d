//! Writes a corpus of N short documents as JSON lines: `millions N OUT.jsonl [--seed S] [--family F] [--spam P] [--join J]`.
//!
//! Every document is a function of the seed, N and its number. So originals need not be stored for their copies, and any
//! number of documents takes a few megabytes of memory. Each line has an `id` and a `text` of at most 300 bytes, or of J
//! such paragraphs.

use crate::corpus::Corpus;
use crate::options::Options;
use std::error::Error;
use std::fs::{File, rename};
use std::io::{BufWriter, Write};

mod chance;
mod corpus;
mod frames;
mod options;
mod words;

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::read()?;
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
        // The line end is the only character in texts that JSON escapes.
        writeln!(out, r#"{{"id": "d{number:09}", "text": "{}"}}"#, text.replace('\n', "\\n"))?;
    }
    out.into_inner()?.sync_all()?;
    Ok(rename(aside, options.out)?)
}
