//! Texts of files that are named one by one.

use crate::errors::{data, usage};
use neardup_corpus::{GivenEncoding, decode_whole};
use pyo3::prelude::*;

/// Returns the text of the bytes of a file, whose name is for messages.
#[pyfunction]
#[pyo3(signature = (content, name, encoding=None))]
pub fn decode_text(py: Python<'_>, content: &[u8], name: &str, encoding: Option<&str>) -> PyResult<String> {
    let given = encoding.map_or(Ok(GivenEncoding::Strict), GivenEncoding::named).map_err(|reason| usage(py, reason))?;
    decode_whole(content, given).map_err(|reason| data(py, format!("{name}: {reason}")))
}
