//! The log: records appended one after another. A record is acknowledged when it is committed.
//!
//! | where | what |
//! |---|---|
//! | start | the head (`head.rs`) |
//! | multiple of 4096 | the two slots, 4096 bytes apart (`slots.rs`) |
//! | 8192 behind that | the records (`record.rs`) |
//!
//! A commit writes the records, waits for the disk, and then writes the total length of the records, the *committed length*, into a
//! slot. Offsets count from the first record.

mod file;
mod reader;
pub(crate) mod record;
mod records;
pub(crate) mod slots;

pub use reader::LogReader;
pub(crate) use reader::rest_of;
pub use records::Replay;

use crate::storage::file_kind::FileKind;
use crate::storage::head::FileHead;
use crate::storage::partial::Partial;
use crate::{Error, Result};
use file::LogFile;
use neardup_disk::positioned::write_at;
use neardup_disk::regular::open_as;
use record::RecordHeader;
use serde::Serialize;
use slots::LogSlots;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Capacity of the commit buffer that is kept after a commit, in bytes.
const KEPT: usize = 1 << 20;

/// A log that is open for writing. Only the holder of the index's lock writes it.
#[derive(Debug)]
pub struct Log {
    records: LogFile,
    slots: LogSlots,
    /// Records that were appended and not committed yet.
    pending: Vec<u8>,
    /// The error of an earlier write, after which the log accepts no more records.
    failed: Option<String>,
}

impl Log {
    /// Creates an empty log at `path`. It is on the disk when this returns.
    pub fn create(path: &Path, header: &impl Serialize) -> Result<Log> {
        let bytes = FileHead::bytes(path, FileKind::Log.word(), header)?;
        let head = FileHead::read(path, FileKind::Log.word(), &mut &bytes[..])?;
        let mut partial = Partial::create(path)?;
        partial.write_all(&bytes).and_then(|()| partial.write_all(&LogSlots::empty(&head))).map_err(Error::file(path, "write"))?;
        Log::begin(LogFile::new(path, partial.finish()?, head))
    }

    /// Opens the log at `path` to append to it. Complete records directly after the committed length count as committed, because
    /// the slot may be older than the data on the disk. Anything after them was never acknowledged, and is cut off.
    pub fn open(path: &Path) -> Result<Log> {
        let file = open_as(path, File::options().read(true).write(true)).map_err(Error::file(path, "open"))?;
        Log::begin(LogFile::open(path, file)?)
    }

    fn begin(records: LogFile) -> Result<Log> {
        let mut slots = LogSlots::read(&records)?;
        let end = slots.recover(&records)?;
        let mut done = records.cut(end);
        if end > slots.committed {
            done = done.and_then(|()| records.sync()).and_then(|()| slots.write(&records, end));
        }
        done.map_err(Error::file(&records.path, "write"))?;
        Ok(Log { records, slots, pending: Vec::new(), failed: None })
    }

    /// Adds a record to the pending ones and returns its offset. It is only in memory until [`Log::commit`].
    pub fn append(&mut self, payload: &[u8]) -> Result<u64> {
        self.usable()?;
        let offset = self.committed() + self.pending.len() as u64;
        let length = u32::try_from(payload.len())
            .map_err(|_| Error::Usage(format!("a record of {} bytes: a log takes up to {} bytes in one", payload.len(), u32::MAX)))?;
        self.pending.extend_from_slice(RecordHeader::of(&self.records.head.check, offset, length, payload).bytes());
        self.pending.extend_from_slice(payload);
        Ok(offset)
    }

    /// Writes the pending records. They are on the disk when this returns.
    ///
    /// A record is either complete or absent. If a commit of several records is interrupted, the first ones may be present without
    /// the last. After an error the log accepts no more records until it is opened again, and the records of that commit may or may
    /// not be present then.
    pub fn commit(&mut self) -> Result<()> {
        self.usable()?;
        let done = self.write();
        self.pending.clear();
        self.pending.shrink_to(KEPT);
        done.map_err(|error| {
            self.failed = Some(error.to_string());
            Error::file(&self.records.path, "write")(error)
        })
    }

    fn write(&mut self) -> io::Result<()> {
        let committed = self.committed();
        let records = &self.records;
        let done = write_at(&records.file, &self.pending, records.at(committed)).and_then(|()| records.sync());
        if done.is_err() {
            // Tries to remove the records again: a commit that failed should not be found later.
            let _ = records.cut(committed);
        }
        done?;
        // A slot is written only if it counts more records than the one before: see `LogSlots::recover`.
        if self.pending.is_empty() { Ok(()) } else { self.slots.write(records, committed + self.pending.len() as u64) }
    }

    /// The committed length, in bytes. It is the offset of the next record if nothing is pending.
    pub fn committed(&self) -> u64 {
        self.slots.committed
    }

    /// Returns the committed records from the offset `from` on, with their offsets.
    pub fn read(&self, from: u64) -> Replay<'_> {
        self.records.replay(from, self.committed())
    }

    fn usable(&self) -> Result<()> {
        let refused = |why| Error::file(&self.records.path, "write")(format!("an earlier write failed ({why}); open the index again"));
        self.failed.as_ref().map_or(Ok(()), |why| Err(refused(why)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_failed_takes_nothing_until_it_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log-000001");
        let mut log = Log::create(&path, &()).unwrap();
        log.append(b"kept").unwrap();
        log.commit().unwrap();
        let committed = log.committed();
        log.append(b"lost").unwrap();
        // A file that is open only for reading makes writes fail on every system.
        log.records.file = File::open(&path).unwrap();
        assert!(matches!(log.commit(), Err(Error::File { doing: "write", .. })));
        log.records.file = File::options().read(true).write(true).open(&path).unwrap();
        for error in [log.append(b"more").unwrap_err(), log.commit().unwrap_err()] {
            assert!(error.to_string().contains("an earlier write failed ("), "{error}");
        }
        assert_eq!((log.committed(), log.read(0).count()), (committed, 1));
        let mut log = Log::open(&path).unwrap();
        assert_eq!(log.append(b"again").unwrap(), committed);
        log.commit().unwrap();
        let payloads: Vec<_> = log.read(0).map(|record| record.unwrap().1).collect();
        assert_eq!(payloads, [&b"kept"[..], b"again"]);
        // An incomplete record does not count.
        for end in committed + 1..log.committed() {
            let error = log.records.replay(committed, end).next().unwrap().unwrap_err().to_string();
            assert!(error.ends_with("is not whole"), "{error}");
        }
    }
}
