//! Names of places in messages.

use pyo3::prelude::*;

#[pyfunction]
pub fn place_of(source: &str, row: u64) -> String {
    neardup_corpus::place_of(source, row)
}
