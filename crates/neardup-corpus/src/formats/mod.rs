//! One file for each format, and the table of all formats.
//!
//! A JSON text is not copied. It is a view of the inside of its string, with its escapes. The strict walker of `json` accepts only
//! lines of which it is certain, and serde_json decides every other line. With the unit `given`, the text field may contain
//! integers and lists. They are kept as they are written, and a value that is not allowed is rejected with its place.

pub(crate) mod archive;
pub(crate) mod arrow;
pub(crate) mod columnar;
pub(crate) mod csv;
pub(crate) mod fields;
pub(crate) mod html;
pub(crate) mod json;
pub(crate) mod keep;
pub(crate) mod layout;
pub(crate) mod list;
pub(crate) mod parquet;
pub(crate) mod plain;
pub(crate) mod read;
pub(crate) mod sample;
pub(crate) mod source_code;
pub(crate) mod suffixes;
pub(crate) mod whole_files;

use crate::dialect::Dialect;
use crate::error::Error;
use crate::format::Format;
use layout::{Layout, Reader};

/// Defines the table of formats, and the function that returns the reader of a format.
macro_rules! formats {
    ($($format:expr),+ $(,)?) => {
        /// All formats, in the order in which messages list them.
        pub(crate) static LAYOUTS: &[&dyn Layout] = &[$(&$format),+];

        /// Returns the reader of a format.
        pub(crate) fn reader<'r, T: Send + 'r, E: From<Error> + Send + 'r>(format: Format) -> &'r dyn Reader<T, E> {
            let all: [&'r dyn Reader<T, E>; LAYOUTS.len()] = [$(&$format),+];
            all[place(format)]
        }
    };
}

formats![
    json::Jsonl,
    json::values::JsonValues,
    csv::Csv(Dialect::CSV),
    csv::Csv(Dialect::TSV),
    plain::TEXT,
    html::Html,
    archive::Archive,
    parquet::PARQUET,
    arrow::ARROW,
    source_code::SOURCE_CODE,
];

/// Returns the layout of a format.
pub(crate) fn layout(format: Format) -> &'static dyn Layout {
    LAYOUTS[place(format)]
}

fn place(format: Format) -> usize {
    // Every `Format` comes from the table.
    LAYOUTS.iter().position(|layout| Format(layout.facts()) == format).unwrap_or(0)
}
