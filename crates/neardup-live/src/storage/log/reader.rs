//! Reading a log beside its writer, in this process or another.

use super::file::LogFile;
use super::records::Replay;
use super::slots::LogSlots;
use crate::{Error, Result};
use neardup_disk::regular;
use serde::de::DeserializeOwned;
use std::path::Path;

/// A log that is open for reading: the records that were committed when it was opened or last refreshed.
#[derive(Debug)]
pub struct LogReader {
    records: LogFile,
    committed: u64,
}

/// Describes `bytes` bytes that follow the records of a log, beginning at the byte `at` of its file.
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

    /// Reads the committed length again, and returns it in bytes. It never shrinks.
    pub fn refresh(&mut self) -> Result<u64> {
        let slots = LogSlots::read(&self.records)?;
        // One slot is torn, perhaps the newest. The complete records show the length that the next writer will accept.
        let committed = if slots.are_torn() { slots.recover(&self.records)? } else { slots.committed };
        self.committed = self.committed.max(committed);
        Ok(self.committed)
    }

    /// Refuses a log with bytes after its last complete record, unless an interrupted writer may have left them.
    pub fn refuse_rest(&self) -> Result<()> {
        let end = self.records.whole_until(self.committed)?;
        match self.records.length()? - end {
            0 => Ok(()),
            _ if self.records.is_begun(end)? => Ok(()),
            rest => Err(Error::damaged(&self.records.path, rest_of(rest, self.records.at(end)))),
        }
    }

    /// Returns the header that the writer of the log stored.
    pub fn header<H: DeserializeOwned>(&self) -> Result<H> {
        self.records.header()
    }

    /// The committed length, in bytes.
    pub fn committed(&self) -> u64 {
        self.committed
    }

    /// Returns the committed records from the offset `from` on, with their offsets.
    pub fn read(&self, from: u64) -> Replay<'_> {
        self.records.replay(from, self.committed)
    }
}
