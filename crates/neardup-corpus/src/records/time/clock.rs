//! Date-times: a date, a time of day and, if it is stated, a zone.

use chrono::{DateTime, NaiveDateTime, NaiveTime};

use super::date::{day, number};
use super::moment::Moment;

/// Parses an RFC 3339 date-time and its usual variants: a space for `T`, no seconds, no zone, no colon in the offset, and the forms
/// without hyphens and colons.
pub(super) fn date_time(text: &str) -> Option<Moment> {
    // Fourteen digits have no separator.
    let is_packed = text.len() == 14 && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_packed {
        return Some(Moment::exact(micros(day(text.get(..8)?)?.and_time(time_of_day(text.get(8..)?)?.0))));
    }
    let at = text.find(['T', 't', ' '])?;
    let (day, rest) = (day(&text[..at])?, &text[at + 1..]);
    let end = rest.find(|sign: char| !sign.is_ascii_digit() && !matches!(sign, ':' | '.' | ',')).unwrap_or(rest.len());
    let (time, fraction) = time_of_day(&rest[..end])?;
    let local = micros(day.and_time(time)) + fraction;
    match rest[end..].strip_prefix(' ').unwrap_or(&rest[end..]) {
        "" if end == rest.len() => Some(Moment { micros: local, lacks_zone: true }),
        zone => Some(Moment::exact(local - 1_000_000 * offset(zone)?)),
    }
}

/// Parses the date of a mail or of HTTP: `Sun, 05 Jan 2020 10:00:00 +0100`.
pub(super) fn rfc_2822(text: &str) -> Option<Moment> {
    // Programs also write the zone that RFC 2822 calls UT.
    let utc = text.strip_suffix(" UTC").map(|head| format!("{head} GMT"));
    let time = DateTime::parse_from_rfc2822(utc.as_deref().unwrap_or(text)).ok()?;
    Some(Moment::exact(time.timestamp_micros()))
}

/// Parses `hh:mm`, `hh:mm:ss` with a fraction, or the same without colons. Returns the whole seconds, and the microseconds after.
fn time_of_day(text: &str) -> Option<(NaiveTime, i64)> {
    let (clock, fraction) = text.split_once(['.', ',']).map_or((text, None), |(clock, fraction)| (clock, Some(fraction)));
    let parts: Vec<&str> = match clock.contains(':') {
        true => clock.split(':').collect(),
        false => (0..clock.len()).step_by(2).map(|at| clock.get(at..at + 2)).collect::<Option<_>>()?,
    };
    if !(2..=3).contains(&parts.len()) || parts.iter().any(|part| part.len() != 2) || fraction.is_some() && parts.len() == 2 {
        return None;
    }
    let second: u32 = parts.get(2).map_or(Some(0), |part| number(part))?;
    // A leap second counts as the second before it.
    let second = if second == 60 { 59 } else { second };
    let time = NaiveTime::from_hms_opt(number(parts[0])?, number(parts[1])?, second)?;
    let Some(fraction) = fraction else { return Some((time, 0)) };
    // Digits after the sixth are finer than microseconds.
    let digits: String = fraction.chars().chain("000000".chars()).take(6).collect();
    let are_digits = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    if are_digits { Some((time, number(&digits)?)) } else { None }
}

/// Returns the seconds by which a zone is ahead of UTC: `Z`, `UTC`, `GMT`, `+hh:mm`, `+hhmm` or `+hh`.
fn offset(zone: &str) -> Option<i64> {
    if matches!(zone, "Z" | "z" | "UTC" | "GMT") {
        return Some(0);
    }
    let (sign, digits) = zone.strip_prefix('+').map(|digits| (1, digits)).or_else(|| Some((-1, zone.strip_prefix('-')?)))?;
    let (hours, minutes) = match digits.len() {
        2 => (digits, "00"),
        4 => digits.split_at_checked(2)?,
        5 => digits.split_once(':').filter(|(hours, _)| hours.len() == 2)?,
        _ => return None,
    };
    let (hours, minutes): (i64, i64) = (number(hours)?, number(minutes)?);
    (hours < 24 && minutes < 60).then_some(sign * (3600 * hours + 60 * minutes))
}

fn micros(time: NaiveDateTime) -> i64 {
    time.and_utc().timestamp_micros()
}
