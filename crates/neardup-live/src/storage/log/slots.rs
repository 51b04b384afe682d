//! The two slots of the committed length, which are written alternately.
//!
//! A slot is overwritten in place, after the records that it counts are on the disk. If the machine stops during that write, the
//! slot is torn, and the other slot still contains the previous length. Each slot has a sector of its own, so at most one is torn.

use super::file::LogFile;
use super::record::check;
use crate::storage::head::FileHead;
use crate::{Error, Result};
use bytemuck::{Pod, Zeroable};
use neardup_disk::positioned::{read_exact_at, write_at};
use std::{io, iter};

/// Smallest unit that a disk writes, in bytes.
const SECTOR: u64 = 4096;

/// Number of attempts to read the slots, because the writer may be writing one of them.
const TRIES: usize = 16;

/// The contents of the slots.
#[derive(Debug)]
pub(crate) struct LogSlots {
    /// The committed length, in bytes.
    pub committed: u64,
    /// Sequence number of the newest slot: the number of slots written before it.
    sequence: u64,
    /// Number of the torn slot, if any.
    torn: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
struct Slot {
    sequence: u64,
    committed: u64,
    check: u64,
}

impl LogSlots {
    /// Number of bytes of both slots.
    pub const BYTES: u64 = 2 * SECTOR;

    /// Returns the position of the slots in a file with this head.
    pub fn begin(head: &FileHead) -> u64 {
        head.length.next_multiple_of(SECTOR)
    }

    /// Returns the bytes between the head and the first record of an empty log.
    pub fn empty(head: &FileHead) -> Vec<u8> {
        let mut bytes = vec![0; (LogSlots::begin(head) - head.length) as usize];
        (0..2).for_each(|sequence| bytes.extend(Slot::of(&head.check, sequence, 0).sector()));
        bytes
    }

    /// Reads both slots.
    pub fn read(records: &LogFile) -> Result<LogSlots> {
        let mut slots = LogSlots::read_once(records)?;
        for _ in 1..TRIES {
            if slots.iter().all(Option::is_some) {
                break;
            }
            std::thread::yield_now();
            slots = LogSlots::read_once(records)?;
        }
        let damaged = |what| Error::damaged(&records.path, what);
        let begin = LogSlots::begin(&records.head);
        let newest = slots.iter().flatten().max_by_key(|slot| slot.sequence);
        let &Slot { sequence, committed, .. } =
            newest.ok_or_else(|| damaged(format!("both slots of its length are wrong, at bytes {begin} and {}", begin + SECTOR)))?;
        // Read the length last: the file may have grown since.
        let there = records.length()?;
        if there < committed {
            return Err(damaged(format!("it ends {} bytes before the end of what was committed", committed - there)));
        }
        Ok(LogSlots { committed, sequence, torn: slots.iter().position(Option::is_none) })
    }

    /// Returns the committed length of the newest valid slot. `file` is the whole file of the log; records may be missing from it.
    pub fn committed_end(head: &FileHead, file: &[u8]) -> Option<u64> {
        let slots = (0..2).filter_map(|number| {
            let at = (LogSlots::begin(head) + number * SECTOR) as usize;
            let slot: Slot = bytemuck::pod_read_unaligned(file.get(at..at + size_of::<Slot>())?);
            (slot == Slot::of(&head.check, slot.sequence, slot.committed)).then_some(slot)
        });
        slots.max_by_key(|slot| slot.sequence).map(|slot| slot.committed)
    }

    /// Checks that the bytes around the slots are zero, as they were written. Skips the sector of a torn slot, which may be torn
    /// too.
    pub fn check_around(records: &LogFile) -> Result<()> {
        let (begin, bytes) = (LogSlots::begin(&records.head), size_of::<Slot>() as u64);
        let slots = LogSlots::read_once(records)?.into_iter().zip([begin, begin + SECTOR]);
        let beside = slots.filter_map(|(slot, at)| slot.map(|_| at + bytes..at + SECTOR));
        for gap in iter::once(records.head.length..begin).chain(beside) {
            let mut zeros = vec![0; (gap.end - gap.start) as usize];
            read_exact_at(&records.file, &mut zeros, gap.start).map_err(Error::file(&records.path, "read"))?;
            if let Some(place) = zeros.iter().position(|&byte| byte != 0) {
                return Err(Error::damaged(&records.path, format!("byte {} is not as it was written", gap.start + place as u64)));
            }
        }
        Ok(())
    }

    /// Whether one slot is torn, because a write of it was interrupted.
    pub fn are_torn(&self) -> bool {
        self.torn.is_some()
    }

    /// Returns the committed length according to the records. Complete records directly after the slot's length count, because the
    /// slot may be older than the data on the disk. A torn slot must have counted at least one such record. If there is none, the
    /// slot was damaged otherwise, and may have been the newer one.
    ///
    /// # Errors
    /// [`Error::Damaged`] in that case.
    pub fn recover(&self, records: &LogFile) -> Result<u64> {
        let end = records.whole_until(self.committed)?;
        match self.torn {
            Some(torn) if end == self.committed => {
                let at = LogSlots::begin(&records.head) + torn as u64 * SECTOR;
                let what = format!("the slot of its length at byte {at} is wrong, and the other one counts in all records");
                Err(Error::damaged(&records.path, what))
            }
            _ => Ok(end),
        }
    }

    /// Writes the older of the two slots, or the torn one.
    pub fn write(&mut self, records: &LogFile, committed: u64) -> io::Result<()> {
        let sequence = self.sequence + 1;
        let sector = Slot::of(&records.head.check, sequence, committed).sector();
        write_at(&records.file, &sector, LogSlots::begin(&records.head) + sequence % 2 * SECTOR)?;
        *self = LogSlots { committed, sequence, torn: None };
        Ok(())
    }

    /// Reads the two slots from the file; `None` for a slot whose check is wrong.
    fn read_once(records: &LogFile) -> Result<[Option<Slot>; 2]> {
        let mut slots = [None; 2];
        for (number, found) in (0..).zip(&mut slots) {
            let mut slot = Slot::zeroed();
            let at = LogSlots::begin(&records.head) + number * SECTOR;
            let read = read_exact_at(&records.file, bytemuck::bytes_of_mut(&mut slot), at);
            read.map_err(Error::file(&records.path, "read"))?;
            let whole = slot == Slot::of(&records.head.check, slot.sequence, slot.committed);
            *found = whole.then_some(slot);
        }
        Ok(slots)
    }
}

impl Slot {
    fn of(key: &[u8; 32], sequence: u64, committed: u64) -> Slot {
        Slot { sequence, committed, check: check(key, &[&sequence.to_le_bytes(), &committed.to_le_bytes()]) }
    }

    /// Returns the sector of the slot, filled with zeros, so that a sector that was torn becomes valid again.
    fn sector(&self) -> [u8; SECTOR as usize] {
        let mut sector = [0; SECTOR as usize];
        sector[..size_of::<Slot>()].copy_from_slice(bytemuck::bytes_of(self));
        sector
    }
}
