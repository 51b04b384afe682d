//! The book of the past: by which scheme its documents were decided, and where they were at home.

use crate::distributed::plan::HomePlace;
use crate::job::Job;
use crate::{Error, Result};
use neardup_disk::regular;
use neardup_text::TOKENS_VERSION;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Name of the file, which is written last.
const BOOK: &str = "past.json";
/// Name of a file that names the output of a run which has not ended.
const UNFINISHED: &str = "unfinished";

/// The past of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Past {
    /// The scheme.
    pub scheme: String,
    /// Version of the tokens.
    pub tokens_version: String,
    /// The field of the ids, if they are given.
    pub id_field: Option<String>,
    /// Number of parts of the keys.
    pub parts: u32,
    /// The batches, the first one first.
    pub batches: Vec<PastBatch>,
}

/// The documents of one run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastBatch {
    /// Their homes.
    pub homes: Vec<HomePlace>,
    /// Number of documents.
    pub documents: u64,
    /// Number of those that are kept.
    pub kept: u64,
}

impl Past {
    /// Reads the past of a job; one without batches if its folder does not exist yet.
    ///
    /// # Errors
    /// [`Error::Usage`] for a job that is decided in another way than the past.
    pub fn open(folder: &Path, job: &Job<'_>) -> Result<Past> {
        let mark = folder.join(UNFINISHED);
        let made = std::fs::read_to_string(&mark).unwrap_or_default();
        if !made.is_empty() && job.folder().is_none_or(|output| output.to_string_lossy() != made.as_str()) {
            return Err(Error::Usage(format!("{}: the run into {made} has not ended; start it again, with overwrite", folder.display())));
        }
        let own = Past {
            scheme: job.scheme.seal()?.to_string(),
            tokens_version: TOKENS_VERSION.to_string(),
            id_field: job.fields.id.clone(),
            ..Past::default()
        };
        let path = folder.join(BOOK);
        if !path.exists() {
            let is_empty = !folder.exists() || std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
            let refuse = || Error::Usage(format!("{}: this folder is no past: it has no {BOOK}", folder.display()));
            return if is_empty || folder.join(KEYS).is_dir() { Ok(own) } else { Err(refuse()) };
        }
        let text = std::io::read_to_string(open(&path)?).map_err(Error::file(&path, "read"))?;
        let past: Past = serde_json::from_str(&text).map_err(|error| Error::Data(format!("{}: {error}", path.display())))?;
        let differs = |what: &str, theirs: &str, ours: &str| {
            Error::Usage(format!("{}: {what} of the past is {theirs}, and here it is {ours}; both must be equal", folder.display()))
        };
        let shown = |field: &Option<String>| field.clone().unwrap_or_else(|| "none".to_owned());
        match () {
            () if past.scheme != own.scheme => Err(differs("the scheme", &past.scheme, &own.scheme)),
            () if past.tokens_version != own.tokens_version => {
                Err(differs("the version of the tokens", &past.tokens_version, &own.tokens_version))
            }
            () if past.id_field != own.id_field => Err(differs("the id field", &shown(&past.id_field), &shown(&own.id_field))),
            () => Ok(past),
        }
    }

    /// Returns the homes of all batches.
    pub fn homes(&self) -> impl Iterator<Item = &HomePlace> {
        self.batches.iter().flat_map(|batch| &batch.homes)
    }

    /// Notes that a run into `output` is about to add a batch, so that no other run misses its documents if it does not end.
    pub fn begin(folder: &Path, output: &Path) -> Result<()> {
        let path = folder.join(UNFINISHED);
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&path, output.to_string_lossy().as_bytes()))
            .map_err(Error::file(&path, "write"))
    }

    /// Writes the book, with a further batch.
    pub fn close(mut self, folder: &Path, batch: PastBatch) -> Result<()> {
        self.batches.push(batch);
        let text = serde_json::to_string(&self).map_err(|error| Error::Data(error.to_string()))?;
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(Error::file(folder, "write"))?;
        file.write_all(text.as_bytes()).map_err(Error::file(folder, "write"))?;
        let path = folder.join(BOOK);
        file.persist(&path).map_err(|error| Error::file(&path, "write")(error.error))?;
        let mark = folder.join(UNFINISHED);
        std::fs::remove_file(&mark).map_err(Error::file(&mark, "remove"))
    }
}

/// Folder of the keys.
const KEYS: &str = "keys";
/// Folder of the texts.
const TEXTS: &str = "texts";

/// Returns the file of the kept texts of a home.
pub fn shelf_of(folder: &Path, home: u32) -> PathBuf {
    folder.join(TEXTS).join(format!("home-{home:07}"))
}

/// Opens a file of the past.
pub fn open(path: &Path) -> Result<std::fs::File> {
    regular::open(path).map_err(Error::file(path, "read"))
}
