//! Postings in memory: hash chains from keys to documents, to which documents are added.

use crate::documents::table_key::GOLDEN;
use neardup_core::util::ids::DocId;

/// The end of a chain.
const END: u32 = u32::MAX;

/// Documents by key, the last one added first.
#[derive(Default)]
pub struct Postings {
    /// Newest link of the keys that share the slot. The number of slots is a power of two, and at least twice the number of links.
    slots: Vec<u32>,
    links: Vec<PostingLink>,
}

struct PostingLink {
    key: u64,
    document: DocId,
    /// The previous link of the same slot.
    next: u32,
}

impl Postings {
    /// Adds a document to a key.
    pub fn push(&mut self, key: u64, document: DocId) {
        self.links.push(PostingLink { key, document, next: END });
        if self.links.len() * 2 > self.slots.len() {
            self.slots.clear();
            self.slots.resize((self.links.len() * 2).next_power_of_two().max(16), END);
            (0..self.links.len()).for_each(|link| self.hang(link));
        } else {
            self.hang(self.links.len() - 1);
        }
    }

    /// Number of documents that were added, over all keys.
    pub fn len(&self) -> u32 {
        self.links.len() as u32
    }

    /// Returns the documents of a key.
    #[inline]
    pub fn of(&self, key: u64) -> impl Iterator<Item = DocId> {
        self.since(key, 0)
    }

    /// Returns the documents of a key without the first `len` additions, which are counted over all keys.
    #[inline]
    pub fn since(&self, key: u64, len: u32) -> impl Iterator<Item = DocId> {
        let mut at = self.prefetch(key);
        std::iter::from_fn(move || {
            loop {
                // Each link refers to an older one, so all links after an old one are old too.
                let link = self.links.get(at as usize).filter(|_| at >= len)?;
                at = link.next;
                if link.key == key {
                    return Some(link.document);
                }
            }
        })
    }

    /// Returns the start of the key's chain. Called early, it lets several lookups wait for memory at once.
    #[inline]
    pub fn prefetch(&self, key: u64) -> u32 {
        if self.slots.is_empty() { END } else { self.slots[self.slot(key)] }
    }

    fn hang(&mut self, link: usize) {
        let slot = self.slot(self.links[link].key);
        self.links[link].next = std::mem::replace(&mut self.slots[slot], link as u32);
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        (key.wrapping_mul(GOLDEN) >> (u64::BITS - self.slots.len().ilog2())) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_chain_is_what_was_pushed_to_its_key(pushed in proptest::collection::vec((0u64..40, 0u32..1000), 0..200), low in any::<bool>()) {
            // Keys that differ only in their lowest bits, or in their highest too.
            let key = |key: u64| if low { key } else { key << 58 | key };
            let mut chains = Postings::default();
            for (at, &(number, document)) in pushed.iter().enumerate() {
                chains.push(key(number), DocId(document));
                let of = |wanted: u64| pushed[..=at].iter().rev().filter(move |one| one.0 == wanted).map(|one| DocId(one.1));
                prop_assert!((0..41).all(|number| chains.of(key(number)).eq(of(number))));
                let half = at / 2;
                let since = |wanted: u64| pushed[half..=at].iter().rev().filter(move |one| one.0 == wanted).map(|one| DocId(one.1));
                prop_assert!((0..41).all(|number| chains.since(key(number), half as u32).eq(since(number))));
            }
        }
    }
}
