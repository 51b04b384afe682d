//! Given values: integers and strings, one or more in a field.

use crate::fingerprint::token;
use serde_json::Value;
use serde_json::value::RawValue;
use std::fmt;

/// One given value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenValue {
    /// An integer from -2^63 to 2^64 - 1 as 64 bits, in two's complement if negative. With the public seed, 0, the bits are its
    /// token. With any other seed, its token is the hash of its 8 bytes.
    Number(u64),
    /// Any other value. Its token is the hash of its bytes.
    Word(String),
}

impl fmt::Display for GivenValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GivenValue::Number(number) => write!(f, "{number}"),
            GivenValue::Word(word) => f.write_str(word),
        }
    }
}

impl GivenValue {
    /// Returns the values in a field: those of a JSON list of integers and strings, otherwise the pieces between white space.
    ///
    /// A number is an integer from -2^63 to 2^64 - 1 in decimal, or 0x and up to 16 hexadecimal digits. Negative numbers are
    /// allowed because 64-bit hashes are also stored as signed integers.
    ///
    /// # Errors
    /// A list contains another value than integers and strings.
    pub fn all(text: &str) -> Result<Vec<GivenValue>, String> {
        let list = if text.trim_start().starts_with('[') { serde_json::from_str::<Vec<&RawValue>>(text).ok() } else { None };
        match list {
            Some(values) => values.into_iter().map(GivenValue::of).collect(),
            None => Ok(text.split_whitespace().map(GivenValue::read).collect()),
        }
    }

    fn of(value: &RawValue) -> Result<GivenValue, String> {
        match serde_json::from_str(value.get()) {
            Ok(Value::String(text)) => Ok(GivenValue::read(&text)),
            Ok(Value::Number(number)) if number.is_u64() || number.is_i64() => Ok(GivenValue::read(&number.to_string())),
            // A number may be too large for the library.
            _ => Err(format!("it holds {value}, which is no string and no integer from -2^63 to 2^64 - 1")),
        }
    }

    fn read(text: &str) -> GivenValue {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = match text.strip_prefix("0x") {
            Some(hex) if digits(hex) => u64::from_str_radix(hex, 16).ok(),
            _ if digits(text) => text.parse().ok(),
            _ if text.strip_prefix('-').is_some_and(digits) => text.parse().ok().filter(|number| *number < 0).map(i64::cast_unsigned),
            _ => None,
        };
        number.map_or_else(|| GivenValue::Word(text.to_owned()), GivenValue::Number)
    }

    pub(crate) fn token(&self, seed: u64) -> u64 {
        match self {
            GivenValue::Number(number) if seed == 0 => *number,
            // Under a secret seed, the number must not reveal which tokens are sampled.
            GivenValue::Number(number) => token(&number.to_le_bytes(), seed),
            GivenValue::Word(word) => token(word.as_bytes(), seed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_numbers_and_words() {
        let number = |numbers: &[u64]| Ok(numbers.iter().map(|&number| GivenValue::Number(number)).collect::<Vec<_>>());
        let word = |words: &[&str]| Ok(words.iter().map(|&word| GivenValue::Word(word.to_owned())).collect::<Vec<_>>());
        for (text, given) in [
            ("7", number(&[7])),
            (" 18446744073709551615\n", number(&[u64::MAX])),
            ("0xff 0x0", number(&[255, 0])),
            ("[1, 2, 2]", number(&[1, 2, 2])),
            ("[]", number(&[])),
            ("", number(&[])),
            ("[\"0x10\", 3]", number(&[16, 3])),
            ("a 한글", word(&["a", "한글"])),
            ("[\"two words\", \"\"]", word(&["two words", ""])),
            ("18446744073709551616 -9223372036854775809 1.5 0x ff -0 --1", {
                word(&["18446744073709551616", "-9223372036854775809", "1.5", "0x", "ff", "-0", "--1"])
            }),
            ("[-1, \"-1\", -9223372036854775808]", number(&[u64::MAX, u64::MAX, 1 << 63])),
            ("[not json]", word(&["[not", "json]"])),
        ] {
            assert_eq!(GivenValue::all(text), given, "{text}");
        }
        for wrong in [
            "[1.5]",
            "[1e3]",
            "[1e999999999]",
            "[-1e-999999999]",
            "[-0]",
            "[18446744073709551616]",
            "[-9223372036854775809]",
            "[null]",
            "[[1]]",
            "[{}]",
            "[true]",
        ] {
            assert!(GivenValue::all(wrong).unwrap_err().contains("no integer"), "{wrong}");
        }
    }

    #[test]
    fn words_are_hashed_and_numbers_only_by_a_seed() {
        assert_eq!(GivenValue::Number(5).token(0), 5);
        assert_eq!(GivenValue::Number(0x0102).token(9), token(&[2, 1, 0, 0, 0, 0, 0, 0], 9));
        assert_eq!(GivenValue::Word("5a".to_owned()).token(9), token(b"5a", 9));
    }
}
