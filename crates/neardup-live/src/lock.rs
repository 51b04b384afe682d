//! The lock of the writer: one at a time, over all processes and threads. Readers take none.

use crate::{Error, Result};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

const LOCK: &str = "lock";

/// The right to write an index, given back when it is dropped or its process ends, however it ends.
#[derive(Debug)]
pub struct Lock {
    /// The system's lock belongs to the open file, so it ends with it.
    _file: File,
}

impl Lock {
    /// Waits until nobody else writes the index in `dir`.
    pub fn wait(dir: &Path) -> Result<Lock> {
        let (path, file) = open(dir)?;
        file.lock().map_err(Error::file(&path, "lock"))?;
        Ok(Lock { _file: file })
    }

    /// The right to write the index in `dir`, or None while another has it.
    pub fn attempt(dir: &Path) -> Result<Option<Lock>> {
        let (path, file) = open(dir)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Lock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(Error::file(&path, "lock")(error)),
        }
    }
}

/// Opens the file that is locked. It is never removed: who waits for a removed file would lock nothing.
fn open(dir: &Path) -> Result<(PathBuf, File)> {
    let path = dir.join(LOCK);
    let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(Error::file(&path, "lock"))?;
    Ok((path, file))
}
