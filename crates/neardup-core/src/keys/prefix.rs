//! Prefix keys: the smallest features, for an exact join (Chaudhuri, Ganti, Kaushik 2006; Bayardo et al. 2007).

use crate::util::ratio::Ratio;

/// The |A| - ceil(tau |A|) + 1 smallest features of a set A. Two sets of resemblance tau or more share at least
/// tau * max(|A|, |B|) features, so their prefixes in any common order share one. Here the order is by value, which is the
/// same in every run.
#[derive(Clone, Debug)]
pub struct Prefix {
    /// tau.
    pub threshold: Ratio,
}

impl Prefix {
    /// Appends one key per prefix feature of the ascending distinct `features`. A key is the low half of the feature,
    /// because the high half of the smallest features is close to zero.
    pub fn keys(&self, features: &[u64], out: &mut Vec<u32>) {
        out.extend(self.features(features).iter().map(|&feature| feature as u32));
    }

    /// Returns the prefix of the ascending distinct `features`.
    pub fn features<'f>(&self, features: &'f [u64]) -> &'f [u64] {
        &features[..self.length(features.len())]
    }

    /// Returns the length of the prefix of a set of `size`. It never decreases with the size.
    pub(super) fn length(&self, size: usize) -> usize {
        let (p, q) = (u128::from(self.threshold.numerator), u128::from(self.threshold.denominator));
        let required = (size as u128 * p).div_ceil(q) as usize;
        (size - required + 1).min(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefix_lengths() {
        let prefix = Prefix { threshold: "0.8".parse().unwrap() };
        assert_eq!([0, 1, 4, 5, 10, 11].map(|size| prefix.length(size)), [0, 1, 1, 2, 3, 3]);
    }
}
