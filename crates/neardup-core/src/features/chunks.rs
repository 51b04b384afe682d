//! Chunks: runs of tokens that do not overlap (Brin, Davis, Garcia-Molina 1995; Shivakumar, Garcia-Molina 1995).

use neardup_text::fingerprint;
use neardup_text::simd::Level;

/// The tokens cut into runs of N; the last run may be shorter. A text without tokens has no chunks.
///
/// An inserted or removed token moves the borders of all chunks after it. So N above 1 is for texts that change in
/// place. A chunk of N tokens has the fingerprint of a shingle of the same tokens.
#[derive(Clone, Debug)]
pub struct Chunks {
    /// N. If it is at least the number of tokens, the whole sequence is one chunk.
    pub length: usize,
}

impl Chunks {
    /// Appends one 64-bit fingerprint per chunk, in order, repeats included.
    pub fn extract(&self, level: Level, tokens: &[u64], out: &mut Vec<u64>) {
        if self.length == 1 {
            return fingerprint::shingles_on(level, tokens, 1, out);
        }
        tokens.chunks(self.length).for_each(|chunk| fingerprint::shingles_on(level, chunk, chunk.len(), out));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn chunks(length: usize, tokens: &[u64]) -> Vec<u64> {
        let mut out = Vec::new();
        Chunks { length }.extract(Level::best(), tokens, &mut out);
        out
    }

    /// The only shingle of all tokens.
    fn fingerprint(tokens: &[u64]) -> u64 {
        let mut out = Vec::new();
        fingerprint::shingles(tokens, tokens.len(), &mut out);
        out[0]
    }

    proptest! {
        #[test]
        fn equals_the_definition(tokens in proptest::collection::vec(any::<u64>(), 0..80), length in 1usize..30) {
            let mut expected = Vec::new();
            let mut start = 0;
            while start < tokens.len() {
                let end = (start + length).min(tokens.len());
                expected.push(fingerprint(&tokens[start..end]));
                start = end;
            }
            prop_assert_eq!(chunks(length, &tokens), expected);
            let whole: Vec<u64> = if tokens.is_empty() { vec![] } else { vec![fingerprint(&tokens)] };
            prop_assert_eq!(chunks(usize::MAX, &tokens), whole);
        }
    }

    #[test]
    fn what_is_changed_in_place_changes_one_chunk() {
        let tokens: Vec<u64> = (0..12).collect();
        let mut changed = tokens.clone();
        changed[4] = 99;
        let equal = |left: &[u64], right: &[u64]| left.iter().zip(right).filter(|(left, right)| left == right).count();
        assert_eq!(equal(&chunks(3, &tokens), &chunks(3, &changed)), 3);
        // A token inserted at the front changes all chunks.
        changed.insert(0, 77);
        assert_eq!(equal(&chunks(3, &tokens), &chunks(3, &changed)), 0);
    }
}
