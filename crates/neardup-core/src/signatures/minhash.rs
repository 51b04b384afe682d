//! MinHash: k minima under k permutations (Broder 1997; Broder, Charikar, Frieze, Mitzenmacher 2000).

use multiversion::multiversion;

/// k-slot MinHash over the low 32 bits of the features.
///
/// Slot i holds min over the features x of a_i * x + b_i mod 2^32 with a_i odd, so every slot is a permutation of
/// the 32-bit numbers and P(slots equal) is close to the resemblance.
#[derive(Clone, Debug)]
pub struct MinHash {
    multipliers: Vec<u32>,
    offsets: Vec<u32>,
}

impl MinHash {
    /// `slots` permutations drawn from `seed`.
    pub fn new(slots: usize, seed: u64) -> Self {
        let mut state = seed;
        let mut draw = || splitmix(&mut state) as u32;
        let multipliers = (0..slots).map(|_| draw() | 1).collect();
        let offsets = (0..slots).map(|_| draw()).collect();
        MinHash { multipliers, offsets }
    }

    /// Writes the minima, one per slot, of at least one feature.
    pub fn sign(&self, features: &[u64], values: &mut Vec<u32>) {
        values.clear();
        values.resize(self.multipliers.len(), u32::MAX);
        minima(features, &self.multipliers, &self.offsets, values);
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): the stream the permutations are drawn from.
fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn minima(features: &[u64], multipliers: &[u32], offsets: &[u32], values: &mut [u32]) {
    // Blocks of lanes that stay in registers; 96 slots, the default at 0.8, are one block.
    let mut at = 0;
    while at < values.len() {
        let taken = match values.len() - at {
            96 => lanes::<96>(features, &multipliers[at..], &offsets[at..], &mut values[at..]),
            128.. => lanes::<128>(features, &multipliers[at..], &offsets[at..], &mut values[at..]),
            64.. => lanes::<64>(features, &multipliers[at..], &offsets[at..], &mut values[at..]),
            16.. => lanes::<16>(features, &multipliers[at..], &offsets[at..], &mut values[at..]),
            _ => lanes::<1>(features, &multipliers[at..], &offsets[at..], &mut values[at..]),
        };
        at += taken;
    }
}

#[inline(always)]
fn lanes<const N: usize>(features: &[u64], multipliers: &[u32], offsets: &[u32], values: &mut [u32]) -> usize {
    let (mut a, mut b, mut least) = ([0u32; N], [0u32; N], [u32::MAX; N]);
    a.copy_from_slice(&multipliers[..N]);
    b.copy_from_slice(&offsets[..N]);
    for &feature in features {
        let x = feature as u32;
        for i in 0..N {
            least[i] = least[i].min(x.wrapping_mul(a[i]).wrapping_add(b[i]));
        }
    }
    values[..N].copy_from_slice(&least);
    N
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slow(minhash: &MinHash, features: &[u64]) -> Vec<u32> {
        let slot = |(&a, &b): (&u32, &u32)| features.iter().map(|&x| (x as u32).wrapping_mul(a).wrapping_add(b)).min().unwrap_or(u32::MAX);
        minhash.multipliers.iter().zip(&minhash.offsets).map(slot).collect()
    }

    proptest! {
        #[test]
        fn equals_the_definition(features in proptest::collection::vec(any::<u64>(), 1..60), slots in 1usize..300, seed in any::<u64>()) {
            let minhash = MinHash::new(slots, seed);
            let mut values = Vec::new();
            minhash.sign(&features, &mut values);
            prop_assert_eq!(values, slow(&minhash, &features));
        }
    }

    #[test]
    fn golden_permutations() {
        let minhash = MinHash::new(3, 0);
        assert_eq!(minhash.multipliers, [0x7b1d_cdaf, 0xa1b9_65f5, 0x8009_454f]);
    }
}
