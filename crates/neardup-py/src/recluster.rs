//! Clusters made again from stored pairs.

use crate::errors::raised;
use crate::run::Result;
use neardup_core::ratio::Ratio;
use neardup_engine::Policy;
use pyo3::prelude::*;
use std::path::PathBuf;

#[pyfunction]
#[pyo3(signature = (run, threshold, policy, output=None, overwrite=false))]
pub fn recluster(
    py: Python<'_>,
    run: PathBuf,
    threshold: &str,
    policy: &str,
    output: Option<PathBuf>,
    overwrite: bool,
) -> PyResult<Result> {
    let policy: Policy = policy.parse().map_err(|error| raised(py, &error))?;
    let threshold: Ratio = threshold.parse().map_err(|error: neardup_core::Error| raised(py, &error.into()))?;
    let target = output.as_deref().map(|folder| (folder, overwrite));
    let outcome = py.detach(|| neardup_engine::recluster(&run, &threshold, policy, target)).map_err(|error| raised(py, &error))?;
    let output = output.map(|folder| std::path::absolute(&folder).unwrap_or(folder));
    Ok(Result::new(outcome, output, &["clusters"], None))
}
