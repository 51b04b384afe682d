//! Rank bitmap: a set of numbers that returns, for each of its members, the number of smaller ones.
//!
//! It stores a bit per number and a count per 64 numbers. A lookup reads memory twice. A binary search of the sorted
//! members reads once for every halving, each time at a distant address. (Jacobson 1989 counts this way, in two levels.)

/// A set of numbers. Its members are called marked.
#[derive(Debug, Default)]
pub struct RankBitmap {
    words: Vec<u64>,
    /// Number of marked numbers before every word.
    before: Vec<u32>,
}

impl RankBitmap {
    /// Marks `numbers`. Each must be below `count`; order and repetition do not matter.
    pub fn new(count: usize, numbers: impl IntoIterator<Item = u32>) -> Self {
        let mut words = vec![0u64; count.div_ceil(64)];
        numbers.into_iter().for_each(|number| words[number as usize / 64] |= 1 << (number % 64));
        let before = words.iter().scan(0, |total, word| {
            let before = *total;
            *total += word.count_ones();
            Some(before)
        });
        RankBitmap { before: before.collect(), words }
    }

    /// Returns the marked numbers, ascending.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        self.words.iter().zip((0..).step_by(64)).flat_map(|(&word, first)| {
            std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)))
                .take_while(|&rest| rest != 0)
                .map(move |rest| first + rest.trailing_zeros())
        })
    }

    /// Returns the number of marked numbers below `number`, or `None` if `number` itself is not marked.
    #[inline]
    pub fn rank(&self, number: u32) -> Option<usize> {
        let (word, bit) = (number as usize / 64, 1 << (number % 64));
        let bits = self.words[word];
        (bits & bit != 0).then(|| self.before[word] as usize + (bits & (bit - 1)).count_ones() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn equal_a_search(count in 1usize..300, picks in proptest::collection::vec(any::<prop::sample::Index>(), 0..100)) {
            let numbers: Vec<u32> = picks.iter().map(|pick| pick.index(count) as u32).collect();
            let ascending: Vec<u32> = numbers.iter().copied().collect::<BTreeSet<u32>>().into_iter().collect();
            let marks = RankBitmap::new(count, numbers);
            prop_assert_eq!(marks.numbers().collect::<Vec<u32>>(), &ascending[..]);
            for number in 0..count as u32 {
                prop_assert_eq!(marks.rank(number), ascending.binary_search(&number).ok());
            }
        }
    }
}
