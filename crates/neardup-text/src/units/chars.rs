//! Code points as tokens.

use crate::fingerprint::{TokenKeys, finish, token};
use crate::normal::Form;
use crate::scan::settle::settles;
use crate::scan::table::{Pages, ScanEntry, code_at};
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

    /// Appends the hashes of all code points except White_Space. Returns `false` if the text must be normalised, which `normal` says
    /// was done.
    pub(crate) fn hash(&self, source: &[u8], normal: bool, tokens: &mut Vec<u64>) -> bool {
        let (mut at, mut pages) = (0, Pages::of(Form::Characters));
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
            if jamo::is_syllable(code) {
                self.push(code, &source[at..source.len().min(at + length)], tokens);
                at += length;
                continue;
            }
            let entry = pages.entry(code);
            if normal || entry.flags & (ScanEntry::CHANGED | ScanEntry::JOINS) == 0 {
                if entry.flags & ScanEntry::WHITE == 0 {
                    self.push(code, &source[at..source.len().min(at + length)], tokens);
                }
            } else {
                if entry.joins() && !settles(&source[..at], code, entry, &mut pages) {
                    return false;
                }
                let Some(letters) = entry.normal_text() else { return false };
                for c in letters.chars().filter(|&c| !is_white(c)) {
                    self.push(c.into(), c.encode_utf8(&mut [0; 4]).as_bytes(), tokens);
                }
            }
            at += length;
        }
        true
    }

    /// Appends the hashes of a code point, which is written as `bytes`.
    #[inline]
    fn push(&self, code: u32, bytes: &[u8], tokens: &mut Vec<u64>) {
        match jamo::split(code).filter(|_| self.jamo) {
            Some(jamo) => jamo.for_each(|c| tokens.push(self.token(c.encode_utf8(&mut [0; 4]).as_bytes()))),
            None => tokens.push(self.token(bytes)),
        }
    }

    /// Returns the hash of a code point of at most four bytes.
    fn token(&self, bytes: &[u8]) -> u64 {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        finish(self.keys, 0, u64::from_le_bytes(word), 0, bytes.len())
    }
}
