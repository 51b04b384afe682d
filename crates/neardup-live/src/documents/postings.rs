//! Chains: keys and the documents that hold them while both grow, in memory.

use crate::documents::table_key::GOLDEN;

/// No link.
const END: u32 = u32::MAX;

/// Documents by key; the last that came is first.
#[derive(Default)]
pub struct Postings {
    /// The last link of the keys that share a slot; a power of two of them, at least two for each link.
    slots: Vec<u32>,
    links: Vec<PostingLink>,
}

struct PostingLink {
    key: u64,
    document: u32,
    /// The link before of the same slot.
    next: u32,
}

impl Postings {
    /// Adds a document to a key.
    pub fn push(&mut self, key: u64, document: u32) {
        self.links.push(PostingLink { key, document, next: END });
        if self.links.len() * 2 > self.slots.len() {
            self.slots.clear();
            self.slots.resize((self.links.len() * 2).next_power_of_two().max(16), END);
            (0..self.links.len()).for_each(|link| self.hang(link));
        } else {
            self.hang(self.links.len() - 1);
        }
    }

    /// How many documents were added, to all keys.
    pub fn len(&self) -> u32 {
        self.links.len() as u32
    }

    /// The documents of a key.
    #[inline]
    pub fn of(&self, key: u64) -> impl Iterator<Item = u32> {
        self.since(key, 0)
    }

    /// The documents that were added to a key when `len` were there already.
    #[inline]
    pub fn since(&self, key: u64, len: u32) -> impl Iterator<Item = u32> {
        let mut at = self.foresee(key);
        std::iter::from_fn(move || {
            loop {
                // Links ascend as they are added, so that none behind an older one is newer.
                let link = self.links.get(at as usize).filter(|_| at >= len)?;
                at = link.next;
                if link.key == key {
                    return Some(link.document);
                }
            }
        })
    }

    /// Reads the slot that a lookup will start from, so that several lookups wait for memory at once.
    #[inline]
    pub fn foresee(&self, key: u64) -> u32 {
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
            // Keys that differ in their lowest bits alone, or in their highest.
            let key = |key: u64| if low { key } else { key << 58 | key };
            let mut chains = Postings::default();
            for (at, &(number, document)) in pushed.iter().enumerate() {
                chains.push(key(number), document);
                let of = |wanted: u64| pushed[..=at].iter().rev().filter(move |one| one.0 == wanted).map(|one| one.1);
                prop_assert!((0..41).all(|number| chains.of(key(number)).eq(of(number))));
                let half = at / 2;
                let since = |wanted: u64| pushed[half..=at].iter().rev().filter(move |one| one.0 == wanted).map(|one| one.1);
                prop_assert!((0..41).all(|number| chains.since(key(number), half as u32).eq(since(number))));
            }
        }
    }
}
