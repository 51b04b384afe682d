//! Documents, as they come in.

use serde::{Deserialize, Serialize};

/// The time of a document that has none: it sorts last.
pub const NO_TIME: i64 = i64::MAX;

/// A text with what is known of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// Its name among all documents; without one it is `#` and the number of the step it came with.
    pub id: Option<String>,
    /// Where it is; a document of the same URL takes its place.
    pub url: Option<String>,
    /// Microseconds since 1970.
    pub time: Option<i64>,
    /// The text.
    pub text: String,
}

/// The name of the document that came with step `serial` and without an id.
pub fn unnamed(serial: u64) -> String {
    format!("#{serial}")
}

/// The number in a name that [`unnamed`] gives.
pub fn serial_of(name: &str) -> Option<u64> {
    let digits = name.strip_prefix('#')?;
    let serial = digits.parse().ok()?;
    (unnamed(serial) == name).then_some(serial)
}
