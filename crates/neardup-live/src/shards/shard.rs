//! Shards: the position of a folder in a split index.

use crate::documents::table_key::{GOLDEN, TableKey};
use crate::storage::identity::Identity;
use serde::{Deserialize, Serialize};

/// One of the folders of a split index. All shards have every document. Each has the keys that belong to it, and the texts with
/// such keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// The identity of the whole index, on which its folders agree.
    pub index: Identity,
    /// Number of the shard, from 0.
    pub number: u32,
    /// Number of shards of the index.
    pub of: u32,
}

impl Shard {
    /// Whether a key belongs to this shard.
    #[inline]
    pub fn holds(&self, key: TableKey) -> bool {
        let spread = (key ^ key >> 32).wrapping_mul(GOLDEN);
        ((u128::from(spread) * u128::from(self.of)) >> 64) as u32 == self.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_key_falls_to_one_shard_and_shards_are_alike() {
        for of in [1, 4, 7] {
            let index = Identity::draw(Path::new("")).unwrap();
            let shard = |number| Shard { index: index.clone(), number, of };
            let mut counts = vec![0; of as usize];
            for key in (0..16u64).flat_map(|table| (0..1000u64).map(move |key| (table << 32) + key * 4_294_967)) {
                let holders: Vec<u32> = (0..of).filter(|&number| shard(number).holds(key)).collect();
                assert_eq!(holders.len(), 1);
                counts[holders[0] as usize] += 1;
            }
            assert!(counts.iter().all(|&count| count * of > 14_000 && count * of < 18_000), "{counts:?}");
        }
    }
}
