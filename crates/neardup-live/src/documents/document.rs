//! Documents as callers add them.

use serde::{Deserialize, Serialize};

/// The time of a document without one. It sorts last.
pub const NO_TIME: i64 = i64::MAX;

/// A text with its metadata.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// Its id, unique in the index. Without an id, it is named `#` and the number of the step that added it.
    pub id: Option<String>,
    /// Its URL. A later document of the same URL replaces it.
    pub url: Option<String>,
    /// Its time, in microseconds since 1970.
    pub time: Option<i64>,
    /// The text.
    pub text: String,
}

/// Returns the name of the document that step `serial` added without an id.
pub fn unnamed(serial: u64) -> String {
    format!("#{serial}")
}

/// Returns the serial number in a name that [`unnamed`] returned; `None` for other names.
pub fn serial_of(name: &str) -> Option<u64> {
    let digits = name.strip_prefix('#')?;
    let serial = digits.parse().ok()?;
    (unnamed(serial) == name).then_some(serial)
}
