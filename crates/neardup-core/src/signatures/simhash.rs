//! SimHash: one bit for the sign of every weighted sum (Charikar 2002; Manku, Jain, Das Sarma 2007).

use super::Values;
use neardup_text::simd::Level;

/// A fingerprint of `bits` bits; bit i is 1 when the sum over the features of +weight (bit i of the feature's hash
/// is 1) or -weight (it is 0) is 0 or more.
#[derive(Clone, Debug)]
pub struct SimHash {
    /// f: 64 or 128.
    pub bits: usize,
    /// Whether every distinct feature counts once; else every occurrence counts.
    pub distinct: bool,
}

impl SimHash {
    /// Writes f / 64 words, the first one holding bits 0 to 63.
    pub fn sign(&self, _: Level, features: &[u64], values: &mut Values) {
        if self.distinct {
            values.set.make(|room| room.extend_from_slice(features));
        }
        let features = if self.distinct { values.set.features() } else { features };
        for word in 0..self.bits as u64 / 64 {
            let mut sums = [0i64; 64];
            for &feature in features {
                let hash = if word == 0 { feature } else { neardup_text::fingerprint::token(&feature.to_le_bytes(), word) };
                sums.iter_mut().enumerate().for_each(|(bit, sum)| *sum += if hash >> bit & 1 == 1 { 1 } else { -1 });
            }
            values.wide.push(sums.iter().enumerate().fold(0, |word, (bit, &sum)| word | u64::from(sum >= 0) << bit));
        }
    }
}
