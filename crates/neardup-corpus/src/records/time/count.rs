//! Times that are numbers.

use super::message::{outside, refuse, too_long};
use super::moment::Moment;
use super::unit::TimeUnit;
use super::{FIRST, LAST};
use crate::records::decimal::Decimal;

/// Number of digits of a count of seconds that is written as text. With fewer, it could be a date.
const SECONDS: std::ops::RangeInclusive<usize> = 9..=11;

/// Decimal digits of a microsecond.
const MICROS: i64 = 6;

/// Returns the microseconds since 1970 of a decimal number of seconds. The error names a value outside the years 1 to 9999.
pub fn parse_seconds(number: &str) -> Result<i64, String> {
    of_number(number, TimeUnit::S).map(|moment| moment.micros)
}

/// Returns the moment of a decimal number of units since 1970. A fraction that is finer than microseconds is cut off.
///
/// # Errors
/// The error names a value that is no number, or one outside the years 1 to 9999.
pub(crate) fn of_number(number: &str, unit: TimeUnit) -> Result<Moment, String> {
    let decimal = Decimal::parse(number).ok_or_else(|| refuse(number, unit))?;
    let micros = decimal.scaled(MICROS - unit.digits() as i64).filter(|micros| (FIRST..=LAST).contains(micros));
    micros.map(Moment::exact).ok_or_else(|| outside(number, unit))
}

/// Returns the moment of an integer number of units since 1970.
///
/// # Errors
/// The error names a value outside the years 1 to 9999.
pub(crate) fn of_integer(number: i64, unit: TimeUnit) -> Result<Moment, String> {
    let micros = match unit {
        TimeUnit::S => number.checked_mul(1_000_000),
        TimeUnit::Ms => number.checked_mul(1000),
        TimeUnit::Us => Some(number),
        TimeUnit::Ns => Some(number.div_euclid(1000)),
    };
    let micros = micros.filter(|micros| (FIRST..=LAST).contains(micros));
    micros.map(Moment::exact).ok_or_else(|| outside(&number.to_string(), unit))
}

/// Returns the microseconds since 1970 of `count` units of a timestamp column, or an error if they exceed 64 bits.
pub(crate) fn of_count(count: i64, micros: i64) -> Result<i64, String> {
    count.checked_mul(micros).ok_or_else(|| refuse(&count.to_string(), TimeUnit::S))
}

/// Returns the moment of a number that is written as text, or `None` if the text is not a number or could be a date.
pub(super) fn of_text(text: &str, unit: TimeUnit) -> Option<Result<Moment, String>> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        // Only a number has a sign or a fraction.
        return Decimal::parse(text).map(|_| of_number(text, unit));
    }
    let [least, most] = [SECONDS.start(), SECONDS.end()].map(|digits| digits + unit.digits());
    match text.len() {
        count if (least..=most).contains(&count) => Some(of_number(text, unit)),
        count if count > most => Some(of_number(text, unit).and_then(|_| Err(too_long(text, unit, [least, most])))),
        _ => None,
    }
}
