//! Times that are text.

use super::clock::{date_time, rfc_2822};
use super::count::of_text;
use super::date::date;
use super::message::refuse;
use super::moment::Moment;
use super::unit::TimeUnit;
use super::{FIRST, LAST};

/// Returns the microseconds since 1970 of a time that is text. A finer fraction is cut off.
///
/// # Errors
/// The error names a value that is no time, and the allowed forms.
pub fn parse_time(text: &str) -> Result<i64, String> {
    read_time(text, TimeUnit::S)?.map(|moment| moment.micros).ok_or_else(|| refuse(&format!("{text:?}"), TimeUnit::S))
}

/// Returns the moment of a time that is text, or `None` if the text is blank. Of digits alone, 4 are a year, 8 a date, 14 a
/// date-time in UTC, and 9 to 11 seconds, or as many as seconds in `unit` have. With a sign or a fraction they are seconds, or that
/// unit.
///
/// # Errors
/// The error names a value that is no time, and the allowed forms.
pub(crate) fn read_time(text: &str, unit: TimeUnit) -> Result<Option<Moment>, String> {
    let trimmed = text.trim_ascii();
    if trimmed.is_empty() {
        return Ok(None);
    }
    let written = date(trimmed).map(Moment::exact).or_else(|| date_time(trimmed)).or_else(|| rfc_2822(trimmed));
    match written.filter(|moment| (FIRST..=LAST).contains(&moment.micros)) {
        Some(moment) => Ok(Some(moment)),
        None => of_text(trimmed, unit).unwrap_or_else(|| Err(refuse(&format!("{text:?}"), unit))).map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::time::{of_number, parse_seconds, write_time};

    /// 2020-01-05T10:00:00Z in seconds.
    const TEN: i64 = 1_578_218_400;

    fn zoned(text: &str) -> (i64, bool) {
        let moment = read_time(text, TimeUnit::S).unwrap().unwrap();
        (moment.micros, moment.lacks_zone)
    }

    #[test]
    fn times_that_are_one_moment() {
        for (text, want) in [
            ("1970-01-01T00:00:00Z", 0),
            ("1970", 0),
            ("1970-02", 31 * 86_400_000_000),
            ("1970-01-02", 86_400_000_000),
            ("19700102", 86_400_000_000),
            ("19700102000001", 86_401_000_000),
            ("1970-01-01t01:00:00+01:00", 0),
            ("1970-01-01 00:00:00.25z", 250_000),
            ("1970-01-01 00:00:00,25 UTC", 250_000),
            ("1970-01-01T00:00:00.123456789123Z", 123_456),
            ("1969-12-31T23:59:59.9999999Z", -1),
            ("2016-12-31T23:59:59-00:30", 1_483_230_599_000_000),
            ("2016-12-31T23:59:60.5Z", 1_483_228_799_500_000),
            ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
            ("0001-01-01", -62_135_596_800_000_000),
            ("1578218400", TEN * 1_000_000),
            ("1578218400.5", TEN * 1_000_000 + 500_000),
            ("-1.5", -1_500_000),
            ("+86400", 86_400_000_000),
            ("1.5782184e+09", TEN * 1_000_000),
        ] {
            assert_eq!(parse_time(text), Ok(want), "{text}");
        }
        for micros in [0, 1, -1, 250_000, 1_700_000_000_000_000, -62_135_596_800_000_000, 253_402_300_799_999_999] {
            assert_eq!(parse_time(&write_time(micros).unwrap()), Ok(micros));
        }
        assert_eq!(write_time(250_000).as_deref(), Some("1970-01-01T00:00:00.25Z"));
        assert_eq!((write_time(i64::MAX), write_time(-99_999_999_999_000_000)), (None, None));
    }

    #[test]
    fn a_zone_is_used_or_noted_as_missing() {
        for text in [
            "2020-01-05T10:00:00",
            "2020-01-05 10:00:00",
            "2020-01-05T10:00",
            "2020-01-05t10:00:00.000",
            "20200105T100000",
            " 2020-01-05 10:00:00 ",
        ] {
            assert_eq!(zoned(text), (TEN * 1_000_000, true), "{text:?}");
        }
        for text in [
            "2020-01-05T10:00Z",
            "2020-01-05 10:00:00+00:00",
            "2020-01-05T11:00:00+0100",
            "2020-01-05 09:00:00-01",
            "2020-01-05 09:30:00 -0030",
            "20200105T100000Z",
            "20200105100000",
            "Sun, 05 Jan 2020 10:00:00 GMT",
            "Sun, 05 Jan 2020 10:00:00 UTC",
            "5 Jan 2020 11:00 +0100",
            "Sun, 05 Jan 2020 05:00:00 EST",
        ] {
            assert_eq!(zoned(text), (TEN * 1_000_000, false), "{text:?}");
        }
        assert_eq!((read_time("", TimeUnit::S), read_time(" \t", TimeUnit::S)), (Ok(None), Ok(None)));
    }

    #[test]
    fn numbers_are_counted_in_their_unit() {
        for (unit, text) in [
            (TimeUnit::S, "1578218400"),
            (TimeUnit::Ms, "1578218400000"),
            (TimeUnit::Us, "1578218400000000"),
            (TimeUnit::Ns, "1578218400000000000"),
        ] {
            let want = Moment::exact(TEN * 1_000_000);
            assert_eq!((read_time(text, unit), of_number(text, unit)), (Ok(Some(want)), Ok(want)), "{text}");
            assert_eq!(unit.symbol().parse(), Ok(unit));
            // Dates are dates in every unit.
            assert_eq!(read_time("20200105", unit), read_time("2020-01-05", unit));
            assert_eq!(read_time("20200105100000", unit), Ok(Some(want)));
        }
        assert!("min".parse::<TimeUnit>().is_err());
        assert_eq!(of_number("1578218400000.5", TimeUnit::Ms).map(|moment| moment.micros), Ok(TEN * 1_000_000 + 500));
        assert_eq!(parse_seconds("-5"), Ok(-5_000_000));
        assert_eq!(parse_seconds("253402300799"), Ok(LAST - 999_999));
        assert_eq!(parse_seconds("-62135596800"), Ok(FIRST));
    }

    #[test]
    fn what_is_no_time_is_named() {
        for text in [
            "70",
            "86400",
            "202001",
            "1970-1-1",
            "0000",
            "1970-13",
            "1970-02-30",
            "19700230",
            "21.05.03",
            "01/05/2020",
            "1970-01-01T",
            "1970-01-01T10",
            "1970-01-01T00:00.5Z",
            "1970-01-01T00:00:00.Z",
            "1970-01-01T25:00:00Z",
            "1970-01-01T00:00:00+1:00",
            "1970-01-01T00:00:00+24:00",
            "1970-01-01T00:00:00+00:00[UTC]",
            "1970-01-01T00:00:00 Europe/Berlin",
            "Mon, 05 Jan 2020 10:00:00 GMT",
            "05 Jan 2020 10:00:00",
            "١٩٧٠",
            "1970-01-01T00:00:00é",
            "9 €",
        ] {
            let error = parse_time(text).unwrap_err();
            assert!(error.contains(&format!("{text:?}")) && error.contains("RFC 3339"), "{error}");
        }
        assert!(parse_time("").is_err());
    }

    #[test]
    fn counts_after_the_year_9999_suggest_shorter_units() {
        for number in ["253402300800", "1577836800000", "9223372036854", "-62135596801", "-1700000000000", "99999999999999999999"] {
            let error = parse_seconds(number).unwrap_err();
            assert!(error.contains(number) && error.contains("--time-unit ms"), "{error}");
        }
        for text in ["1577836800000", "1577836800000000", "253402300800.5"] {
            let error = parse_time(text).unwrap_err();
            assert!(error.contains(text) && error.contains("after the year 9999") && error.contains("--time-unit ms"), "{error}");
        }
        let error = read_time("1577836800000000", TimeUnit::Ms).unwrap_err();
        assert!(error.contains("in milliseconds") && error.ends_with("--time-unit us or ns"), "{error}");
        // The zone leads out of the allowed years.
        assert!(parse_time("0001-01-01T00:00:00+01:00").is_err());
    }
}
