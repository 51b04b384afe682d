//! Jobs.

use crate::documents::table::ArrowTable;
use crate::errors::{raised, usage};
use crate::jobs::options::{Callables, PythonOptions};
use crate::system::waiting::{Callbacks, watched};
use neardup_engine::{Outcome, Verb, Watch, read_table};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

#[pyclass(module = "neardup._core", frozen)]
pub struct JobResult {
    summary: String,
    /// Tables that the job made, the main one first.
    made: Vec<(&'static str, JobTable)>,
}

/// A table that a job made.
enum JobTable {
    Here(ArrowTable),
    /// A file of the output folder, which is read on request.
    There(PathBuf),
}

impl JobTable {
    fn table(&self, py: Python<'_>) -> PyResult<ArrowTable> {
        match self {
            JobTable::Here(table) => Ok(table.clone()),
            JobTable::There(path) => {
                let (schema, batches) = py.detach(|| read_table(path)).map_err(|error| raised(py, &error))?;
                Ok(ArrowTable { schema, batches })
            }
        }
    }
}

#[pymethods]
impl JobResult {
    #[getter]
    fn summary(&self) -> &str {
        &self.summary
    }

    #[getter]
    fn tables(&self) -> Vec<&'static str> {
        self.made.iter().map(|(name, _)| *name).collect()
    }

    fn table(&self, py: Python<'_>, name: &str) -> PyResult<ArrowTable> {
        match self.made.iter().find(|(made, _)| *made == name) {
            Some((_, made)) => made.table(py),
            None => Err(usage(py, format!("there is no table \"{name}\"; there are: {}", self.tables().join(", ")))),
        }
    }
}

impl JobResult {
    /// Returns the result of a job: its tables are in memory, or files with these names in `output`.
    pub fn new(outcome: Outcome, output: Option<PathBuf>, names: &[&'static str]) -> Self {
        let Outcome { summary, tables } = outcome;
        let there = |folder: PathBuf| names.iter().map(|name| (*name, JobTable::There(folder.join(format!("{name}.parquet"))))).collect();
        let here = || tables.into_iter().map(|(name, schema, batches)| (name, JobTable::Here(ArrowTable { schema, batches }))).collect();
        JobResult { summary, made: output.map_or_else(here, there) }
    }
}

#[pyfunction]
#[pyo3(signature = (verb, inputs, options, progress=None, notice=None))]
pub fn run(
    py: Python<'_>,
    verb: &str,
    inputs: &Bound<'_, PyAny>,
    options: &Bound<'_, PyDict>,
    progress: Option<Py<PyAny>>,
    notice: Option<Py<PyAny>>,
) -> PyResult<JobResult> {
    let verb = match verb {
        "dedup" => Verb::Dedup,
        "cluster" => Verb::Cluster,
        "pairs" => Verb::Pairs,
        "sketch" => Verb::Sketch,
        "passages" => Verb::Passages,
        other => return Err(usage(py, format!("there is no verb \"{other}\"; there are dedup, cluster, pairs, sketch, passages"))),
    };
    let options = PythonOptions::new(options)?;
    let (callables, watch) = (options.callables()?, Watch::default());
    let (extract, archive) =
        (|pages: &[Cow<'_, str>]| callables.extract(pages), |path: &Path, all: &[PathBuf]| callables.archive(path, all));
    let callables = Callables { extract: Some(&extract), archive: Some(&archive) };
    let output = options.output();
    let job = options.job(verb, inputs, callables)?;
    let output = output.filter(|_| !job.streams());
    let names = job.tables();
    let outcome = watched(py, &Callbacks { progress, notice }, &watch, || neardup_engine::run(job, &watch))?;
    Ok(JobResult::new(outcome, output, &names))
}
