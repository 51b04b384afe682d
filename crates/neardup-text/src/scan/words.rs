//! The scan: cuts a text into words, 64 bytes at a time.
//!
//! Each block becomes masks: the bytes of ordinary words, and the first bytes of letters that are cut into pairs. Two shifted
//! comparisons yield where tokens start and end. Escapes of JSON are never resolved: both their bytes are separators, that is, two
//! cleared bits. Only `\uXXXX` stops the scan. A document is first scanned without normalisation. It is normalised only if it
//! contains something that normalisation would change.

use crate::fingerprint::TokenKeys;
use crate::scan::wide::{Rules, wide};
use crate::scan::window::{WINDOW, Window};
use crate::simd::{Kernel, Lanes, bytes_at};

/// A scan of `source` from the block at `from` on. `window` contains the state before that block.
pub(crate) struct Scan<'a> {
    pub(crate) source: &'a [u8],
    pub(crate) from: usize,
    /// Whether backslashes are escapes.
    pub(crate) json: bool,
    pub(crate) rules: Rules,
    pub(crate) keys: TokenKeys,
    pub(crate) window: &'a mut Window,
    pub(crate) tokens: &'a mut Vec<u64>,
}

/// How a scan ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// All tokens were found.
    Done,
    /// A `\u` begins in the block at this position. Everything before the block is scanned, and the rest must be resolved first.
    Code(usize),
    /// The text must be normalised first.
    Odd,
}

impl Kernel for Scan<'_> {
    type Output = Ending;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Ending {
        if self.json { self.blocks::<L, true>(lanes) } else { self.blocks::<L, false>(lanes) }
    }
}

impl Scan<'_> {
    #[inline(always)]
    fn blocks<L: Lanes, const JSON: bool>(self, lanes: L) -> Ending {
        let Self { source, from, rules, keys, window, tokens, .. } = self;
        let mut at = from;
        while at < source.len() {
            let stop = source.len().min(at + WINDOW);
            while at < stop {
                let mut padded = [0; 66];
                let block = bytes_at(source, at, &mut padded);
                let [this @ .., _, _] = block;
                let [_, next @ .., _] = block;
                let [_, _, third @ ..] = block;
                let x = lanes.load(this);
                let mut cleared = 0;
                if JSON {
                    let slashes = lanes.eq(x, b'\\');
                    if slashes | window.carry.escaped != 0 {
                        let (escapes, escaped, carry) = escapes(slashes, window.carry.escaped);
                        if escapes & lanes.eq(lanes.load(next), b'u') != 0 {
                            window.hash(lanes, keys, tokens);
                            return Ending::Code(at);
                        }
                        window.carry.escaped = carry;
                        cleared = escapes | escaped;
                    }
                }
                let (low, words) = lanes.fold_words(x);
                let words = words & !cleared;
                if let Some(out) = window.low[window.filled..].first_chunk_mut() {
                    lanes.store(low, out);
                }
                let high = lanes.high(x);
                if high | window.carry.bytes | window.carry.ends == 0 {
                    let before = words << 1 | window.carry.word;
                    window.carry.word = words >> 63;
                    window.mark(lanes, words & !before, before & !words);
                } else if !wide(lanes, source, at, (next, third), (x, words, high), rules, window) {
                    return Ending::Odd;
                }
                window.filled += 64;
                at += 64;
            }
            window.hash(lanes, keys, tokens);
        }
        window.close();
        window.hash(lanes, keys, tokens);
        Ending::Done
    }
}

/// Classifies backslashes. `slashes` are the backslashes of a block, and `carry` is 1 if its first byte is escaped, otherwise 0.
/// Returns the backslashes that begin an escape, the escaped bytes, and the carry of the next block.
///
/// A run of backslashes is classified by the parity of its start, with one addition for all runs (Langdale, Lemire: Parsing
/// gigabytes of JSON per second, 2019).
#[inline(always)]
pub(crate) fn escapes(slashes: u64, carry: u64) -> (u64, u64, u64) {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    let free = slashes & !carry;
    let after = free << 1 | carry;
    let odd = free & !EVEN & !after;
    let (sum, over) = odd.overflowing_add(free);
    let escaped = (EVEN ^ (sum << 1)) & after;
    (free & !escaped, escaped, u64::from(over))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn escapes_byte_by_byte(slashes in any::<u64>() , more in any::<u64>(), carry in 0..2_u64) {
            let slashes = slashes | more;
            let (mut begin, mut escaped, mut open) = (0, 0, carry == 1);
            for i in 0..64 {
                if open {
                    escaped |= 1 << i;
                    open = false;
                } else if slashes >> i & 1 == 1 {
                    begin |= 1 << i;
                    open = true;
                }
            }
            prop_assert_eq!(escapes(slashes, carry), (begin, escaped, u64::from(open)));
        }
    }
}
