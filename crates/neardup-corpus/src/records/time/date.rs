//! Dates: YYYY, YYYY-MM, YYYY-MM-DD and YYYYMMDD.

use chrono::{NaiveDate, NaiveTime};

/// Returns the first microsecond of a date, in UTC.
pub(super) fn date(text: &str) -> Option<i64> {
    let day = match text.len() {
        4 => NaiveDate::from_ymd_opt(number(text)?, 1, 1)?,
        7 => split_day(&format!("{text}-01"))?,
        _ => day(text)?,
    };
    Some(day.and_time(NaiveTime::MIN).and_utc().timestamp_micros())
}

/// Parses a whole date, with or without hyphens.
pub(super) fn day(text: &str) -> Option<NaiveDate> {
    if text.len() != 8 {
        return split_day(text);
    }
    let part = |from: usize, to: usize| text.get(from..to);
    NaiveDate::from_ymd_opt(number(part(0, 4)?)?, number(part(4, 6)?)?, number(part(6, 8)?)?)
}

fn split_day(text: &str) -> Option<NaiveDate> {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let part = |from: usize, to: usize| text.get(from..to);
    NaiveDate::from_ymd_opt(number(part(0, 4)?)?, number(part(5, 7)?)?, number(part(8, 10)?)?)
}

/// Parses digits without a sign. Standard parsing allows one.
pub(super) fn number<T: std::str::FromStr>(digits: &str) -> Option<T> {
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}
