//! Chains: keys and the documents that hold them while both grow, in memory.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

const END: u32 = u32::MAX;

/// Documents by key; the last that came stands first.
#[derive(Default)]
pub struct Chains {
    heads: HashMap<u64, u32, BuildHasherDefault<Mix>>,
    /// A document, and where the next of the same key stands.
    links: Vec<(u32, u32)>,
}

impl Chains {
    /// Adds a document to a key.
    pub fn push(&mut self, key: u64, document: u32) {
        let next = self.heads.insert(key, self.links.len() as u32).unwrap_or(END);
        self.links.push((document, next));
    }

    /// The documents of a key.
    pub fn of(&self, key: u64) -> impl Iterator<Item = u32> {
        let mut at = if self.heads.is_empty() { END } else { self.heads.get(&key).copied().unwrap_or(END) };
        std::iter::from_fn(move || {
            let &(document, next) = self.links.get(at as usize)?;
            at = next;
            Some(document)
        })
    }
}

/// Keys are hashes already: one product spreads their bits to where the map looks.
#[derive(Default)]
pub struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u64(&mut self, value: u64) {
        let product = u128::from(self.0 ^ value) * 0x9E37_79B9_7F4A_7C15_u128;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }
}
