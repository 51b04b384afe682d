//! MinHash slots: a slot of two documents with resemblance r is equal with probability r (Broder 1997).

/// Returns the number of equal slots among the first `slots`; a slot has 32 bits, and a word contains two.
pub fn equal(left: &[u64], right: &[u64], slots: u64) -> u64 {
    let halves = left.iter().zip(right).map(|(l, r)| l ^ r).flat_map(|word| [word as u32, (word >> 32) as u32]);
    halves.take(slots as usize).map(|half| u64::from(half == 0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_odd_number_of_slots() {
        let (left, right) = ([1 << 32 | 5, 7], [2 << 32 | 5, 7]);
        assert_eq!(equal(&left, &right, 3), 2);
        assert_eq!(equal(&left, &left, 3), 3);
    }
}
