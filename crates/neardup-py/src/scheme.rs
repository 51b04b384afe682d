//! Scheme lines.

use crate::errors::raised;
use neardup_core::promise::{Promise, Recall};
use neardup_core::scheme::{self, table};
use pyo3::prelude::*;

type Entry = (String, String, String, String, String);

/// A scheme line with every choice filled in.
pub fn parse(py: Python<'_>, line: &str) -> PyResult<scheme::Scheme> {
    resolved(line, "0.99").map_err(|error| raised(py, &error.into()))
}

/// A scheme line with what is `auto` chosen to keep `recall`.
pub fn resolved(line: &str, recall: &str) -> neardup_core::Result<scheme::Scheme> {
    line.parse::<scheme::Scheme>()?.resolve(&recall.parse()?)
}

#[pyclass(module = "neardup._core", frozen, name = "Scheme")]
pub struct Scheme(scheme::Scheme);

#[pymethods]
impl Scheme {
    #[new]
    fn new(py: Python<'_>, line: &str) -> PyResult<Self> {
        parse(py, line).map(Scheme)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.notes()
    }

    #[getter]
    fn verified(&self) -> bool {
        self.0.is_verified()
    }

    #[getter]
    fn bands(&self) -> Option<(u64, u64)> {
        match self.0.passes()[0].promise() {
            Promise::Bands { grid, .. } => Some((grid.bands, grid.rows)),
            _ => None,
        }
    }

    #[getter]
    fn threshold(&self) -> Option<String> {
        self.0.passes()[0].threshold().map(|threshold| threshold.to_string())
    }
}

#[pyfunction]
pub fn plan(py: Python<'_>, threshold: &str, recall: &str) -> PyResult<String> {
    planned(threshold, recall).map(|scheme| scheme.to_string()).map_err(|error| raised(py, &error.into()))
}

/// The default scheme for a threshold and a recall.
pub fn planned(threshold: &str, recall: &str) -> neardup_core::Result<scheme::Scheme> {
    scheme::Scheme::plan(&threshold.parse()?, &recall.parse::<Recall>()?)
}

#[pyfunction]
pub fn curve(py: Python<'_>, scheme: &str, points: usize) -> PyResult<Vec<(f64, f64)>> {
    let promise = parse(py, scheme)?.passes()[0].promise();
    let found = |s: f64| match &promise {
        Promise::Bands { grid, .. } => neardup_report::scurve(grid.bands as u32, grid.rows as u32, s),
        _ => 1.0,
    };
    let last = points.saturating_sub(1).max(1) as f64;
    Ok((0..points).map(|point| point as f64 / last).map(|s| (s, found(s))).collect())
}

#[pyfunction]
pub fn schemes() -> Vec<Entry> {
    let owned = |text: &str| text.to_owned();
    table()
        .map(|(kind, entry)| (owned(kind.name()), owned(entry.name), entry.arguments(), owned(entry.meaning), owned(entry.paper)))
        .collect()
}
