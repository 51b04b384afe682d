//! The file of a log.

use crate::storage::head::FileHead;
use std::fs::File;
use std::path::PathBuf;

/// The file of a log.
#[derive(Debug)]
pub(crate) struct LogFile {
    pub path: PathBuf,
    pub file: File,
    pub head: FileHead,
}
