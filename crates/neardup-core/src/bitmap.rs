//! A document's bitmap: a few bits per feature that can prove two documents too different to compare.
//!
//! Every feature sets one bit. Where two bitmaps differ, the sets differ, so the count of differing bits never
//! exceeds the size of the symmetric difference: rejecting by it never loses a pair.

use multiversion::multiversion;

const LEAST_WORDS: usize = 8;
const MOST_WORDS: usize = 512;
const BITS_PER_FEATURE: usize = 2;

/// The bytes that the bitmap of a document of `features` takes.
pub fn bytes(features: usize) -> usize {
    words(features) * size_of::<u64>()
}

fn words(features: usize) -> usize {
    (features * BITS_PER_FEATURE / 64).next_power_of_two().clamp(LEAST_WORDS, MOST_WORDS)
}

/// Appends the bitmap of `features` to `out` and returns how many words it takes: a power of two from 8 to 512,
/// with at least two bits per feature while that fits.
pub fn append(features: &[u64], out: &mut Vec<u64>) -> usize {
    let count = words(features.len());
    let start = out.len();
    out.resize(start + count, 0);
    let bitmap = &mut out[start..];
    for feature in features {
        bitmap[(feature >> 6) as usize & (count - 1)] |= 1 << (feature & 63);
    }
    count
}

/// How many bits of `left` and `right` differ; the longer bitmap is folded onto the shorter.
#[inline]
pub fn differing(left: &[u64], right: &[u64]) -> u64 {
    let (short, long) = if left.len() <= right.len() { (left, right) } else { (right, left) };
    if short.len() == long.len() { exclusive(short, long) } else { exclusive(&folded(long, short.len()), short) }
}

/// How many bits of `left` are missing in `right`, after both are folded to the shorter length.
pub fn missing(left: &[u64], right: &[u64]) -> u64 {
    let count = left.len().min(right.len());
    let (left, right) = (folded(left, count), folded(right, count));
    left.iter().zip(&right).map(|(l, r)| u64::from((l & !r).count_ones())).sum()
}

/// How many bits are set: a lower bound of the number of distinct features.
pub fn ones(bitmap: &[u64]) -> u32 {
    bitmap.iter().map(|word| word.count_ones()).sum()
}

#[multiversion(targets("x86_64+avx512f+avx512vpopcntdq", "x86_64+avx2+popcnt", "x86_64+popcnt"))]
fn exclusive(left: &[u64], right: &[u64]) -> u64 {
    left.iter().zip(right).map(|(l, r)| u64::from((l ^ r).count_ones())).sum()
}

fn folded(bitmap: &[u64], count: usize) -> Vec<u64> {
    let mut words = bitmap[..count].to_vec();
    for part in bitmap[count..].chunks_exact(count) {
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
    }
}
