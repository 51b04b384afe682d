//! Marks: which numbers are marked, and how many before a number are.
//!
//! A bit for each number and a count for every 64 of them: two looks where a search of the list of marked numbers takes one
//! for every halving, each at another end of the memory (Jacobson 1989 counts so, in two levels).

/// Marked numbers.
#[derive(Debug, Default)]
pub struct RankBitmap {
    words: Vec<u64>,
    /// How many are marked before every word.
    before: Vec<u32>,
}

impl RankBitmap {
    /// Marks `numbers`, each below `count`, in any order, once or several times.
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

    /// The marked numbers, ascending.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        self.words.iter().zip((0..).step_by(64)).flat_map(|(&word, first)| {
            std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)))
                .take_while(|&rest| rest != 0)
                .map(move |rest| first + rest.trailing_zeros())
        })
    }

    /// How many marked numbers come before `number`; None unless it is marked itself.
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
