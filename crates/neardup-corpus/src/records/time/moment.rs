/// A point in time, as a record states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub micros: i64,
    /// Whether it is a clock time without a zone, which is taken as UTC.
    pub lacks_zone: bool,
}

impl Moment {
    /// Returns a moment that needs no zone: a number, a date, or a clock time with its zone.
    pub fn exact(micros: i64) -> Moment {
        Moment { micros, lacks_zone: false }
    }
}
