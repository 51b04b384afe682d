//! Abstracts: the beginning of a text represents the whole text (Tianwang, rule 1).

use neardup_text::fingerprint;
use neardup_text::simd::Level;

/// The first N tokens as one feature, or all tokens if there are fewer. A text without tokens has no feature.
#[derive(Clone, Debug)]
pub struct Abstract {
    /// N, at least 1.
    pub length: usize,
}

impl Abstract {
    /// Appends the 64-bit fingerprint of the abstract.
    pub fn extract(&self, level: Level, tokens: &[u64], out: &mut Vec<u64>) {
        let start = &tokens[..self.length.min(tokens.len())];
        fingerprint::shingles_on(level, start, start.len(), out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_beginning_counts() {
        let of = |length: usize, tokens: &[u64]| {
            let mut out = Vec::new();
            Abstract { length }.extract(Level::best(), tokens, &mut out);
            out
        };
        assert_eq!(of(3, &[1, 2, 3, 4]), of(3, &[1, 2, 3, 9, 9]));
        assert_eq!(of(3, &[1, 2, 3]), of(3, &[1, 2, 3, 4]));
        assert_ne!(of(3, &[1, 2, 3]), of(3, &[1, 3, 2]));
        assert_ne!(of(3, &[1, 2]), of(3, &[1, 2, 3]));
        assert_eq!((of(3, &[]), of(3, &[7]).len()), (vec![], 1));
    }
}
