//! Tokens to shingles, as 128-bit fingerprints.

use twox_hash::XxHash3_128;

/// Returns the fingerprints of the distinct shingles of `width` tokens, ascending; fewer tokens are one shingle.
///
/// The probability that any two of 10^8 distinct shingles share a fingerprint is about 10^-23.
pub fn fingerprints(tokens: &[String], width: usize) -> Vec<u128> {
    if tokens.is_empty() {
        return Vec::new();
    }
    let mut buffer = Vec::new();
    let mut all: Vec<u128> = tokens
        .windows(width.min(tokens.len()))
        .map(|shingle| {
            buffer.clear();
            for token in shingle {
                buffer.extend_from_slice(token.as_bytes());
                buffer.push(0xFF); // no byte of UTF-8: ["ab", "c"] and ["a", "bc"] differ
            }
            XxHash3_128::oneshot(&buffer)
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(String::from).collect()
    }

    #[test]
    fn shingles_are_a_set() {
        assert_eq!(fingerprints(&words("a b a b a b"), 2).len(), 2);
        assert_eq!(fingerprints(&words("a b c d e"), 5).len(), 1);
        assert_eq!(fingerprints(&[], 5), []);
    }

    #[test]
    fn few_tokens_are_one_shingle() {
        assert_eq!(fingerprints(&words("a b"), 5), fingerprints(&words("a b"), 2));
        assert_ne!(fingerprints(&words("ab c"), 5), fingerprints(&words("a bc"), 5));
        assert_ne!(fingerprints(&words("a b"), 5), fingerprints(&words("a b a"), 5));
    }
}
