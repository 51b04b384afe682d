use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::{Error, Result};

/// Maximum number of files that are kept open. Further files are opened for each use, so that a folder of many thousand files does
/// not exceed the limit of the system.
const MOST_OPEN: usize = 128;

static OPEN: AtomicUsize = AtomicUsize::new(0);

/// A file for random access. It stays open while there are not too many such files.
#[derive(Debug)]
pub(crate) struct FileHandle {
    path: PathBuf,
    file: Option<File>,
}

impl FileHandle {
    pub fn open(path: &Path) -> Result<FileHandle> {
        let file = File::open(path).map_err(Error::io(path, "read"))?;
        let counted = OPEN.fetch_add(1, Ordering::Relaxed) < MOST_OPEN;
        if !counted {
            OPEN.fetch_sub(1, Ordering::Relaxed);
        }
        Ok(FileHandle { path: path.to_owned(), file: counted.then_some(file) })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs `run` with the open file.
    pub fn with<R>(&self, run: impl FnOnce(&File) -> std::io::Result<R>) -> Result<R> {
        match &self.file {
            Some(file) => run(file),
            None => File::open(&self.path).and_then(|file| run(&file)),
        }
        .map_err(Error::io(&self.path, "read"))
    }
}

impl Drop for FileHandle {
    fn drop(&mut self) {
        if self.file.is_some() {
            OPEN.fetch_sub(1, Ordering::Relaxed);
        }
    }
}
