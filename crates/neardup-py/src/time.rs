//! Times as they are written.

use crate::errors::usage;
use pyo3::prelude::*;

#[pyfunction]
pub fn parse_time(py: Python<'_>, text: &str) -> PyResult<i64> {
    neardup_corpus::parse_bare_time(text).map(|micros| micros.div_euclid(1_000_000)).map_err(|reason| usage(py, reason))
}
