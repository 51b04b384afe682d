use std::fmt;
use std::str::FromStr;

/// Unit in which a time that is a number is counted since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum TimeUnit {
    /// Seconds.
    #[default]
    S,
    /// Thousandths of a second.
    Ms,
    /// Millionths of a second.
    Us,
    /// Billionths of a second.
    Ns,
}

impl TimeUnit {
    /// All units, the longest first.
    pub const ALL: [TimeUnit; 4] = [TimeUnit::S, TimeUnit::Ms, TimeUnit::Us, TimeUnit::Ns];

    /// Returns its symbol, which is also its value as an option.
    pub fn symbol(self) -> &'static str {
        match self {
            TimeUnit::S => "s",
            TimeUnit::Ms => "ms",
            TimeUnit::Us => "us",
            TimeUnit::Ns => "ns",
        }
    }

    /// Returns its name in the plural.
    pub fn name(self) -> &'static str {
        match self {
            TimeUnit::S => "seconds",
            TimeUnit::Ms => "milliseconds",
            TimeUnit::Us => "microseconds",
            TimeUnit::Ns => "nanoseconds",
        }
    }

    /// Returns the number of decimal digits by which a count is longer than one of seconds.
    pub(crate) fn digits(self) -> usize {
        3 * self as usize
    }
}

impl fmt::Display for TimeUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}

impl FromStr for TimeUnit {
    type Err = String;

    fn from_str(symbol: &str) -> Result<TimeUnit, String> {
        let unit = TimeUnit::ALL.into_iter().find(|unit| unit.symbol() == symbol);
        unit.ok_or_else(|| format!("{symbol:?} is no unit of time; it is s, ms, us or ns"))
    }
}
