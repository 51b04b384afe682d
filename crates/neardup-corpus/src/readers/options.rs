use std::borrow::Cow;
use std::path::Path;
use std::str::FromStr;

use crate::control::JobControl;
use crate::records::archive_record::ArchiveRecord;
use crate::records::place::LONGEST;

/// What to do with a record that cannot be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnError {
    /// Stop with an error that names it.
    #[default]
    Stop,
    /// Leave it out and list it among the rejects.
    Skip,
}

impl FromStr for OnError {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "stop" => Ok(OnError::Stop),
            "skip" => Ok(OnError::Skip),
            _ => Err(format!("on_error is {name:?}; allowed are stop, skip")),
        }
    }
}

/// Turns a batch of HTML documents into their texts, in the same order; an inner error rejects one document.
pub type Extract<'a> = dyn Fn(&[Cow<'_, str>]) -> Result<Vec<Result<String, String>>, Box<dyn std::error::Error + Send + Sync>> + Sync + 'a;

/// The document records of one web archive.
pub type ArchiveRecords = Box<dyn Iterator<Item = Result<ArchiveRecord, Box<dyn std::error::Error + Send + Sync>>>>;

/// Opens a web archive.
pub type ReadArchive<'a> = dyn Fn(&Path) -> Result<ArchiveRecords, Box<dyn std::error::Error + Send + Sync>> + Sync + 'a;

/// What fits into the memory there is. What does not stops the reading, whatever `on_error` says: elsewhere it may fit.
#[derive(Clone, Copy)]
pub struct MemoryLimits<'a> {
    /// The most bytes of a record.
    pub record: usize,
    /// The most bytes of a text, on which more work is done.
    pub text: usize,
    /// Says why a record, or a text, of this many bytes cannot be worked on.
    pub tell: &'a (dyn Fn(u64, OversizedPart) -> String + Sync),
}

/// What is too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OversizedPart {
    /// A whole record.
    Record,
    /// Its text.
    Text,
}

/// How a source is read.
pub struct ReadOptions<'a> {
    /// How many threads work, at least one.
    pub threads: usize,
    /// About how many bytes of input make a chunk, at least one.
    pub chunk_bytes: usize,
    /// The most bytes a record may have; at most 2 GiB - 1, greater values mean that.
    pub max_record: usize,
    /// The chunks that are read, ascending, of JSON lines whose texts are fetched from where they are; None are all.
    pub only: Option<&'a [usize]>,
    /// What to do with a record that cannot be used.
    pub on_error: OnError,
    /// Progress and cancelling.
    pub control: &'a JobControl,
    /// The work file for the texts of a source that cannot be fetched from where they are; made anew when needed.
    pub spool: &'a Path,
    /// Whether that file is gone on with, since some chunks were worked on before.
    pub goes_on: bool,
    /// Whether the texts of batches go to that file, too; else their columns stay in memory.
    pub spools_batches: bool,
    /// Whether the records that stay are written again, see [`crate::keep`] and [`crate::rewrite`]. With [`OnError::Skip`] a record of a
    /// table then cannot be used, either, when another column of it is damaged.
    pub is_kept: bool,
    /// What turns HTML into text.
    pub extract: Option<&'a Extract<'a>>,
    /// What reads web archives.
    pub archive: Option<&'a ReadArchive<'a>>,
    /// What is too large for the memory.
    pub fits: Option<MemoryLimits<'a>>,
}

impl<'a> ReadOptions<'a> {
    /// Two threads, chunks of 2 MiB, records up to 1 GiB, stopping at the first bad record.
    pub fn new(control: &'a JobControl, spool: &'a Path) -> Self {
        ReadOptions {
            threads: 2,
            chunk_bytes: 2 << 20,
            max_record: 1 << 30,
            only: None,
            on_error: OnError::Stop,
            control,
            spool,
            goes_on: false,
            spools_batches: false,
            is_kept: false,
            extract: None,
            archive: None,
            fits: None,
        }
    }

    /// Whether all columns of a table are decoded, not only those that are wanted.
    pub(crate) fn reads_all_columns(&self) -> bool {
        self.is_kept && self.on_error == OnError::Skip
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads.max(1)
    }

    pub(crate) fn chunk_bytes(&self) -> usize {
        self.chunk_bytes.max(1)
    }

    pub(crate) fn max_record(&self) -> usize {
        self.fits.map_or(usize::MAX, |fits| fits.record).min(self.allowed())
    }

    /// The most bytes of a record, however much memory there is.
    pub(crate) fn allowed(&self) -> usize {
        self.max_record.min(LONGEST)
    }

    /// What fits, if records are refused for it that would be allowed.
    pub(crate) fn fits_less(&self) -> Option<MemoryLimits<'a>> {
        self.fits.filter(|fits| fits.text.min(fits.record) < self.allowed())
    }
}
