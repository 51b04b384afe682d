//! Counting the features that the texts of many pairs share.

use crate::errors::raised;
use crate::scheme::parse;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

#[pyfunction]
pub fn overlaps(py: Python<'_>, pairs: Vec<(PyBackedStr, PyBackedStr)>, scheme: &str) -> PyResult<Vec<(u32, u32, u32)>> {
    let scheme = parse(py, scheme)?;
    let found = py.detach(|| {
        let texts: Vec<(&str, &str)> = pairs.iter().map(|(left, right)| (&**left, &**right)).collect();
        neardup_engine::overlaps(&texts, &scheme)
    });
    let found = found.map_err(|error| raised(py, &error))?;
    Ok(found.into_iter().map(|overlap| (overlap.shared, overlap.left, overlap.right)).collect())
}
