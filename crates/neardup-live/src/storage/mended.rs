//! Repair of one wrong byte, found by a checksum.

use std::ops::Range;

/// In up to `ALL_VALUES` bytes, all other values of each byte are tried. In up to `ONE_BIT` bytes, only values that differ in one
/// bit. In more bytes, none.
const ALL_VALUES: usize = 1 << 11;
const ONE_BIT: usize = 1 << 16;

/// Changes one byte in `range` at a time, and returns the first result of `read` that is not `None`. Returns `None` if there is
/// none. `read` must check at least 64 bits, so that no wrong value passes by chance.
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
