//! Every value of a signature is a key (Broder, Glassman, Manasse, Zweig 1997; Shivakumar, Garcia-Molina 1995).

/// Documents meet if they share at least `least` values.
#[derive(Clone, Debug)]
pub struct EachValue {
    /// M, at least 1.
    pub least: u64,
}

impl EachValue {
    /// Appends one key per value of an ascending list without repeats, except the `least` - 1 largest values. Two lists
    /// that share `least` values share at least one that is not among those; this is true for any common order.
    pub fn keys(&self, values: &[u64], out: &mut Vec<u32>) {
        let count = (values.len() + 1).saturating_sub(self.least as usize);
        out.extend(values[..count].iter().map(|&value| key(value)));
    }
}

/// Returns the key of a value. The values of a sample have some bits in common; hashing keeps them from sharing one key.
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
