//! The command line.

use std::path::PathBuf;

use lexopt::Arg::{Long, Value};
use lexopt::{Error, Parser, ValueExt as _};

/// The options of the corpus.
pub struct Options {
    /// Number of documents.
    pub documents: u64,
    /// The file of JSON lines to write.
    pub out: PathBuf,
    /// The seed of the corpus.
    pub seed: u64,
    /// Number of documents that are near-copies of one, spread among the others.
    pub family: u64,
    /// Size of the family of equal documents, and of the family of near-copies, in each million; 0 for none.
    pub spam: u64,
    /// Number of paragraphs in a text, separated by blank lines.
    pub join: u64,
}

impl Options {
    /// Reads the arguments of this process.
    pub fn read() -> Result<Self, Error> {
        let mut parser = Parser::from_env();
        let mut given = Vec::new();
        let mut options = Self { documents: 0, out: PathBuf::new(), seed: 1, family: 0, spam: 100_000, join: 1 };
        while let Some(argument) = parser.next()? {
            match argument {
                Long("seed") => options.seed = parser.value()?.parse()?,
                Long("family") => options.family = parser.value()?.parse()?,
                Long("spam") => options.spam = parser.value()?.parse()?,
                Long("join") => options.join = parser.value()?.parse()?,
                Value(value) => given.push(value),
                other => return Err(other.unexpected()),
            }
        }
        let [documents, out] = &given[..] else {
            return Err("usage: millions DOCUMENTS OUT.jsonl [--seed S] [--family F] [--spam P] [--join J]".into());
        };
        Ok(Self { documents: documents.parse()?, out: out.into(), ..options })
    }
}
