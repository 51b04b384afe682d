//! Pages, and the pieces and the style from which others make pages.

use crate::errors::{data, usage};
use neardup_report::{Error, render_changes, render_evaluation, render_sweeps, render_sweeps_plots};
use pyo3::prelude::*;
use serde_json::from_str;

#[pyfunction]
pub fn evaluation_page(py: Python<'_>, evaluation_json: &str) -> PyResult<String> {
    made(py, "the evaluation", || Ok(render_evaluation(&from_str(evaluation_json)?)))
}

#[pyfunction]
pub fn sweeps_page(py: Python<'_>, stats_json: &str) -> PyResult<String> {
    made(py, "the statistics", || Ok(render_sweeps(&from_str(stats_json)?)))
}

#[pyfunction]
pub fn sweeps_plots(py: Python<'_>, stats_json: &str) -> PyResult<String> {
    made(py, "the statistics", || Ok(render_sweeps_plots(&from_str(stats_json)?)))
}

#[pyfunction]
pub fn changes_page(py: Python<'_>, changes_json: &str) -> PyResult<String> {
    made(py, "the changes", || Ok(render_changes(&from_str(changes_json)?)))
}

#[pyfunction]
pub fn page_style() -> &'static str {
    neardup_report::STYLE
}

/// Makes HTML from JSON. If the JSON is not valid, the error names it as `what`.
fn made(py: Python<'_>, what: &str, make: impl FnOnce() -> serde_json::Result<Result<String, Error>> + Send) -> PyResult<String> {
    let made = py.detach(make).map_err(|error| data(py, format!("{what}: {error}")))?;
    made.map_err(|error| usage(py, error.to_string()))
}
