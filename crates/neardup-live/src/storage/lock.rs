//! The writer's lock: one writer at a time, over all processes and threads. Readers take no lock.

use crate::{Error, Result};
use neardup_disk::regular::open_as;
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

/// The name of the lock file.
pub const LOCK: &str = "lock";

/// The right to write an index. It is released when it is dropped, or when the process ends for any reason.
#[derive(Debug)]
pub struct Lock(File);

impl Lock {
    /// Waits until no other process writes the index in `dir`; fails with [`Error::Interrupted`] if a signal arrives first.
    pub fn wait(dir: &Path) -> Result<Lock> {
        let path = dir.join(LOCK);
        // The file is never removed: a process that waits for a removed file would lock nothing.
        let file = open_as(&path, File::options().create(true).truncate(false).write(true)).map_err(Error::file(&path, "lock"))?;
        match file.lock() {
            Ok(()) => Ok(Lock(file)),
            Err(error) if error.kind() == ErrorKind::Interrupted => Err(Error::Interrupted),
            Err(error) => Err(Error::file(&path, "lock")(error)),
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The lock of the system lasts until the last copy of the open file is closed, and a process forked meanwhile has a copy.
        // If unlocking fails, closing the file releases the lock.
        let _ = self.0.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_of_the_open_file_does_not_hold_the_lock() {
        let folder = tempfile::tempdir().unwrap();
        let other = File::create(folder.path().join(LOCK)).unwrap();
        let lock = Lock::wait(folder.path()).unwrap();
        // A forked process has such a copy.
        let copy = lock.0.try_clone().unwrap();
        assert!(other.try_lock().is_err());
        drop(lock);
        other.try_lock().unwrap();
        drop(copy);
    }
}
