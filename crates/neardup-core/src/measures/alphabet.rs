//! Tokens as small numbers. The bit vectors of rapidfuzz find numbers below 256 by one load, and its tables do not
//! allow numbers near 2^64. Tokens are assumed to be hashes, as everywhere.

use crate::util::index::HashIndex;

/// Returns both sequences with each token replaced by its number, from 1, in the order of first occurrence.
pub fn number(left: &[u64], right: &[u64]) -> (Vec<u32>, Vec<u32>) {
    let mut letters = [left, right].concat();
    let mut index = HashIndex::<u32>::default();
    index.distinct(&mut letters, 2);
    let places = |tokens: &[u64]| tokens.iter().map(|&token| index.place(&letters, token)).collect();
    (places(left), places(right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::samples::sequences;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equal_numbers_are_equal_tokens((left, right) in sequences(60)) {
            let (l, r) = number(&left, &right);
            prop_assert_eq!((l.len(), r.len()), (left.len(), right.len()));
            let (tokens, numbers) = ([left, right].concat(), [l, r].concat());
            for (token, number) in tokens.iter().zip(&numbers) {
                let first = tokens.iter().position(|other| other == token).unwrap();
                prop_assert_eq!(numbers[first], *number);
                prop_assert_eq!(tokens[..first].iter().collect::<std::collections::BTreeSet<_>>().len() + 1, *number as usize);
            }
        }
    }
}
