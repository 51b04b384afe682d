//! Finished runs: what a folder of results says about its run.
//!
//! The evidence of a finished run is found on demand. `evidence` reads the documents again, as `run.json` describes, without
//! signing them, and compares a digest of all texts with that of the run. The rows of the result table are converted back to
//! pairs of documents. Pairs with the same original are grouped: the tokens of one side are cached, because consecutive pairs
//! usually share a document.

mod choice;
mod evidence;
mod lines;
mod rows;

pub use choice::PairChoice;
pub use evidence::evidence;

use crate::checkpoint::output::RUN;
use crate::results::reading_summary::ReadingSummary;
use crate::results::summary::RunVersion;
use crate::{Error, Result};
use neardup_disk::regular;
use neardup_text::TokensVersion;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A finished run.
pub struct Finished {
    /// Folder of the results.
    pub folder: PathBuf,
    /// Digest of the results.
    pub digest: String,
    /// The table whose rows are pairs of documents.
    pub table: PairTable,
    /// How its documents were read.
    pub reading: ReadingSummary,
    /// The canonical scheme line.
    pub scheme: String,
    /// Whether every pair was checked on its features.
    pub verified: bool,
    /// Number of passes.
    pub passes: usize,
}

/// The tables whose rows are pairs of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairTable {
    /// Dropped documents with their originals.
    Decisions,
    /// Documents with their leaders.
    Clusters,
    /// Pairs.
    Pairs,
}

#[derive(Deserialize)]
struct RunVerb {
    verb: String,
}

#[derive(Deserialize)]
struct RunFacts {
    #[serde(flatten)]
    version: RunVersion,
    digest: String,
    scheme: String,
    verified: bool,
    passes: Vec<serde::de::IgnoredAny>,
    reading: ReadingSummary,
}

impl Finished {
    /// Reads the description of the run in `folder`; an error if it is not a run of `dedup`, `cluster` or `pairs`.
    pub fn open(folder: &Path) -> Result<Finished> {
        let refuse = |reason: &str| Err(Error::Usage(format!("{}: {reason}", folder.display())));
        let Ok(text) = regular::read_to_string(&folder.join(RUN)) else { return refuse("not a finished result of neardup") };
        let Ok(RunVerb { verb }) = serde_json::from_str(&text) else { return refuse("not a result of a run") };
        let table = match verb.as_str() {
            "dedup" => PairTable::Decisions,
            "cluster" => PairTable::Clusters,
            "pairs" => PairTable::Pairs,
            other => return refuse(&format!("a result of neardup {other}, which names no pairs; allowed are dedup, cluster, pairs")),
        };
        let Ok(RunFacts { version, digest, scheme, verified, passes, reading }) = serde_json::from_str(&text) else {
            return refuse("its run.json does not say how the documents were read: run it again");
        };
        let (theirs, ours) = (version.tokens(), TokensVersion::current());
        if theirs != ours {
            return refuse(&format!("its texts were cut by {theirs}, and this neardup cuts by {ours}: run neardup {verb} again"));
        }
        Ok(Finished { folder: folder.to_owned(), digest, table, reading, scheme, verified, passes: passes.len() })
    }

    /// Returns the scheme by which its documents were compared, and how they were read, as JSON.
    pub fn reading_json(&self) -> String {
        // It contains only strings, so serialisation cannot fail.
        serde_json::to_string(&(&self.scheme, &self.reading)).unwrap_or_default()
    }
}

impl PairTable {
    /// Returns the name of its file.
    pub fn file(self) -> &'static str {
        match self {
            PairTable::Decisions => "decisions.parquet",
            PairTable::Clusters => "clusters.parquet",
            PairTable::Pairs => "pairs.parquet",
        }
    }
}
