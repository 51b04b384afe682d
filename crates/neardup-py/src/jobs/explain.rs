//! Comparing two texts, and counting the tokens and features of one.

use crate::errors::{raised, usage};
use crate::scheme::parse;
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

/// token, first byte, position after its last byte
type TokenTuple = (String, usize, usize);

#[pyfunction]
pub fn tokens(py: Python<'_>, text: &str, scheme: &str) -> PyResult<Vec<TokenTuple>> {
    let rules = parse(py, scheme)?.passes()[0].token_rules();
    let found = py.detach(|| neardup_text::written_tokens(rules, text));
    Ok(found.into_iter().map(|found| (found.token, found.place.start, found.place.end)).collect())
}
