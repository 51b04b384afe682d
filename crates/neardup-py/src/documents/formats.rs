//! The formats that are read, for the reference.

use neardup_corpus::list_formats;
use pyo3::prelude::*;

/// Suffixes, suffixes of compressions, unit of places, and whether other texts can be written.
type FormatTuple = (Vec<&'static str>, Vec<String>, &'static str, bool);

#[pyfunction]
pub fn formats() -> Vec<FormatTuple> {
    list_formats().into_iter().map(|format| (format.suffixes, format.compressions, format.unit, format.is_rewritten)).collect()
}
