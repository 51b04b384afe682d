//! Times of records: every form in which they are written, and the microseconds that they are read as.

mod clock;
mod count;
mod date;
mod message;
mod moment;
mod text;
mod unit;
mod written;

pub use message::refuse;
pub use text::parse_time;
pub use unit::TimeUnit;
pub use written::write_time;

pub use count::parse_seconds;
pub(crate) use count::{of_count, of_integer, of_number};
pub(crate) use moment::Moment;
pub(crate) use text::read_time;

/// The first microsecond of the year 1, and the last of the year 9999.
const FIRST: i64 = -62_135_596_800_000_000;
const LAST: i64 = 253_402_300_799_999_999;
