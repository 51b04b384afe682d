//! What a repair finds: files that are not as they were written, and documents that are gone for it.

use crate::Error;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A file that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Damage {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub what: String,
}

impl Damage {
    /// The file at `path`.
    pub fn of(path: &Path, what: impl Into<String>) -> Damage {
        Damage { file: path.to_path_buf(), what: what.into() }
    }

    /// What an error says of the file at `path`.
    pub fn told(path: &Path, error: Error) -> Damage {
        match error {
            Error::Damaged { path, what } => Damage { file: path, what },
            Error::File { path, doing, reason } => Damage { file: path, what: format!("cannot {doing}: {reason}") },
            other => Damage::of(path, other.to_string()),
        }
    }
}

impl LostDocument {
    /// A document of which nothing is known but the file that is damaged.
    pub fn unknown(file: &Path) -> LostDocument {
        LostDocument { serial: None, id: None, url: None, file: file.to_path_buf(), raw: None, arrived: None }
    }
}

/// A document that the files of an index do not give any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LostDocument {
    /// The number of the step it came with, where that is known.
    pub serial: Option<u64>,
    /// Its id, where that is known and it has one.
    pub id: Option<String>,
    /// Its URL, where that is known and it has one.
    pub url: Option<String>,
    /// The file that is damaged where it was.
    pub file: PathBuf,
    /// The digest of its text, where that is known.
    #[serde(skip)]
    pub raw: Option<u128>,
    /// When it arrived, in Unix seconds, where that is known.
    #[serde(skip)]
    pub arrived: Option<i64>,
}
