//! Numbers, formatted for readers.

/// Formats a count in groups of three digits: 105,809.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Returns a noun as it follows a count: with an s, unless that is 1.
pub fn noun(n: u64, singular: &str) -> String {
    format!("{singular}{}", if n == 1 { "" } else { "s" })
}

/// Formats a count with its noun: 1 page, 1,200 pages.
pub fn plural(n: u64, singular: &str) -> String {
    format!("{} {}", count(n), noun(n, singular))
}

/// Formats bytes in powers of 1,000 with three digits: 1.42 GB.
pub fn bytes(n: u64) -> String {
    match n {
        0..1_000 => format!("{n} B"),
        _ => scaled(n as f64, &["B", "kB", "MB", "GB", "TB", "PB", "EB"]),
    }
}

/// Formats a limit in bytes, which is usually round: 2 MB.
pub(crate) fn limit(n: u64) -> String {
    bytes(n).replace(".00 ", " ")
}

/// Formats a number of items or bytes in a second; `None` if there are none, or if they took no time.
pub(crate) fn rate(n: u64, seconds: f64, bytes: bool) -> Option<String> {
    let rate = n as f64 / seconds;
    if !rate.is_finite() || n == 0 {
        return None;
    }
    let units: &[&str] = if bytes { &["B", "kB", "MB", "GB", "TB", "PB"] } else { &["", "k", "M", "G", "T"] };
    Some(format!("{}/s", scaled(rate, units).trim_end()))
}

/// Formats a time: 0.4 ms, 12 ms, 3.2 s, 4 min 10 s, 2 h 05 min.
pub(crate) fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match seconds {
        s if !s.is_finite() || s < 0.0 => "-".into(),
        s if s < 0.00995 => format!("{:.1} ms", s * 1e3),
        s if s < 0.9995 => format!("{:.0} ms", s * 1e3),
        s if s < 9.995 => format!("{s:.2} s"),
        s if s < 59.95 => format!("{s:.1} s"),
        _ if whole < 3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}

/// Formats a share in percent. A small share never reads as 0, nor a large one as 100.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    if part == 0 || whole == 0 {
        return "0 %".into();
    }
    let tenths = (u128::from(part) * 1000 + u128::from(whole) / 2) / u128::from(whole);
    match tenths {
        0 => "< 0.1 %".into(),
        1000.. if part < whole => "> 99.9 %".into(),
        1000.. => "100 %".into(),
        _ => format!("{}.{} %", tenths / 10, tenths % 10),
    }
}

fn scaled(mut value: f64, units: &[&str]) -> String {
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < units.len() {
        value /= 1000.0;
        unit += 1;
    }
    let digits = if unit == 0 && value.fract() == 0.0 || value >= 99.95 {
        0
    } else if value >= 9.995 {
        1
    } else {
        2
    };
    format!("{value:.digits$} {}", units[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures() {
        assert_eq!([count(0), count(999), count(105_809), count(u64::MAX)], ["0", "999", "105,809", "18,446,744,073,709,551,615"]);
        assert_eq!([plural(0, "page"), plural(1, "page"), plural(1_200, "page")], ["0 pages", "1 page", "1,200 pages"]);
        assert_eq!([bytes(0), bytes(999), bytes(4_000), bytes(285_400_000)], ["0 B", "999 B", "4.00 kB", "285 MB"]);
        assert_eq!([limit(2_000_000), limit(1_250_000)], ["2 MB", "1.25 MB"]);
        assert_eq!(rate(285_400_000, 0.2, true).as_deref(), Some("1.43 GB/s"));
        assert_eq!(rate(500, 1.0, false).as_deref(), Some("500/s"));
        assert_eq!(rate(5, 0.0, false), None);
        assert_eq!(
            [duration(0.0004), duration(0.0123), duration(3.217), duration(250.4), duration(7500.0)],
            ["0.4 ms", "12 ms", "3.22 s", "4 min 10 s", "2 h 05 min"]
        );
        assert_eq!(
            [percent(0, 5), percent(1, 100_000), percent(1, 3), percent(99_999, 100_000), percent(5, 5)],
            ["0 %", "< 0.1 %", "33.3 %", "> 99.9 %", "100 %"]
        );
    }
}
