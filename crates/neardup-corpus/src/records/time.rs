use chrono::{DateTime, NaiveDate, NaiveTime, SecondsFormat};

/// Allowed forms of a time, for messages.
const ALLOWED: &str = "an RFC 3339 date-time, a date YYYY[-MM[-DD]] or an unquoted integer of Unix seconds";

/// The first microsecond of the year 1, and the last of the year 9999.
const FIRST: i64 = -62_135_596_800_000_000;
const LAST: i64 = 253_402_300_799_999_999;

/// Returns the microseconds since 1970 of a date-time or date. A finer fraction is cut off. The error names the value.
pub fn parse_time(text: &str) -> Result<i64, String> {
    date(text).or_else(|| date_time(text)).ok_or_else(|| refuse(&format!("{text:?}")))
}

/// Returns the microseconds since 1970 of a decimal number of seconds. The error names a value outside the years 1 to 9999.
pub fn parse_seconds(number: &str) -> Result<i64, String> {
    number.parse::<i64>().map_err(|_| refuse(number)).and_then(|seconds| to_micros(seconds, 1_000_000))
}

/// Returns the microseconds since 1970 of a count of units of `micros` microseconds. An overflow is an error, and so are seconds
/// outside the years 1 to 9999, which are probably milliseconds. The error names the value.
pub(crate) fn to_micros(count: i64, micros: i64) -> Result<i64, String> {
    let time = count.checked_mul(micros).ok_or_else(|| refuse(&count.to_string()))?;
    if !(FIRST..=LAST).contains(&time) && micros == 1_000_000 {
        let place = if time > LAST { "after the year 9999" } else { "before the year 1" };
        return Err(format!("the time {count} is {place} when it is taken in seconds: are they milliseconds? divide by 1000"));
    }
    Ok(time)
}

/// Returns the RFC 3339 date-time of `micros` microseconds since 1970, in UTC, or `None` if the year does not have four digits.
pub fn write_time(micros: i64) -> Option<String> {
    let time = DateTime::from_timestamp_micros(micros)?.to_rfc3339_opts(SecondsFormat::Micros, true);
    let short = time.strip_suffix('Z')?.trim_end_matches('0').trim_end_matches('.');
    (time.as_bytes()[4] == b'-').then(|| format!("{short}Z"))
}

/// Returns the microseconds since 1970 of a date-time, date or number of seconds, for formats that do not distinguish text from
/// numbers. Four digits are a year.
///
/// # Errors
/// The error names the value and the allowed forms.
pub fn parse_bare_time(text: &str) -> Result<i64, String> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if number && text.len() != 4 { parse_seconds(text) } else { parse_time(text) }
}

/// Returns the message for a value that is not a time.
pub fn refuse(value: &str) -> String {
    let short: String = value.chars().take(60).collect();
    format!("the time {short} is not {ALLOWED}")
}

fn date(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    if !matches!(bytes.len(), 4 | 7 | 10) || !shaped(bytes, &b"0000-00-00"[..bytes.len()]) {
        return None;
    }
    let part = |from: usize, to: usize| text.get(from..to).map_or(Some(1), |digits| digits.parse::<u32>().ok());
    let day = NaiveDate::from_ymd_opt(i32::try_from(part(0, 4)?).ok()?, part(5, 7)?, part(8, 10)?)?;
    Some(day.and_time(NaiveTime::MIN).and_utc().timestamp_micros())
}

