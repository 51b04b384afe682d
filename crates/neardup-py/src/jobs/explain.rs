//! Comparing two texts, and counting the tokens and features of one.

use crate::errors::{raised, usage};
use crate::scheme::parse;
use neardup_text::Unit;
use pyo3::prelude::*;

#[pyfunction]
pub fn explain(py: Python<'_>, left: &str, right: &str, scheme: &str) -> PyResult<String> {
    let scheme = parse(py, scheme)?;
    let found = py.detach(|| neardup_engine::explain(left, right, &scheme)).map_err(|error| raised(py, &error))?;
    serde_json::to_string(&found).map_err(|error| usage(py, error.to_string()))
}

#[pyfunction]
pub fn measure(py: Python<'_>, left: &str, right: &str, scheme: &str, name: &str) -> PyResult<Option<f64>> {
    let scheme = parse(py, scheme)?;
    py.detach(|| neardup_engine::measure(left, right, &scheme, name)).map_err(|error| raised(py, &error))
}

#[pyfunction]
pub fn count(py: Python<'_>, text: &str, scheme: &str) -> PyResult<(usize, usize)> {
    let scheme = parse(py, scheme)?;
    py.detach(|| neardup_engine::count(text, &scheme)).map_err(|error| raised(py, &error))
}

#[pyfunction]
pub fn locate(py: Python<'_>, text: &str, unit: &str) -> PyResult<Vec<(usize, usize)>> {
    let unit: Unit = unit.parse().map_err(|error: neardup_text::UnknownUnit| usage(py, error.to_string()))?;
    Ok(neardup_text::locate(unit, 0, text).into_iter().map(|token| (token.start, token.end)).collect())
}
