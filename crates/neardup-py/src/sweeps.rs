//! The page about sweeps.

use crate::errors::{data, usage};
use pyo3::prelude::*;

#[pyfunction]
pub fn sweeps_page(py: Python<'_>, stats_json: &str) -> PyResult<String> {
    let sweeps = serde_json::from_str(stats_json).map_err(|error| data(py, format!("the statistics: {error}")))?;
    neardup_report::render_sweeps(&sweeps).map_err(|error| usage(py, error.to_string()))
}