/// Parses an RFC 3339 date-time. The library accepts more than RFC 3339 does (other signs and separators), so the shape is checked
/// here.
fn date_time(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let (head, mut rest) = bytes.split_at_checked(19)?;
    let separator = head[10].to_ascii_uppercase();
    if !matches!(separator, b'T' | b' ') || !shaped(&head[..10], b"0000-00-00") || !shaped(&head[11..], b"00:00:00") {
        return None;
    }
    if let Some(fraction) = rest.strip_prefix(b".") {
        let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            return None;
        }
        rest = &fraction[digits..];
    }
    let utc = matches!(rest, b"Z" | b"z");
    if !utc && !shaped(rest, b"+00:00") && !shaped(rest, b"-00:00") {
        return None;
    }
    // The library does not accept more than nine digits, and digits after the sixth are finer than microseconds.
    let fraction = &text[19..text.len() - rest.len()];
    let zone = if utc { "Z" } else { &text[text.len() - 6..] };
    // A leap second counts as the second before it.
    let seconds = if &text[17..19] == "60" { "59" } else { &text[17..19] };
    let plain = format!("{}{seconds}{}{zone}", &text[..17], &fraction[..fraction.len().min(10)]);
    Some(DateTime::parse_from_rfc3339(&plain).ok()?.timestamp_micros())
}

/// Whether `bytes` has a digit wherever `shape` has `0`, and the same byte elsewhere.
fn shaped(bytes: &[u8], shape: &[u8]) -> bool {
    bytes.len() == shape.len()
        && bytes.iter().zip(shape).all(|(byte, want)| if *want == b'0' { byte.is_ascii_digit() } else { byte == want })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_that_are_one_moment() {
        for (text, want) in [
            ("1970-01-01T00:00:00Z", 0),
            ("1970", 0),
            ("1970-02", 31 * 86_400_000_000),
            ("1970-01-02", 86_400_000_000),
            ("1970-01-01t01:00:00+01:00", 0),
            ("1970-01-01 00:00:00.25z", 250_000),
            ("1970-01-01T00:00:00.123456789123Z", 123_456),
            ("1969-12-31T23:59:59.9999999Z", -1),
            ("2016-12-31T23:59:59-00:30", 1_483_230_599_000_000),
            ("2016-12-31T23:59:60.5Z", 1_483_228_799_500_000),
            ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
            ("0001-01-01", -62_135_596_800_000_000),
        ] {
            assert_eq!(parse_time(text), Ok(want), "{text}");
        }
        assert_eq!(parse_seconds("-5"), Ok(-5_000_000));
        for micros in [0, 1, -1, 250_000, 1_700_000_000_000_000, -62_135_596_800_000_000, 253_402_300_799_999_999] {
            assert_eq!(parse_time(&write_time(micros).unwrap()), Ok(micros));
        }
        assert_eq!(write_time(250_000).as_deref(), Some("1970-01-01T00:00:00.25Z"));
        assert_eq!((write_time(i64::MAX), write_time(-99_999_999_999_000_000)), (None, None));
        assert_eq!(parse_bare_time("1970"), Ok(0));
        assert_eq!(parse_bare_time("86400"), Ok(86_400_000_000));
    }

    #[test]
    fn what_is_no_time_is_named() {
        for text in [
            "",
            "70",
            "1970-1-1",
            "1970-13",
            "1970-02-30",
            "1970-01-01T00:00:00",
            "1970-01-01T00:00Z",
            "21.05.03",
            "1577836800",
            "1970-01-01T00:00:00.Z",
            "1970-01-01T25:00:00Z",
            "1970-01-01T00:00:00+1:00",
            "1970-01-01T00:00:00+24:00",
            "1970-01-01T00:00:00+00:00[UTC]",
            "١٩٧٠",
            "1970-01-01T00:00:00é",
        ] {
            let error = parse_time(text).unwrap_err();
            assert!(error.contains(&format!("{text:?}")) && error.contains("RFC 3339"), "{error}");
        }
        assert!(parse_seconds("1.5").is_err());
        assert_eq!(parse_seconds("253402300799"), Ok(LAST - 999_999));
        assert_eq!(parse_seconds("-62135596800"), Ok(FIRST));
        for milliseconds in ["253402300800", "1577836800000", "9223372036854", "-62135596801", "-1700000000000"] {
            let error = parse_seconds(milliseconds).unwrap_err();
            assert!(error.contains(milliseconds) && error.contains("milliseconds"), "{error}");
        }
        assert!(parse_seconds("99999999999999999999").unwrap_err().contains("99999999999999999999"));
    }
}
