//! What messages say about a value that is no time.

use super::unit::TimeUnit;

/// Allowed forms of a time, except numbers.
const ALLOWED: &str = "an RFC 3339 date-time, a date YYYY[-MM[-DD]] or YYYYMMDD[hhmmss], an RFC 2822 date";

/// Maximum number of characters of a value in a message.
const MOST: usize = 60;

/// Returns the message for a value that is not a time; numbers would be counted in `unit`.
pub fn refuse(value: &str, unit: TimeUnit) -> String {
    let short: String = value.chars().take(MOST).collect();
    let number = if unit == TimeUnit::S { "Unix seconds".to_owned() } else { format!("{} since 1970", unit.name()) };
    format!("the time {short} is not {ALLOWED} or a number of {number}")
}

/// Returns the message for digits that are too many for a number of `unit`, of which there are `least` to `most` digits.
pub(super) fn too_long(digits: &str, unit: TimeUnit, [least, most]: [usize; 2]) -> String {
    let count = digits.len();
    format!("{}; of digits alone these are {least} to {most}, and here are {count}", refuse(&format!("{digits:?}"), unit))
}

/// Returns the message for a number that is outside the years 1 to 9999 when it is counted in `unit`. It suggests the shorter units.
pub(super) fn outside(number: &str, unit: TimeUnit) -> String {
    let short: String = number.chars().take(MOST).collect();
    let place = if number.starts_with('-') { "before the year 1" } else { "after the year 9999" };
    let shorter: Vec<TimeUnit> = TimeUnit::ALL.into_iter().filter(|other| *other > unit).collect();
    let either = |names: Vec<&str>| match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    };
    let names = either(shorter.iter().map(|unit| unit.name()).collect());
    let symbols = either(shorter.iter().map(|unit| unit.symbol()).collect());
    let advice = if shorter.is_empty() { String::new() } else { format!("; if it counts {names}, give --time-unit {symbols}") };
    format!("the time {short} is {place} when it is taken in {}{advice}", unit.name())
}
