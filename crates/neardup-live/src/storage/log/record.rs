//! A record: its seal and its payload.
//!
//! Checks are keyed by the head of the log, and the seal's takes in the offset, so that what belongs to another log or
//! another place never passes for a record, and neither do zeros.

use bytemuck::{Pod, Zeroable};

/// The header of a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct RecordHeader {
    /// Of the payload, in bytes.
    pub length: u32,
    /// Of length, offset and the other check, so that a length that was not written is never followed.
    check: u32,
    /// Of the payload.
    payload: u64,
}

impl RecordHeader {
    /// How many bytes a seal takes.
    pub const BYTES: u64 = size_of::<RecordHeader>() as u64;

    /// The seal of a record.
    pub fn of(key: &[u8; 32], offset: u64, length: u32, payload: &[u8]) -> RecordHeader {
        let payload = check(key, &[payload]);
        RecordHeader { length, check: head_check(key, offset, length, payload), payload }
    }

    pub fn bytes(&self) -> &[u8] {
        bytemuck::bytes_of(self)
    }

    /// Whether it is the seal of a record at `offset`.
    pub fn is_of(&self, key: &[u8; 32], offset: u64) -> bool {
        self.check == head_check(key, offset, self.length, self.payload)
    }

    /// Whether these bytes at `offset`, the first behind the whole records of a log, may be those of a record whose writer was
    /// stopped: a seal, or zeros, which a disk gives for what it did not take.
    pub fn is_begun(bytes: &[u8], key: &[u8; 32], offset: u64) -> bool {
        let seal: Option<RecordHeader> = bytes.get(..size_of::<RecordHeader>()).map(bytemuck::pod_read_unaligned);
        seal.is_some_and(|seal| seal.is_of(key, offset)) || bytes.iter().take(size_of::<RecordHeader>()).all(|&byte| byte == 0)
    }

    /// Whether it is of the same payload as another, by one of its two checks.
    pub fn agrees(&self, other: &RecordHeader) -> bool {
        self.payload == other.payload || (self.length, self.check) == (other.length, other.check)
    }

    /// Whether it seals a payload of this check.
    pub fn is_payload(&self, check: u64) -> bool {
        self.payload == check
    }

    /// Whether it is the seal of this payload.
    pub fn seals(&self, key: &[u8; 32], offset: u64, payload: &[u8]) -> bool {
        *self == RecordHeader::of(key, offset, self.length, payload) && payload.len() == self.length as usize
    }
}

fn head_check(key: &[u8; 32], offset: u64, length: u32, payload: u64) -> u32 {
    check(key, &[&offset.to_le_bytes(), &length.to_le_bytes(), &payload.to_le_bytes()]) as u32
}

/// The first 64 bits of BLAKE3 under the key of a log.
pub(crate) fn check(key: &[u8; 32], parts: &[&[u8]]) -> u64 {
    let mut hasher = blake3::Hasher::new_keyed(key);
    for part in parts {
        hasher.update(part);
    }
    bytemuck::pod_read_unaligned(&hasher.finalize().as_bytes()[..8])
}
