//! One wrong byte, found by the checksum of what it is in.

use std::ops::Range;

/// Up to this many bytes every other value of each is tried; of more bytes only those that differ in one bit, and of still more none.
const ALL_VALUES: usize = 1 << 11;
const ONE_BIT: usize = 1 << 16;

/// What `read` makes of `bytes` when one byte in `range` is given another value; None where it makes nothing of any. `read` is
/// to check at least 64 bits, so that no other value passes by chance.
pub fn mended<T>(bytes: &[u8], range: Range<usize>, read: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
    let masks: Vec<u8> = if range.len() <= ALL_VALUES {
        (1..=u8::MAX).collect()
    } else if range.len() <= ONE_BIT {
        (0..8).map(|bit| 1 << bit).collect()
    } else {
        return None;
    };
    let mut tried = bytes.to_vec();
    range.clone().find_map(|at| {
        let found = masks.iter().find_map(|mask| {
            tried[at] = bytes[at] ^ mask;
            read(&tried)
        });
        tried[at] = bytes[at];
        found
    })
}
