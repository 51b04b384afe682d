//! The findings of a repair: damaged files, and the documents that are lost because of them.

use crate::Error;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A file that does not contain what was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Damage {
    /// The file.
    pub file: PathBuf,
    /// A description of the damage.
    pub what: String,
}

impl Damage {
    /// Creates the damage of the file at `path`.
    pub fn of(path: &Path, what: impl Into<String>) -> Damage {
        Damage { file: path.to_path_buf(), what: what.into() }
    }

    /// Creates the damage that an error of the file at `path` describes.
    pub fn of_error(path: &Path, error: Error) -> Damage {
        match error {
            Error::Damaged { path, what } => Damage { file: path, what },
            Error::File { path, doing, reason } => Damage { file: path, what: format!("cannot {doing}: {reason}") },
            other => Damage::of(path, other.to_string()),
        }
    }
}

impl LostDocument {
    /// Creates a lost document of which nothing is known except the damaged file.
    pub fn unknown(file: &Path) -> LostDocument {
        LostDocument { serial: None, id: None, url: None, file: file.to_path_buf(), raw: None, arrived: None }
    }
}

/// A document that cannot be read from the files of an index any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LostDocument {
    /// Number of the step that added it, if known.
    pub serial: Option<u64>,
    /// Its id, if it has one and it is known.
    pub id: Option<String>,
    /// Its URL, if it has one and it is known.
    pub url: Option<String>,
    /// The damaged file that contained it.
    pub file: PathBuf,
    /// Digest of its text, if known.
    #[serde(skip)]
    pub raw: Option<u128>,
    /// When it arrived, in Unix seconds, if known.
    #[serde(skip)]
    pub arrived: Option<i64>,
}
