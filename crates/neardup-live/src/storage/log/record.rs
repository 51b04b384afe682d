//! The format of a record: a header that seals it, and its payload.
//!
//! All checks are keyed by the checksum of the log's head, and the header's check includes the offset. So bytes of another log or
//! another offset are never accepted as a record, and neither are zeros.

use bytemuck::{Pod, Zeroable};

/// The header of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct RecordHeader {
    /// Length of the payload, in bytes.
    pub length: u32,
    /// Check of length, offset and the payload's check. It ensures that a wrong length is never used.
    check: u32,
    /// Check of the payload.
    payload: u64,
}

impl RecordHeader {
    /// Number of bytes of a header.
    pub const BYTES: u64 = size_of::<RecordHeader>() as u64;

    /// Returns the header of a record. `key` is the checksum of the log's head.
    pub fn of(key: &[u8; 32], offset: u64, length: u32, payload: &[u8]) -> RecordHeader {
        let payload = check(key, &[payload]);
        RecordHeader { length, check: head_check(key, offset, length, payload), payload }
    }

    pub fn bytes(&self) -> &[u8] {
        bytemuck::bytes_of(self)
    }

    /// Whether this is the header of a record at `offset`.
    pub fn is_of(&self, key: &[u8; 32], offset: u64) -> bool {
        self.check == head_check(key, offset, self.length, self.payload)
    }

    /// Whether `bytes`, which follow the complete records of a log at `offset`, may be left from a record whose writer was
    /// interrupted. They are either a header, or zeros, which a disk returns for bytes that it did not write.
    pub fn is_begun(bytes: &[u8], key: &[u8; 32], offset: u64) -> bool {
        let header: Option<RecordHeader> = bytes.get(..size_of::<RecordHeader>()).map(bytemuck::pod_read_unaligned);
        header.is_some_and(|header| header.is_of(key, offset)) || bytes.iter().take(size_of::<RecordHeader>()).all(|&byte| byte == 0)
    }

    /// Whether this header belongs to the same payload as `other`, by at least one of the two checks.
    pub fn agrees(&self, other: &RecordHeader) -> bool {
        self.payload == other.payload || (self.length, self.check) == (other.length, other.check)
    }

    /// Whether the payload has the check `check`.
    pub fn is_payload(&self, check: u64) -> bool {
        self.payload == check
    }

    /// Whether this is the header of `payload` at `offset`.
    pub fn matches(&self, key: &[u8; 32], offset: u64, payload: &[u8]) -> bool {
        *self == RecordHeader::of(key, offset, self.length, payload) && payload.len() == self.length as usize
    }
}

fn head_check(key: &[u8; 32], offset: u64, length: u32, payload: u64) -> u32 {
    check(key, &[&offset.to_le_bytes(), &length.to_le_bytes(), &payload.to_le_bytes()]) as u32
}

/// Returns the first 64 bits of BLAKE3, keyed by the checksum of the log's head.
pub(crate) fn check(key: &[u8; 32], parts: &[&[u8]]) -> u64 {
    let mut hasher = blake3::Hasher::new_keyed(key);
    for part in parts {
        hasher.update(part);
    }
    bytemuck::pod_read_unaligned(&hasher.finalize().as_bytes()[..8])
}
