//! One file for each format, and the table of them.
//!
//! A JSON text is not copied: it is a view of the inside of its string, with its escapes. The strict walker of `json` accepts
//! a line only when it is sure of it, and serde_json decides every other line. Where the unit is `given`, the text field may
//! hold integers and lists; they are kept as they are written, and a value that is not allowed is refused with its place.

pub(crate) mod archive;
pub(crate) mod arrow;
pub(crate) mod columnar;
pub(crate) mod csv;
pub(crate) mod fields;
pub(crate) mod html;
pub(crate) mod json;
pub(crate) mod keep;
pub(crate) mod layout;
pub(crate) mod parquet;
pub(crate) mod plain;
pub(crate) mod read;
pub(crate) mod sample;
pub(crate) mod suffixes;
pub(crate) mod whole_files;

use crate::dialect::Dialect;
use crate::error::Error;
use crate::format::Format;
use layout::{Layout, Reader};

/// Makes the table of formats, and what finds the reader of one in it.
macro_rules! formats {
    ($($format:expr),+ $(,)?) => {
        /// All formats, in the order in which messages list them.
        pub(crate) static LAYOUTS: &[&dyn Layout] = &[$(&$format),+];

        /// The reader of a format.
        pub(crate) fn reader<'r, T: Send + 'r, E: From<Error> + Send + 'r>(format: Format) -> &'r dyn Reader<T, E> {
            let all: [&'r dyn Reader<T, E>; LAYOUTS.len()] = [$(&$format),+];
            all[place(format)]
        }
    };
}

formats![
    json::Jsonl,
    csv::Csv(Dialect::CSV),
    csv::Csv(Dialect::TSV),
    plain::PlainFormat,
    html::Html,
    archive::Archive,
    parquet::PARQUET,
    arrow::ARROW,
];

/// What a format answers for.
pub(crate) fn layout(format: Format) -> &'static dyn Layout {
    LAYOUTS[place(format)]
}

fn place(format: Format) -> usize {
    // Only the table makes formats.
    LAYOUTS.iter().position(|layout| Format(layout.facts()) == format).unwrap_or(0)
}
