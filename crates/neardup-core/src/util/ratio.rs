//! Exact fractions. Thresholds are fractions, which are compared in integers.

use crate::error::{Error, Result};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// Maximum number of decimal places read or written: 10^18 is the largest power of ten whose digits all fit in 64 bits.
const PLACES: usize = 18;

/// A fraction of two integers, at least 0.
///
/// Two ratios are equal when their values are: 4/5 = 8/10. The denominator is never 0. [`FromStr`] parses a share between 0
/// and 1, written as `0.8`, `.8`, `4/5` or `1`, with at most 18 decimal places. A ratio is printed as the shortest exact
/// decimal, or as a fraction in lowest terms if 18 places are not enough: `0.8`, `1/3`.
#[derive(Clone, Copy, Debug)]
pub struct Ratio {
    /// p of p/q.
    pub numerator: u64,
    /// q of p/q, never 0.
    pub denominator: u64,
}

impl Ratio {
    /// 0.
    pub const ZERO: Ratio = Ratio { numerator: 0, denominator: 1 };
    /// 1.
    pub const ONE: Ratio = Ratio { numerator: 1, denominator: 1 };

    /// Whether `count / total` is this ratio or more. If `total` is 0, it is.
    pub fn at_least(&self, count: u64, total: u64) -> bool {
        u128::from(count) * u128::from(self.denominator) >= u128::from(total) * u128::from(self.numerator)
    }

    /// Returns the same value in lowest terms.
    pub fn reduced(&self) -> Ratio {
        let divisor = gcd(u128::from(self.numerator), u128::from(self.denominator)) as u64;
        Ratio { numerator: self.numerator / divisor, denominator: self.denominator / divisor }
    }

    /// Returns the nearest float, for display only. No decision may use it.
    pub fn approximate(&self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// Parses a decimal or a fraction, which may exceed 1, and reduces it to lowest terms. Returns `None` if `text` is
    /// neither or does not fit.
    pub(crate) fn parse(text: &str) -> Option<Ratio> {
        let (numerator, denominator) = match text.split_once('/') {
            Some((numerator, denominator)) => (integer(numerator)?, integer(denominator)?),
            None => decimal(text)?,
        };
        if denominator == 0 {
            return None;
        }
        let divisor = gcd(numerator, denominator);
        let fit = |value: u128| u64::try_from(value / divisor).ok();
        Some(Ratio { numerator: fit(numerator)?, denominator: fit(denominator)? })
    }
}

fn decimal(text: &str) -> Option<(u128, u128)> {
    let Some((whole, places)) = text.split_once('.') else {
        return Some((integer(text)?, 1));
    };
    if places.len() > PLACES {
        return None;
    }
    let scale = 10u128.pow(places.len() as u32);
    let whole = if whole.is_empty() { 0 } else { integer(whole)? };
    Some((whole * scale + integer(places)?, scale))
}

/// Parses a run of digits that fits in 64 bits, without sign, space or exponent.
fn integer(text: &str) -> Option<u128> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse::<u64>().ok().map(u128::from) } else { None }
}

fn gcd(mut left: u128, mut right: u128) -> u128 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left.max(1)
}

impl FromStr for Ratio {
    type Err = Error;

    fn from_str(text: &str) -> Result<Ratio> {
        Ratio::parse(text).filter(|ratio| *ratio <= Ratio::ONE).ok_or_else(|| Error::Number {
            written: text.to_owned(),
            allowed: "a number between 0 and 1, as 0.8 or 4/5, of at most 18 decimal places",
        })
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ratio { numerator, denominator } = self.reduced();
        let whole = numerator / denominator;
        let rest = u128::from(numerator % denominator);
        if rest == 0 {
            return write!(out, "{whole}");
        }
        let denominator = u128::from(denominator);
        match (1..=PLACES).find(|&places| 10u128.pow(places as u32).is_multiple_of(denominator)) {
            Some(places) => write!(out, "{whole}.{:0places$}", rest * (10u128.pow(places as u32) / denominator)),
            None => write!(out, "{numerator}/{denominator}"),
        }
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        let left = u128::from(self.numerator) * u128::from(other.denominator);
        left.cmp(&(u128::from(other.numerator) * u128::from(self.denominator)))
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Ratio) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ratio {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_and_prints() {
        let table = [
            ("0.8", "0.8"),
            (".8", "0.8"),
            ("0.80", "0.8"),
            ("4/5", "0.8"),
            ("8/10", "0.8"),
            ("1", "1"),
            ("1.0", "1"),
            ("0", "0"),
            ("0.0", "0"),
            ("1/3", "1/3"),
            ("2/6", "1/3"),
            ("0.125", "0.125"),
            ("1/8", "0.125"),
            ("0.05", "0.05"),
            ("00.5", "0.5"),
            ("0.000000000000000001", "0.000000000000000001"),
            ("0.999999999999999999", "0.999999999999999999"),
            ("18446744073709551614/18446744073709551615", "18446744073709551614/18446744073709551615"),
        ];
        for (written, printed) in table {
            assert_eq!(written.parse::<Ratio>().unwrap().to_string(), printed, "{written}");
        }
    }

    #[test]
    fn refuses() {
        let table = [
            "",
            ".",
            "1.",
            "-0.5",
            "+0.5",
            "0,8",
            "80%",
            "8e-1",
            "nan",
            "1.1",
            "2",
            "3/2",
            "1/0",
            "0/0",
            "/2",
            "1/",
            " 0.8",
            "0.8 ",
            "0.8.1",
            "1/2/3",
            "٠.٨",
            "0.0000000000000000001",
            "18446744073709551616",
        ];
        for written in table {
            let error = written.parse::<Ratio>().unwrap_err().to_string();
            assert!(error.contains(&format!("`{written}`")) && error.contains("between 0 and 1"), "{error}");
        }
    }

    #[test]
    fn compares_at_the_limits_of_64_bits() {
        let ratio = Ratio { numerator: u64::MAX - 1, denominator: u64::MAX };
        assert!(ratio.at_least(u64::MAX - 1, u64::MAX) && !ratio.at_least(u64::MAX - 2, u64::MAX) && ratio.at_least(0, 0));
        assert!(ratio < Ratio::ONE && ratio > Ratio::ZERO);
        assert_eq!(Ratio { numerator: 8, denominator: 10 }, Ratio { numerator: 4, denominator: 5 });
        assert_eq!(Ratio { numerator: 0, denominator: 7 }, Ratio::ZERO);
    }

    proptest! {
        #[test]
        fn print_reads_back(numerator in any::<u64>(), denominator in 1u64.., places in 0u32..=18) {
            let ratio = Ratio { numerator, denominator };
            prop_assert_eq!(Ratio::parse(&ratio.to_string()), Some(ratio));
            let decimal = Ratio { numerator: numerator % 10u64.pow(places).max(1), denominator: 10u64.pow(places) };
            prop_assert!(!decimal.to_string().contains('/'));
            prop_assert_eq!(decimal.to_string().parse::<Ratio>().unwrap(), decimal);
        }

        #[test]
        fn at_least_is_the_comparison_of_fractions(numerator in 0u64..50, denominator in 1u64..50, count in 0u64..50, total in 1u64..50) {
            let ratio = Ratio { numerator, denominator };
            prop_assert_eq!(ratio.at_least(count, total), Ratio { numerator: count, denominator: total } >= ratio);
        }
    }
}
