use chrono::{DateTime, SecondsFormat};

/// Returns the RFC 3339 date-time of `micros` microseconds since 1970, in UTC, or `None` if the year does not have four digits.
pub fn write_time(micros: i64) -> Option<String> {
    let time = DateTime::from_timestamp_micros(micros)?.to_rfc3339_opts(SecondsFormat::Micros, true);
    let short = time.strip_suffix('Z')?.trim_end_matches('0').trim_end_matches('.');
    (time.as_bytes()[4] == b'-').then(|| format!("{short}Z"))
}
