//! Exact decimal numbers.

/// Maximum number of digits of a number that is written in full.
const MOST_DIGITS: usize = 40;

/// A decimal number: its digits times a power of ten. No digit is lost, as in a float.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    is_negative: bool,
    /// Significant digits, without zeros at either end. Zero has none.
    digits: String,
    /// Power of ten of the last digit.
    power: i64,
}

impl Decimal {
    /// Parses `[+-] digits [. digits] [e [+-] digits]`.
    pub fn parse(text: &str) -> Option<Decimal> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (mantissa, power) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, power)) => (mantissa, power.parse::<i32>().ok()?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || mantissa.ends_with('.') || !are_digits(whole) || !are_digits(fraction) {
            return None;
        }
        let all = format!("{whole}{fraction}");
        let digits = all.trim_end_matches('0');
        let power = i64::from(power) - fraction.len() as i64 + (all.len() - digits.len()) as i64;
        let digits = digits.trim_start_matches('0').to_owned();
        let is_negative = text.starts_with('-') && !digits.is_empty();
        Some(Decimal { is_negative, power: if digits.is_empty() { 0 } else { power }, digits })
    }

    /// Whether it has no fraction.
    pub fn is_whole(&self) -> bool {
        self.power >= 0
    }

    /// Returns the number in full, without needless zeros, or `None` if it has more than 40 digits.
    pub fn written(&self) -> Option<String> {
        let sign = if self.is_negative { "-" } else { "" };
        let zeros = usize::try_from(self.power.unsigned_abs()).unwrap_or(usize::MAX);
        let longest = if self.is_whole() { zeros.saturating_add(self.digits.len()) } else { zeros.max(self.digits.len()) };
        if longest > MOST_DIGITS {
            return None;
        }
        if self.digits.is_empty() {
            return Some("0".to_owned());
        }
        if self.is_whole() {
            return Some(format!("{sign}{}{}", self.digits, "0".repeat(zeros)));
        }
        let padded = format!("{:0>width$}", self.digits, width = zeros + 1);
        let (whole, fraction) = padded.split_at(padded.len() - zeros);
        Some(format!("{sign}{whole}.{fraction}"))
    }

    /// Returns the largest integer that is not above the number times 10^`power`, or `None` if it exceeds 64 bits.
    pub fn scaled(&self, power: i64) -> Option<i64> {
        let shift = self.power + power;
        let kept =
            if shift < 0 { usize::try_from(-shift).map_or(0, |cut| self.digits.len().saturating_sub(cut)) } else { self.digits.len() };
        let zeros = if self.digits.is_empty() { 0 } else { usize::try_from(shift.max(0)).ok()? };
        if kept + zeros > 19 {
            return None;
        }
        let digits = format!("0{}{}", &self.digits[..kept], "0".repeat(zeros));
        let number: i128 = digits.parse().ok()?;
        // The last digit is not zero, so that something was cut off whenever digits were.
        let is_cut = kept < self.digits.len();
        i64::try_from(if self.is_negative { -number - i128::from(is_cut) } else { number }).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_full() {
        for (text, want) in [
            ("0", "0"),
            ("-0.0", "0"),
            ("7.0", "7"),
            ("+007.50", "7.5"),
            ("-0.05", "-0.05"),
            ("1e3", "1000"),
            ("1.25E+1", "12.5"),
            ("125e-2", "1.25"),
            ("12345678901234567890123456789012345678.00", "12345678901234567890123456789012345678"),
        ] {
            assert_eq!(Decimal::parse(text).unwrap().written().as_deref(), Some(want), "{text}");
        }
        for text in ["", "-", "1.", ".5", "1e", "1e+", "0x1", "1,5", "NaN", "inf", "1 ", "١"] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
        assert_eq!(Decimal::parse("1e400").unwrap().written(), None);
        assert_eq!(Decimal::parse("1e-400").unwrap().written(), None);
        assert_eq!(Decimal::parse("1e99999999999"), None);
    }

    #[test]
    fn scaling_rounds_down() {
        for (text, power, want) in [
            ("1.5", 6, Some(1_500_000)),
            ("-1.5", 0, Some(-2)),
            ("-0.0000001", 6, Some(-1)),
            ("0.0000009", 6, Some(0)),
            ("1578218400123", 3, Some(1_578_218_400_123_000)),
            ("1578218400123456789", -3, Some(1_578_218_400_123_456)),
            ("9223372036854775807", 0, Some(i64::MAX)),
            ("9223372036854775808", 0, None),
            ("1e999999999", 6, None),
            ("1e-999999999", 6, Some(0)),
            ("0e999999999", 6, Some(0)),
        ] {
            assert_eq!(Decimal::parse(text).unwrap().scaled(power), want, "{text}");
        }
    }
}
