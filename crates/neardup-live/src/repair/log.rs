//! Reading a log that may contain wrong bytes.

use crate::format::FORMATS;
use crate::repair::damage::Damage;
use crate::snapshot::step::IndexStep;
use crate::storage::file_kind::FileKind;
use crate::storage::head::FileHead;
use crate::storage::identity::Identity;
use crate::storage::log::record::{RecordHeader, check};
use crate::storage::log::slots::LogSlots;
use crate::storage::log::{LogReader, rest_of};
use crate::storage::mended::mended;
use neardup_disk::regular;
use std::path::Path;

/// The contents of a log, as far as they can be read.
#[derive(Default)]
pub struct LogReport {
    /// The steps, in order; `None` for a step that cannot be read.
    pub steps: Vec<Option<IndexStep<'static>>>,
    /// The damage of the log.
    pub damages: Vec<Damage>,
    /// If an unknown number of steps is missing: a description of where.
    pub doubt: Option<String>,
}

/// Reads all readable steps of the log at `path`. Complete records after the committed length count, as they do for the next
/// writer. The bytes after them were never acknowledged.
pub fn read(path: &Path, index: &Identity) -> LogReport {
    let mut report = LogReport::default();
    let bytes = match regular::read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            report.damages.push(Damage::of(path, format!("cannot read: {error}")));
            report.doubt = Some("it is gone".to_owned());
            return report;
        }
    };
    // The committed length, if the log is undamaged.
    let committed = match LogReader::open(path).and_then(|log| index.check(&log.header()?, path).map(|()| log.committed())) {
        Ok(committed) => Some(committed as usize),
        Err(error) => {
            report.damages.push(Damage::of_error(path, error));
            None
        }
    };
    let Some(head) = head(path, index, &bytes) else {
        report.doubt = Some("none of its records can be read".to_owned());
        return report;
    };
    let committed = committed.or_else(|| LogSlots::committed_end(&head, &bytes).map(|committed| committed as usize));
    let begin = (LogSlots::begin(&head) + LogSlots::BYTES) as usize;
    let records = RawRecords { key: head.check, bytes: bytes.get(begin..).unwrap_or_default() };
    let mut at = 0;
    while at < records.bytes.len() {
        let (step, next) = match records.payload(at) {
            Some(payload) => (IndexStep::read(payload, path).ok(), at + RecordHeader::BYTES as usize + payload.len()),
            None => {
                let next = records.next(at);
                if next.is_none() && committed.is_some_and(|committed| committed <= at) {
                    break;
                }
                let end = next.unwrap_or(records.bytes.len());
                let step = records.mend(at, end, path);
                if step.is_none() && next.is_none() {
                    report.doubt = Some(format!("behind byte {} no record can be read", begin + at));
                }
                (step, end)
            }
        };
        if report.damages.is_empty() && step.is_none() {
            report.damages.push(Damage::of(path, format!("the record at byte {} is not as it was written", begin + at)));
        }
        report.steps.push(step);
        at = next;
    }
    if at < records.bytes.len() && report.damages.is_empty() && !RecordHeader::is_begun(&records.bytes[at..], &head.check, at as u64) {
        report.damages.push(Damage::of(path, rest_of((records.bytes.len() - at) as u64, (begin + at) as u64)));
    }
    match committed {
        None => report.doubt = Some("nothing says how long it was".to_owned()),
        Some(committed) if at < committed => report.doubt = Some(format!("it ends at byte {}, before the end of its records", begin + at)),
        Some(_) => {}
    }
    report
}

/// Rebuilds the head of a log, which contains only known facts: the name of the file and the identity of the index.
fn head(path: &Path, index: &Identity, bytes: &[u8]) -> Option<FileHead> {
    let made = |format| {
        let bytes = FileHead::bytes_of(format, path, FileKind::Log.word(), index).ok()?;
        FileHead::read(path, FileKind::Log.word(), &mut &bytes[..]).ok()
    };
    let heads: Vec<FileHead> = FORMATS.rev().filter_map(made).collect();
    // Records are checked with the checksum of the head. So the right format is the one under whose head a record is valid.
    let fits_log = |head: &&FileHead| {
        let begin = (LogSlots::begin(head) + LogSlots::BYTES) as usize;
        let records = RawRecords { key: head.check, bytes: bytes.get(begin..).unwrap_or_default() };
        (0..records.bytes.len()).any(|at| records.payload(at).is_some())
    };
    let at = heads.iter().position(|head| fits_log(&head)).unwrap_or(0);
    heads.into_iter().nth(at)
}

/// The records of a log, as bytes.
struct RawRecords<'b> {
    key: [u8; 32],
    bytes: &'b [u8],
}

impl<'b> RawRecords<'b> {
    fn header(&self, at: usize) -> Option<RecordHeader> {
        self.bytes.get(at..at + RecordHeader::BYTES as usize).map(bytemuck::pod_read_unaligned)
    }

    /// Returns the payload of the complete record at `at`.
    fn payload(&self, at: usize) -> Option<&'b [u8]> {
        let header = self.header(at).filter(|header| header.is_of(&self.key, at as u64))?;
        let start = at + RecordHeader::BYTES as usize;
        let payload = self.bytes.get(start..start.checked_add(header.length as usize)?)?;
        header.matches(&self.key, at as u64, payload).then_some(payload)
    }

    /// Returns the start of the next record after the damaged one at `at`.
    fn next(&self, at: usize) -> Option<usize> {
        let end = self
            .header(at)
            .filter(|header| header.is_of(&self.key, at as u64))
            .map(|header| at + RecordHeader::BYTES as usize + header.length as usize);
        let is_next = |next: &usize| self.payload(*next).is_some();
        end.filter(|&next| is_next(&next) || next == self.bytes.len()).or_else(|| (at + 1..self.bytes.len()).find(is_next))
    }

    /// Returns the step from `at` to `next`, if at most one byte of its record is wrong, in the header or in the payload.
    fn mend(&self, at: usize, next: usize, path: &Path) -> Option<IndexStep<'static>> {
        let header = self.header(at)?;
        let payload = self.bytes.get(at + RecordHeader::BYTES as usize..next)?;
        let length = u32::try_from(payload.len()).ok()?;
        let read = |payload: &[u8]| IndexStep::read(payload, path).ok();
        if RecordHeader::of(&self.key, at as u64, length, payload).agrees(&header) {
            return read(payload);
        }
        let has_check = |payload: &[u8]| header.is_payload(check(&self.key, &[payload]));
        mended(payload, 0..payload.len(), |tried| has_check(tried).then(|| read(tried)).flatten())
    }
}
