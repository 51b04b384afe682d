//! Entries of the ledger: what is finished, and how much of the store it takes.
//!
//! An entry never names bytes that are not there. What is in it was given to the system before it, which is enough when
//! the process dies. For a machine that dies an entry now and then is *lasting*: everything before it was waited for until
//! it was on the disk. The others hold as long as the machine is not started anew.

use crate::progress::Phase;
use crate::{Error, Result};
use neardup_disk::durable::{sync_file, sync_folder};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long entries need not be lasting: the work that a machine loses when it dies. Waiting for the disk more often would
/// cost a run that writes as fast as the disk does a part of its time.
const WAIT: Duration = Duration::from_secs(300);

/// What was left, beside the columns in the store.
#[derive(Serialize, Deserialize)]
pub struct LedgerEntry<T> {
    /// What decides it.
    pub key: String,
    /// The start of the machine that it holds for; None when it is lasting.
    pub start: Option<String>,
    /// How much of the store is in use.
    pub end: u64,
    /// The phases so far.
    pub phases: Vec<Phase>,
    /// What it is.
    pub left: T,
}

/// The starts of this machine, and when the last lasting entry was written.
pub struct Durability {
    start: Option<String>,
    last: Mutex<Instant>,
}

impl Durability {
    /// Asks the system; where it cannot tell its starts apart, every entry is synced.
    pub fn new() -> Self {
        let start = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok();
        Durability { start: start.map(|id| id.trim().to_owned()), last: Mutex::new(Instant::now()) }
    }

    /// Whether what an entry names is on the disk, or still known to the system.
    pub fn holds<T>(&self, entry: &LedgerEntry<T>) -> bool {
        entry.start.is_none() || entry.start == self.start
    }

    /// The start that an entry which is written now holds for; None when all files of `work` were brought to the disk, since
    /// it is time.
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

/// Waits until a file of `work`, and that it is there, is on the disk.
pub fn bring_down(file: &File, work: &Path) -> std::io::Result<()> {
    file.sync_all()?;
    sync_folder(work)
}
