//! Reading a log beside its writer, in this process or another.

use super::file::LogFile;
use super::records::Replay;
use super::slots::LogSlots;
use crate::{Error, Result};
use neardup_disk::regular;
use serde::de::DeserializeOwned;
use std::path::Path;

/// A log that is only read: what was committed when it was opened, or refreshed last.
#[derive(Debug)]
pub struct LogReader {
    records: LogFile,
    committed: u64,
}

/// What is said of this many bytes that follow the records of a log, from the byte `at` of its file on.
pub(crate) fn rest_of(bytes: u64, at: u64) -> String {
    format!("{bytes} bytes from byte {at} on are no record, and neardup did not write them")
}

impl LogReader {
    /// Opens the log at `path`.
    pub fn open(path: &Path) -> Result<LogReader> {
        let file = regular::open(path).map_err(Error::file(path, "open"))?;
        let mut reader = LogReader { records: LogFile::open(path, file)?, committed: 0 };
        reader.refresh()?;
        Ok(reader)
    }

    /// Looks for what was committed since, and returns the committed length, in bytes. It never shrinks.
    pub fn refresh(&mut self) -> Result<u64> {
        let slots = LogSlots::read(&self.records)?;
        // Without its newest length the log shows by its records what its next writer will take for committed.
        let committed = if slots.are_torn() { slots.recover(&self.records)? } else { slots.committed };
        self.committed = self.committed.max(committed);
        Ok(self.committed)
    }

    /// Refuses a log with bytes behind its last whole record, unless a writer that was stopped may have left them.
    pub fn refuse_rest(&self) -> Result<()> {
        let end = self.records.whole_until(self.committed)?;
        match self.records.length()? - end {
            0 => Ok(()),
            _ if self.records.is_begun(end)? => Ok(()),
            rest => Err(Error::damaged(&self.records.path, rest_of(rest, self.records.at(end)))),
        }
    }

    /// What the maker of the log said of it.
    pub fn header<H: DeserializeOwned>(&self) -> Result<H> {
        self.records.header()
    }

    /// The committed length, in bytes.
    pub fn committed(&self) -> u64 {
        self.committed
    }

    /// The committed records from the one at `from` on, with their offsets.
    pub fn read(&self, from: u64) -> Replay<'_> {
        self.records.replay(from, self.committed)
    }
}
