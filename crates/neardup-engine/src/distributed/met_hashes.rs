//! Met hashes: which hashes occur more than once. Most keys are those of one document, and need neither be sorted nor stored.

/// Slots for each hash: an eighth of the hashes that occur once have a slot with another.
const SLOTS: usize = 8;
/// Slots in a word, of two bits each: whether a hash was seen, and whether another one was.
const PER_WORD: u32 = 32;
const SEEN: u64 = 1;
const MET: u64 = 2;

/// A filter of hashes that passes all that occur more than once, and few others.
#[derive(Debug)]
pub struct MetHashes {
    /// A power of two of words.
    words: Vec<u64>,
}

impl MetHashes {
    /// Returns a filter for about `count` hashes.
    pub fn with_room(count: usize) -> Self {
        MetHashes { words: vec![0; (count * SLOTS / PER_WORD as usize).next_power_of_two()] }
    }

    /// Adds some hashes, of which there are about `count`.
    pub fn of(count: usize, hashes: impl Iterator<Item = u64>) -> Self {
        let mut meetings = MetHashes::with_room(count);
        hashes.for_each(|hash| meetings.add(hash));
        meetings
    }

    /// Adds a hash.
    #[inline]
    pub fn add(&mut self, hash: u64) {
        if !self.meet(hash) {
            let (word, shift) = self.slot(hash);
            self.words[word] |= SEEN << shift;
        }
    }

    /// Whether the hash may have been added. If so, it is met.
    #[inline]
    pub fn meet(&mut self, hash: u64) -> bool {
        let (word, shift) = self.slot(hash);
        let word = &mut self.words[word];
        let is_seen = *word >> shift & SEEN != 0;
        *word |= if is_seen { MET << shift } else { 0 };
        is_seen
    }

    /// Whether the hash may have been met after it was added.
    #[inline]
    pub fn has_met(&self, hash: u64) -> bool {
        let (word, shift) = self.slot(hash);
        self.words[word] >> shift & MET != 0
    }

    /// Returns the word and the bit of a hash.
    #[inline]
    fn slot(&self, hash: u64) -> (usize, u32) {
        // All hashes of a part are equal in what chooses it, so they are mixed in another way: by the last step of SplitMix64.
        let mixed = (hash ^ hash >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB) >> 16;
        ((mixed >> 5) as usize & (self.words.len() - 1), 2 * (mixed as u32 % PER_WORD))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distributed::message::part_of;

    /// Returns hashes of one part; those of a table have equal upper halves.
    fn hashes(from: u64) -> impl Iterator<Item = u64> + Clone {
        let hash = move |number: u64| 3 << 32 | u64::from((from + number).wrapping_mul(0xD6E8_FEB8_6659_FD93) as u32);
        (0..400_000).map(hash).filter(|hash| part_of(*hash, 40) == 7)
    }

    #[test]
    fn all_that_meet_pass_and_few_others() {
        let (once, others) = (hashes(0), hashes(1 << 20));
        let twice: Vec<u64> = once.clone().step_by(10).collect();
        let mut meetings = MetHashes::of(once.clone().count(), once.clone().chain(twice.iter().copied()));
        assert!(twice.iter().all(|hash| meetings.has_met(*hash)));
        let passed = once.clone().filter(|hash| meetings.has_met(*hash)).count();
        assert!(passed < once.count() / 4, "{passed}");
        let met = others.clone().filter(|hash| meetings.meet(*hash)).count();
        assert!(met < others.count() / 4, "{met}");
    }

    #[test]
    fn a_filter_without_room_passes_too_much_and_loses_nothing() {
        let mut meetings = MetHashes::of(0, 0..100);
        assert!((0..100).all(|hash| meetings.meet(hash) && meetings.has_met(hash)));
    }
}
