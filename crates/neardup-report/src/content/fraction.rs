//! An exact share of one count in another.

use serde::{Deserialize, Serialize};

/// A share between 0 and 1 as two counts; 0/0 represents equal texts without shingles and is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fraction {
    /// The part.
    pub numerator: u64,
    /// The whole; at least the part.
    pub denominator: u64,
}

impl Fraction {
    /// Returns four decimals, cut and not rounded, so that a score below a threshold never reads as one that meets it.
    pub fn decimal(self) -> String {
        if self.denominator == 0 {
            return "1.0000".into();
        }
        let scaled = u128::from(self.numerator) * 10_000 / u128::from(self.denominator);
        format!("{}.{:04}", scaled / 10_000, scaled % 10_000)
    }

    /// Returns the whole hundredths, at most 99: the bin of a [`Histogram`](crate::Histogram).
    pub fn bin(self) -> usize {
        if self.denominator == 0 {
            return 99;
        }
        (u128::from(self.numerator) * 100 / u128::from(self.denominator)).min(99) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(numerator: u64, denominator: u64) -> Fraction {
        Fraction { numerator, denominator }
    }

    #[test]
    fn decimals_are_cut() {
        assert_eq!(of(4, 5).decimal(), "0.8000");
        assert_eq!(of(799_999, 1_000_000).decimal(), "0.7999");
        assert_eq!(of(u64::MAX - 1, u64::MAX).decimal(), "0.9999");
        assert_eq!(of(7, 7).decimal(), "1.0000");
        assert_eq!(of(0, 0).decimal(), "1.0000");
    }

    #[test]
    fn bins_are_hundredths() {
        assert_eq!(of(0, 9).bin(), 0);
        assert_eq!(of(4, 5).bin(), 80);
        assert_eq!(of(799_999, 1_000_000).bin(), 79);
        assert_eq!(of(9, 9).bin(), 99);
        assert_eq!(of(0, 0).bin(), 99);
    }
}
