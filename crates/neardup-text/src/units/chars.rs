//! Code points as tokens.

use crate::fingerprint::{TokenKeys, finish, token};
use crate::scan::table::{Pages, ScanEntry, code_at};
use crate::scan::wide::{Rules, settle};
use crate::unicode::is_white;
use crate::units::jamo;

/// Hashes code points.
pub(crate) struct Chars {
    keys: TokenKeys,
    ascii: [u64; 128],
    /// Whether Hangul syllables are split.
    jamo: bool,
}

impl Chars {
    pub(crate) fn new(seed: u64, jamo: bool) -> Self {
        let ascii = std::array::from_fn(|byte| token(&[(byte as u8).to_ascii_lowercase()], seed));
        Self { keys: TokenKeys::new(seed), ascii, jamo }
    }

    /// Appends the hashes of all code points except White_Space. Returns `false` if the text must be normalised, by the flags `odd`
    /// (see [`Rules`]).
    pub(crate) fn hash(&self, source: &[u8], odd: u8, tokens: &mut Vec<u64>) -> bool {
        let (mut at, mut pages) = (0, Pages::default());
        while let Some(&byte) = source.get(at) {
            if byte.is_ascii() {
                if !is_white(byte.into()) {
                    tokens.push(self.ascii[usize::from(byte)]);
                }
                at += 1;
                continue;
            }
            let (code, length) = code_at(source, at);
            // A syllable has no other form or case, so the table is not needed.
            if self.jamo
                && let Some(jamo) = jamo::split(code)
            {
                jamo.for_each(|c| tokens.push(self.token(c.encode_utf8(&mut [0; 4]).as_bytes())));
                at += length;
                continue;
            }
            let &ScanEntry { mut lower, flags, .. } = pages.entry(code);
            if flags & odd != 0 {
                match settle(&source[..at], &source[at..], code, flags & odd, lower) {
                    Some(settled) => lower = settled,
                    None => return false,
                }
            }
            if flags & ScanEntry::WHITE == 0 {
                let own = &source[at..source.len().min(at + length)];
                tokens.push(self.token(if odd == Rules::LOWERED { own } else { &lower[..length] }));
            }
            at += length;
        }
        true
    }

    /// Returns the hash of a code point of at most four bytes.
    fn token(&self, bytes: &[u8]) -> u64 {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        finish(self.keys, 0, u64::from_le_bytes(word), 0, bytes.len())
    }
}
