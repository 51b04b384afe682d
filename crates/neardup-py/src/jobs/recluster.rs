//! Clusters made again from the pairs that a run stored.

use crate::errors::raised;
use crate::jobs::run::JobResult;
use neardup_core::util::ratio::Ratio;
use neardup_engine::{AtThreshold, ReclusterPolicy};
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
) -> PyResult<JobResult> {
    let policy: ReclusterPolicy = policy.parse().map_err(|error| raised(py, &error))?;
    let threshold: Ratio = threshold.parse().map_err(|error: neardup_core::Error| raised(py, &error.into()))?;
    let target = output.as_deref().map(|folder| (folder, overwrite));
    let outcome = py.detach(|| neardup_engine::recluster(&run, &threshold, policy, target)).map_err(|error| raised(py, &error))?;
    let output = output.map(|folder| std::path::absolute(&folder).unwrap_or(folder));
    Ok(JobResult::new(outcome, output, &["clusters"]))
}

/// Threshold, clusters, clustered documents and the largest cluster.
type ReclusterTuple = (String, u64, u64, u64);

#[pyfunction]
pub fn at_thresholds(
    py: Python<'_>,
    run: PathBuf,
    thresholds: Vec<String>,
    policy: &str,
    words_alone: bool,
) -> PyResult<(Vec<ReclusterTuple>, Vec<String>)> {
    let policy: ReclusterPolicy = policy.parse().map_err(|error| raised(py, &error))?;
    let read = |threshold: &String| threshold.parse().map_err(|error: neardup_core::Error| raised(py, &error.into()));
    let thresholds: Vec<Ratio> = thresholds.iter().map(read).collect::<PyResult<_>>()?;
    let (found, warnings) =
        py.detach(|| neardup_engine::at_thresholds(&run, &thresholds, policy, words_alone)).map_err(|error| raised(py, &error))?;
    let row = |at: AtThreshold| (at.threshold.to_string(), at.clusters, at.clustered, at.largest);
    Ok((found.into_iter().map(row).collect(), warnings))
}
