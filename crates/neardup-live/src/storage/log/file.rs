//! The file of a log.

use crate::storage::head::Head;
use std::fs::File;
use std::path::PathBuf;

/// The file of a log.
#[derive(Debug)]
pub(crate) struct Records {
    pub path: PathBuf,
    pub file: File,
    pub head: Head,
}
