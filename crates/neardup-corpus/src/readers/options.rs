use std::borrow::Cow;
use std::path::{Path, PathBuf};
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
    /// Skip it and list it among the rejects.
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

/// The text of a page of HTML.
pub struct Extracted {
    /// The text, or why there is none, which rejects the document.
    pub text: Result<String, String>,
    /// Why the text is another one than was asked for; such pages are counted.
    pub flaw: Option<String>,
}

/// Extracts the texts of a batch of HTML documents, in the same order.
pub type Extract<'a> = dyn Fn(&[Cow<'_, str>]) -> Result<Vec<Extracted>, Box<dyn std::error::Error + Send + Sync>> + Sync + 'a;

/// Records of one web archive.
pub type ArchiveRecords = Box<dyn Iterator<Item = Result<ArchiveRecord, Box<dyn std::error::Error + Send + Sync>>>>;

/// Opens a web archive. The second argument lists all archives in which the responses of revisits may be; if the list is empty,
/// revisits are refused.
pub type ReadArchive<'a> = dyn Fn(&Path, &[PathBuf]) -> Result<ArchiveRecords, Box<dyn std::error::Error + Send + Sync>> + Sync + 'a;

/// Sizes that fit into the available memory. A larger record or text stops the reading, for every `on_error`, because another
/// machine may have enough memory.
#[derive(Clone, Copy)]
pub struct MemoryLimits<'a> {
    /// Maximum number of bytes of a record.
    pub record: usize,
    /// Maximum number of bytes of a text. More work is done on a text than on the rest of a record.
    pub text: usize,
    /// Returns why a record or a text of the given number of bytes cannot be processed.
    pub describe: &'a (dyn Fn(u64, OversizedPart) -> String + Sync),
}

/// The part of a record that is too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OversizedPart {
    /// The whole record.
    Record,
    /// Its text.
    Text,
}

/// Options for reading a source.
pub struct ReadOptions<'a> {
    /// Number of threads, at least one.
    pub threads: usize,
    /// Approximate number of bytes of input in a chunk, at least one.
    pub chunk_bytes: usize,
    /// Maximum number of bytes of a record. It is at most 2 GiB - 1; a greater value counts as that.
    pub max_record: usize,
    /// Numbers of the chunks to read, ascending. It applies to JSON lines whose texts are fetched from their source. `None` reads
    /// all chunks.
    pub only: Option<&'a [usize]>,
    /// What to do with a record that cannot be used.
    pub on_error: OnError,
    /// Progress and cancellation.
    pub control: &'a JobControl,
    /// Work file for the texts that cannot be fetched from their source. It is created when needed.
    pub spool: &'a Path,
    /// Whether the reading continues with the existing work file, because an earlier run finished some chunks.
    pub resumes: bool,
    /// Whether the texts of batches are also written to that file. Otherwise their columns stay in memory.
    pub spools_batches: bool,
    /// Whether the kept records are written again; see [`crate::keep`] and [`crate::rewrite`]. With [`OnError::Skip`], a record of
    /// a table then also cannot be used if another of its columns is damaged.
    pub is_kept: bool,
    /// Extracts the text of HTML.
    pub extract: Option<&'a Extract<'a>>,
    /// Reads web archives.
    pub archive: Option<&'a ReadArchive<'a>>,
    /// All archives that are read, in which the responses of revisits may be.
    pub archives: &'a [PathBuf],
    /// Limits set by the available memory.
    pub fits: Option<MemoryLimits<'a>>,
}

impl<'a> ReadOptions<'a> {
    /// Returns the defaults: two threads, chunks of 2 MiB, records up to 1 GiB, and a stop at the first record that cannot be used.
    pub fn new(control: &'a JobControl, spool: &'a Path) -> Self {
        ReadOptions {
            threads: 2,
            chunk_bytes: 2 << 20,
            max_record: 1 << 30,
            only: None,
            on_error: OnError::Stop,
            control,
            spool,
            resumes: false,
            spools_batches: false,
            is_kept: false,
            extract: None,
            archive: None,
            archives: &[],
            fits: None,
        }
    }

    /// Whether all columns of a table are decoded, not only the wanted ones.
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

    /// Returns the maximum number of bytes of a record for any amount of memory.
    pub(crate) fn allowed(&self) -> usize {
        self.max_record.min(LONGEST)
    }

    /// Returns the memory limits if they refuse records that would otherwise be allowed.
    pub(crate) fn fits_less(&self) -> Option<MemoryLimits<'a>> {
        self.fits.filter(|fits| fits.text.min(fits.record) < self.allowed())
    }
}
