//! A document's bitmap: a few bits for each feature that can prove that two documents are too different to compare.
//!
//! Every feature sets one bit. A bit that differs between two bitmaps implies a feature that only one set contains. So
//! the number of differing bits never exceeds the size of the symmetric difference, and rejecting by it never loses a
//! pair.

use neardup_text::simd::{Kernel, Lanes, Level};
use neardup_text::steps::QuarterSteps;

const LEAST_WORDS: usize = 8;
const MOST_WORDS: usize = 512;
const BITS_PER_FEATURE: usize = 2;

/// Returns the size in bytes of the bitmap of a document with this number of features.
pub fn bytes(features: usize) -> usize {
    words(features) * size_of::<u64>()
}

fn words(features: usize) -> usize {
    (features * BITS_PER_FEATURE / 64).next_power_of_two().clamp(LEAST_WORDS, MOST_WORDS)
}

/// Appends the bitmap of `features` to `out`. Its length in words is a power of two from 8 to 512, with at least two
/// bits for each feature while that fits.
pub fn append(features: &[u64], out: &mut Vec<u64>) {
    BitmapBuilder::new(features, out).finish();
}

/// A bitmap under construction. Each step adds eight features; [`BitmapBuilder::finish`] adds the rest.
pub struct BitmapBuilder<'a> {
    features: &'a [u64],
    bitmap: &'a mut [u64],
}

impl<'a> BitmapBuilder<'a> {
    /// Appends an empty bitmap for `features` to `out`.
    pub fn new(features: &'a [u64], out: &'a mut Vec<u64>) -> Self {
        let start = out.len();
        out.resize(start + words(features.len()), 0);
        BitmapBuilder { features, bitmap: &mut out[start..] }
    }

    /// Returns a builder of an empty bitmap without features.
    pub fn nothing() -> Self {
        BitmapBuilder { features: &[], bitmap: &mut [] }
    }

    #[inline(always)]
    fn set(&mut self, feature: u64) {
        let mask = self.bitmap.len() - 1;
        self.bitmap[(feature >> 6) as usize & mask] |= 1 << (feature & 63);
    }

    /// Adds the features that the steps have not added.
    pub fn finish(mut self) {
        self.features.iter().for_each(|&feature| self.set(feature));
    }
}

impl QuarterSteps for BitmapBuilder<'_> {
    #[inline(always)]
    fn quarter(&mut self, _: usize) {
        if let [one, other, rest @ ..] = self.features {
            self.set(*one);
            self.set(*other);
            self.features = rest;
        }
    }
}

/// Returns the number of bits in which `left` and `right` differ; the longer bitmap is first folded onto the shorter.
#[inline]
pub fn differing(left: &[u64], right: &[u64]) -> u64 {
    if let ([l, left], [r, right]) = (left, right) {
        return u64::from((l ^ r).count_ones() + (left ^ right).count_ones());
    }
    let (short, long) = if left.len() <= right.len() { (left, right) } else { (right, left) };
    if short.len() == long.len() { exclusive(short, long) } else { exclusive(&folded(long, short.len()), short) }
}

/// Returns the number of bits of `left` that are missing in `right`, after both are folded to the shorter length.
pub fn missing(left: &[u64], right: &[u64]) -> u64 {
    let count = left.len().min(right.len());
    let (left, right) = (folded(left, count), folded(right, count));
    left.iter().zip(&right).map(|(l, r)| u64::from((l & !r).count_ones())).sum()
}

/// Returns the number of bits that are set: a lower bound of the number of distinct features.
pub fn ones(bitmap: &[u64]) -> u32 {
    bitmap.iter().map(|word| word.count_ones()).sum()
}

fn exclusive(left: &[u64], right: &[u64]) -> u64 {
    Level::best().run(DifferingBits { left, right })
}

/// Kernel that counts the bits in which two bitmaps of equal length differ.
struct DifferingBits<'a> {
    left: &'a [u64],
    right: &'a [u64],
}

impl Kernel for DifferingBits<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> u64 {
        let mut count = 0;
        for (l, r) in self.left.iter().zip(self.right) {
            count += u64::from((l ^ r).count_ones());
        }
        count
    }
}

fn folded(bitmap: &[u64], count: usize) -> Vec<u64> {
    let mut words = bitmap[..count].to_vec();
    // An empty bitmap has no words to fold onto and proves nothing.
    for part in bitmap[count..].chunks_exact(count.max(1)) {
        words.iter_mut().zip(part).for_each(|(word, bits)| *word |= bits);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn bitmap(set: &BTreeSet<u64>) -> Vec<u64> {
        let mut words = Vec::new();
        append(&set.iter().copied().collect::<Vec<_>>(), &mut words);
        words
    }

    proptest! {
        #[test]
        fn bounds_hold(left in proptest::collection::btree_set(any::<u64>(), 0..900), right in proptest::collection::btree_set(any::<u64>(), 0..90)) {
            let right: BTreeSet<u64> = right.into_iter().chain(left.iter().copied().step_by(3)).collect();
            let (l, r) = (bitmap(&left), bitmap(&right));
            prop_assert!(differing(&l, &r) <= left.symmetric_difference(&right).count() as u64);
            prop_assert_eq!(differing(&l, &r), differing(&r, &l));
            prop_assert!(missing(&l, &r) <= left.difference(&right).count() as u64);
            prop_assert!(ones(&l) as usize <= left.len());
        }

        #[test]
        fn levels_count_alike(words in proptest::collection::vec(any::<(u64, u64)>(), 0..70)) {
            let (left, right): (Vec<u64>, Vec<u64>) = words.into_iter().unzip();
            let bit = |bitmap: &[u64], i: usize| bitmap[i / 64] >> (i % 64) & 1;
            let slow = (0..64 * left.len()).filter(|&i| bit(&left, i) != bit(&right, i)).count() as u64;
            for level in Level::available() {
                prop_assert_eq!(level.run(DifferingBits { left: &left, right: &right }), slow, "{}", level.name());
            }
        }

        #[test]
        fn steps_set_every_bit(features in proptest::collection::vec(any::<u64>(), 1..700), steps in 0usize..100) {
            let mut out = vec![7; 3];
            let mut filling = BitmapBuilder::new(&features, &mut out);
            (0..4 * steps).for_each(|number| filling.quarter(number % 4));
            filling.finish();
            let count = words(features.len());
            let mut slow = vec![0; count];
            features.iter().for_each(|feature| slow[(feature / 64 % count as u64) as usize] |= 1 << (feature % 64));
            prop_assert_eq!(&out[3..], &slow[..]);
        }
    }
}
