//! The records of a log in its file.

use super::file::LogFile;
use super::record::RecordHeader;
use super::slots::LogSlots;
use crate::storage::file_kind::FileKind;
use crate::storage::head::FileHead;
use crate::{Error, Result};
use bytemuck::Zeroable;
use neardup_disk::positioned::read_at;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// Size of the read buffer for records that are read in order, in bytes.
const PIECE: usize = 1 << 18;

impl LogFile {
    pub fn new(path: &Path, file: File, head: FileHead) -> LogFile {
        LogFile { path: path.to_path_buf(), file, head }
    }

    /// Reads the head of an open file, and checks the bytes between the head and the records.
    pub fn open(path: &Path, file: File) -> Result<LogFile> {
        let head = FileHead::read(path, FileKind::Log.word(), &mut BufReader::new(FileCursor { file: &file, next: 0 }))?;
        let records = LogFile::new(path, file, head);
        records.length()?;
        LogSlots::check_around(&records)?;
        Ok(records)
    }

    pub fn header<H: DeserializeOwned>(&self) -> Result<H> {
        self.head.header(&self.path)
    }

    /// Returns the position in the file of the record at `offset`. Saturates, so any offset is allowed.
    pub fn at(&self, offset: u64) -> u64 {
        (LogSlots::begin(&self.head) + LogSlots::BYTES).saturating_add(offset)
    }

    /// Returns the records from the offset `from` up to `end`, at which a record must end.
    pub fn replay(&self, from: u64, end: u64) -> Replay<'_> {
        let source = FileCursor { file: &self.file, next: self.at(from) };
        Replay { records: self, source: BufReader::with_capacity(PIECE, source), next: from, end }
    }

    /// Returns the offset at which the sequence of complete records that begins at `from` ends.
    pub fn whole_until(&self, from: u64) -> Result<u64> {
        let end = self.length()?;
        let mut replay = self.replay(from, end);
        loop {
            let next = replay.next;
            match replay.next() {
                None | Some(Err(Error::Damaged { .. })) => return Ok(next),
                Some(Err(error)) => return Err(error),
                Some(Ok(_)) => {}
            }
        }
    }

    /// Whether the bytes from `from` on may be left from an interrupted writer: a record's header, or only zeros.
    pub fn is_begun(&self, from: u64) -> Result<bool> {
        let mut start = Vec::new();
        let source = FileCursor { file: &self.file, next: self.at(from) };
        source.take(RecordHeader::BYTES).read_to_end(&mut start).map_err(Error::file(&self.path, "read"))?;
        Ok(RecordHeader::is_begun(&start, &self.head.check, from))
    }

    /// Number of bytes after the start of the records, complete or not.
    pub fn length(&self) -> Result<u64> {
        let length = self.file.metadata().map_err(Error::file(&self.path, "read"))?.len();
        length.checked_sub(self.at(0)).ok_or_else(|| Error::damaged(&self.path, "it ends before its first record"))
    }

    /// Truncates the file to the records before the offset `end`.
    pub fn cut(&self, end: u64) -> io::Result<()> {
        self.file.set_len(self.at(end))
    }

    /// Waits until the data is on the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// Returns an error about the record at `offset`.
    pub fn damaged(&self, offset: u64, what: &str) -> Error {
        Error::damaged(&self.path, format!("the record at byte {} {what}", self.at(offset)))
    }

    /// Reads and checks the header of the record at `offset`, which must end by `end`.
    fn record_header(&self, source: &mut impl Read, offset: u64, end: u64) -> Result<RecordHeader> {
        let mut header = RecordHeader::zeroed();
        if end.checked_sub(offset).is_none_or(|room| room < RecordHeader::BYTES) {
            return Err(self.damaged(offset, "is not whole"));
        }
        self.fill(source, offset, bytemuck::bytes_of_mut(&mut header))?;
        if !header.is_of(&self.head.check, offset) {
            return Err(self.damaged(offset, "does not begin as it was written"));
        }
        if u64::from(header.length) > end - offset - RecordHeader::BYTES {
            return Err(self.damaged(offset, "is not whole"));
        }
        Ok(header)
    }

    fn fill(&self, source: &mut impl Read, offset: u64, bytes: &mut [u8]) -> Result<()> {
        source.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => self.damaged(offset, "is not whole: the file ends there"),
            _ => Error::file(&self.path, "read")(error),
        })
    }
}

/// Records in order, each with its offset. Iteration ends after an error.
#[derive(Debug)]
pub struct Replay<'a> {
    records: &'a LogFile,
    source: BufReader<FileCursor<'a>>,
    next: u64,
    end: u64,
}

impl Iterator for Replay<'_> {
    type Item = Result<(u64, Vec<u8>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.end {
            return None;
        }
        let record = self.record();
        self.next = match &record {
            Ok((offset, payload)) => offset + RecordHeader::BYTES + payload.len() as u64,
            Err(_) => self.end,
        };
        Some(record)
    }
}

impl Replay<'_> {
    fn record(&mut self) -> Result<(u64, Vec<u8>)> {
        let (records, offset) = (self.records, self.next);
        let header = records.record_header(&mut self.source, offset, self.end)?;
        let mut payload = vec![0; header.length as usize];
        records.fill(&mut self.source, offset, &mut payload)?;
        if !header.matches(&records.head.check, offset, &payload) {
            return Err(records.damaged(offset, "is not as it was written"));
        }
        Ok((offset, payload))
    }
}

/// A sequential reader with its own position, independent of other readers of the file.
#[derive(Debug)]
struct FileCursor<'a> {
    file: &'a File,
    next: u64,
}

impl Read for FileCursor<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = read_at(self.file, bytes, self.next)?;
        self.next += read as u64;
        Ok(read)
    }
}
