//! The book of the past: by which scheme its documents were decided, and where they were at home.

use crate::distributed::output::{ATTEMPTS, put};
use crate::distributed::plan::HomePlace;
use crate::job::Job;
use crate::{Error, Result};
use neardup_disk::regular;
use neardup_text::TOKENS_VERSION;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Name of the file, which is written last.
const BOOK: &str = "past.json";

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
    /// The output of a run that has not ended. It is written together with the batches, so that no documents are there twice.
    pub unfinished: Option<PathBuf>,
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
            return if is_empty || folder.join(TEXTS).is_dir() { Ok(own) } else { Err(refuse()) };
        }
        let text = std::io::read_to_string(open(&path)?).map_err(Error::file(&path, "read"))?;
        let past: Past = serde_json::from_str(&text).map_err(|error| Error::Data(format!("{}: {error}", path.display())))?;
        let differs = |what: &str, theirs: &str, ours: &str| {
            Error::Usage(format!("{}: {what} of the past is {theirs}, and here it is {ours}; both must be equal", folder.display()))
        };
        if let Some(made) = past.unfinished.as_deref().filter(|made| job.folder() != Some(made)) {
            let made = made.display();
            return Err(Error::Usage(format!("{}: the run into {made} has not ended; start it again, with overwrite", folder.display())));
        }
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
    pub fn begin(self, folder: &Path, output: &Path) -> Result<()> {
        Past { unfinished: Some(output.to_path_buf()), ..self }.write(folder)
    }

    /// Adds the batch of a run that has ended.
    pub fn close(mut self, folder: &Path, batch: PastBatch) -> Result<()> {
        self.batches.push(batch);
        Past { unfinished: None, ..self }.write(folder)?;
        // No task of the run writes there any more.
        let attempts = folder.join(ATTEMPTS);
        std::fs::remove_dir_all(&attempts).map_err(Error::file(&attempts, "remove"))
    }

    fn write(&self, folder: &Path) -> Result<()> {
        let text = serde_json::to_string(self).map_err(|error| Error::Data(error.to_string()))?;
        put(folder, Path::new(BOOK), |path| std::fs::write(path, &text).map_err(Error::file(path, "write")))
    }
}

/// Folder of the texts.
const TEXTS: &str = "texts";

/// Returns the file of the kept texts of a home, below the folder of the past.
pub fn shelf_of(home: u32) -> PathBuf {
    Path::new(TEXTS).join(format!("home-{home:07}"))
}

/// Opens a file of the past.
pub fn open(path: &Path) -> Result<std::fs::File> {
    regular::open(path).map_err(Error::file(path, "read"))
}
