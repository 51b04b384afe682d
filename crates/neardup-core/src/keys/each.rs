//! Every value of a signature is a key (Broder, Glassman, Manasse, Zweig 1997; Shivakumar, Garcia-Molina 1995).

/// Documents meet that share `least` values or more.
#[derive(Clone, Debug)]
pub struct EachValue {
    /// M: 1 and more.
    pub least: u64,
}

impl EachValue {
    /// Appends one key for every value of an ascending list without repeats, except for the `least` - 1 largest: two lists
    /// that share `least` values share one that is not among those, in any common order.
    pub fn keys(&self, values: &[u64], out: &mut Vec<u32>) {
        let count = (values.len() + 1).saturating_sub(self.least as usize);
        out.extend(values[..count].iter().map(|&value| key(value)));
    }
}

/// The key of a value: samples have common bits, which must not all end in one key.
pub fn key(value: u64) -> u32 {
    (value.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn who_shares_enough_values_shares_a_key(
            left in proptest::collection::btree_set(0u64..30, 0..20), right in proptest::collection::btree_set(0u64..30, 0..20), least in 1u64..6,
        ) {
            let keys = |set: &BTreeSet<u64>| {
                let mut keys = Vec::new();
                EachValue { least }.keys(&set.iter().copied().collect::<Vec<_>>(), &mut keys);
                keys
            };
            let (l, r) = (keys(&left), keys(&right));
            prop_assert!(l.iter().any(|key| r.contains(key)) || (left.intersection(&right).count() as u64) < least);
        }
    }
}
