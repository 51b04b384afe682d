//! The buffers of a scan: one window of normalised text and the places of its tokens.

use crate::fingerprint::{TokenKeys, absorb, finish};
use crate::simd::Lanes;

/// Bytes of text that are scanned before their tokens are hashed. The buffers then fit into the first caches.
pub(crate) const WINDOW: usize = 8192;
/// When a window ends, the known part of an unfinished token longer than this is hashed.
const HOLD: usize = 64;
/// A 16-byte load from any `u16` place stays inside, so that no load is checked. Only the kept front, a window, and the bytes after
/// it that a block, a straddling letter and the load of the last token may touch are ever used.
const BYTES: usize = u16::MAX as usize + 16;
/// Each block has at most 32 starts and 33 ends, and writes 64 places at once.
const PLACES: usize = WINDOW / 64 * 33 + 128;

/// One window, and the state that one block passes to the next.
#[derive(Debug)]
pub(crate) struct Window {
    /// Text in its normal form, of which `filled` bytes are used.
    pub(crate) low: Box<[u8; BYTES]>,
    /// Position of the next block.
    pub(crate) filled: usize,
    starts: Box<[u16; PLACES]>,
    /// End of each token, later its length.
    ends: Box<[u16; PLACES]>,
    /// Number of bits of each token in its second eight bytes.
    seconds: Box<[u8; PLACES]>,
    started: usize,
    ended: usize,
    /// State and length of the part of the first token that has already been hashed.
    absorbed: (u64, usize),
    pub(crate) carry: BlockCarry,
}

/// State that one block passes to the next.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BlockCarry {
    /// 1 if the last byte belongs to an ordinary word.
    pub(crate) word: u64,
    /// First bytes of the next block, if they end a letter of an ordinary word.
    pub(crate) bytes: u64,
    /// Positions in this block where a pair letter of the previous block ends.
    pub(crate) ends: u64,
    /// Like `ends`, if the letter is the first of its run.
    pub(crate) firsts: u64,
    /// Start of a pair letter of the previous block that begins a token if another letter follows.
    pub(crate) waiting: Option<u16>,
    /// Normal form of a letter that crosses the end of the block, and their number.
    pub(crate) patch: ([u8; 3], usize),
    /// 1 if the first byte is escaped.
    pub(crate) escaped: u64,
}

impl Default for Window {
    fn default() -> Self {
        Self {
            low: Box::new([0; BYTES]),
            filled: 0,
            starts: Box::new([0; PLACES]),
            ends: Box::new([0; PLACES]),
            seconds: Box::new([0; PLACES]),
            started: 0,
            ended: 0,
            absorbed: (0, 0),
            carry: BlockCarry::default(),
        }
    }
}

impl Window {
    /// Prepares for another text.
    pub(crate) fn reset(&mut self) {
        (self.filled, self.started, self.ended) = (0, 0, 0);
        self.absorbed = (0, 0);
        self.carry = BlockCarry::default();
    }

    /// Adds the starts and ends of the tokens of a block.
    #[inline(always)]
    pub(crate) fn mark<L: Lanes>(&mut self, lanes: L, starts: u64, ends: u64) {
        let base = self.filled as u16;
        if let Some(out) = self.starts[self.started..].first_chunk_mut() {
            lanes.positions(starts, base, out);
        }
        if let Some(out) = self.ends[self.ended..].first_chunk_mut() {
            lanes.positions(ends, base, out);
        }
        self.started += starts.count_ones() as usize;
        self.ended += ends.count_ones() as usize;
    }

    /// Adds one start from before the current block.
    #[inline(always)]
    pub(crate) fn start(&mut self, place: u16) {
        self.starts[self.started] = place;
        self.started += 1;
    }

    /// Ends the token that is open at the end of the text.
    pub(crate) fn close(&mut self) {
        if self.started > self.ended {
            self.ends[self.ended] = self.filled as u16;
            self.ended += 1;
        }
    }

    /// Hashes the complete tokens, and moves the unfinished text to the front.
    #[inline(always)]
    pub(crate) fn hash<L: Lanes>(&mut self, lanes: L, keys: TokenKeys, tokens: &mut Vec<u64>) {
        let low = &self.low[..];
        let (starts, lengths) = (&self.starts[..self.ended], &mut self.ends[..self.ended]);
        let seconds = &mut self.seconds[..self.ended];
        // The compiler vectorises this loop.
        for ((start, end), second) in starts.iter().zip(&mut *lengths).zip(&mut *seconds) {
            let length = end.wrapping_sub(*start);
            *end = length;
            *second = length.saturating_sub(8).wrapping_mul(8) as u8;
        }
        let known = tokens.len();
        tokens.resize(known + starts.len(), 0);
        // A plain loop, because a closure would be compiled without the instructions of its level.
        for (((start, length), second), token) in starts.iter().zip(lengths).zip(seconds).zip(&mut tokens[known..]) {
            let (start, length) = (usize::from(*start), usize::from(*length));
            let Some(both) = low[start..].first_chunk::<16>() else { continue };
            let both = u128::from_le_bytes(*both);
            let first = lanes.low_bits(both as u64, 8 * length as u32);
            let second = lanes.low_bits((both >> 64) as u64, u32::from(*second));
            *token = finish(keys, 0, first, second, length);
            if length > 16 {
                *token = long(keys, (0, 0), &low[start..start + length]);
            }
        }
        if self.absorbed.1 > 0 && self.ended > 0 {
            tokens[known] = long(keys, self.absorbed, &low[..usize::from(self.ends[0])]);
            self.absorbed = (0, 0);
        }
        self.shift(keys);
    }

    /// Moves the unfinished text to the front.
    fn shift(&mut self, keys: TokenKeys) {
        let open = self.started > self.ended;
        let mut from = match self.carry.waiting {
            _ if open => usize::from(self.starts[self.ended]),
            Some(place) => usize::from(place),
            None => self.filled,
        };
        if self.filled - from > HOLD {
            // At least one byte stays, because only the end of a token shows which block is its last.
            let body = (self.filled - from - 1) / 16 * 16;
            self.absorbed.0 = absorb(keys, self.absorbed.0, &self.low[from..from + body]);
            self.absorbed.1 += body;
            from += body;
        }
        self.low.copy_within(from..self.filled, 0);
        self.filled -= from;
        if let Some(place) = &mut self.carry.waiting {
            *place -= from as u16;
        }
        (self.started, self.ended) = (usize::from(open), 0);
        self.starts[0] = 0;
    }
}

/// Returns the hash of a token of which a part may already have been absorbed.
#[cold]
fn long(keys: TokenKeys, (state, absorbed): (u64, usize), rest: &[u8]) -> u64 {
    let body = rest.len().saturating_sub(1) / 16 * 16;
    let mut last = [0; 16];
    last[..rest.len() - body].copy_from_slice(&rest[body..]);
    let both = u128::from_le_bytes(last);
    finish(keys, absorb(keys, state, &rest[..body]), both as u64, (both >> 64) as u64, absorbed + rest.len())
}
