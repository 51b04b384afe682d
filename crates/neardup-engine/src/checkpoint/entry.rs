//! Entries of the ledger: what is finished, and how many bytes of the store it uses.
//!
//! An entry never names bytes that are not in the store, because they are written before it. That is enough when the process
//! dies. To survive a crash of the machine, an entry now and then is *lasting*: everything before it is synced to the disk
//! first. All other entries are valid until the machine restarts.

use crate::progress::Phase;
use crate::{Error, Result};
use neardup_disk::durable::{sync_file, sync_folder};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time after a lasting entry until the next one is due: about this much work is lost when the machine crashes. More frequent
/// syncs would slow down a run that writes as fast as the disk does.
const WAIT: Duration = Duration::from_secs(300);

/// The state that a stage or a piece saved, except for columns, which are in the store.
#[derive(Serialize, Deserialize)]
pub struct LedgerEntry<T> {
    /// Identity of the run that wrote it.
    pub key: String,
    /// Boot of the machine for which it is valid; `None` if it is lasting.
    pub start: Option<String>,
    /// Number of bytes of the store in use.
    pub end: u64,
    /// Phases of the run so far.
    pub phases: Vec<Phase>,
    /// The saved state.
    pub left: T,
}

/// The current boot of the machine, and the time of the last lasting entry.
pub struct Durability {
    start: Option<String>,
    last: Mutex<Instant>,
}

impl Durability {
    /// Reads the id of the current boot. If the system has none, every entry is synced.
    pub fn new() -> Self {
        let start = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok();
        Durability { start: start.map(|id| id.trim().to_owned()), last: Mutex::new(Instant::now()) }
    }

    /// Whether the data that `entry` names is on the disk, or at least still in the system's cache.
    pub fn holds<T>(&self, entry: &LedgerEntry<T>) -> bool {
        entry.start.is_none() || entry.start == self.start
    }

    /// Returns the boot for which an entry written now is valid. When a lasting entry is due, syncs all files of `work` and
    /// returns `None`.
    pub fn start(&self, work: &Path) -> Result<Option<String>> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if self.start.is_some() && last.elapsed() < WAIT {
            return Ok(self.start.clone());
        }
        for file in fs::read_dir(work).map_err(Error::file(work, "read"))? {
            let path = file.map_err(Error::file(work, "read"))?.path();
            if path.is_file() {
                sync_file(&path).map_err(Error::file(&path, "write"))?;
            }
        }
        *last = Instant::now();
        Ok(None)
    }
}

/// Waits until `file` and its name in the folder `work` are on the disk.
pub fn sync(file: &File, work: &Path) -> std::io::Result<()> {
    file.sync_all()?;
    sync_folder(work)
}
