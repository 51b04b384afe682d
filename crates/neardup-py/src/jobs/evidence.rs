//! The evidence of finished runs.

use crate::errors::raised;
use crate::jobs::options::{Callables, PythonOptions};
use crate::jobs::run::JobResult;
use crate::system::waiting::{Callbacks, watched};
use neardup_engine::{Finished, PairChoice, Verb, Watch};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

#[pyfunction]
pub fn reading(py: Python<'_>, run: PathBuf) -> PyResult<String> {
    let run = Finished::open(&run).map_err(|error| raised(py, &error))?;
    Ok(run.reading_json())
}

#[pyfunction]
#[pyo3(signature = (run, inputs, options, ids, clusters, rule=None, sample=None, texts=false, progress=None))]
#[expect(clippy::too_many_arguments, reason = "the options of a choice, by name")]
pub fn evidence(
    py: Python<'_>,
    run: PathBuf,
    inputs: &Bound<'_, PyAny>,
    options: &Bound<'_, PyDict>,
    ids: Vec<String>,
    clusters: Vec<String>,
    rule: Option<String>,
    sample: Option<usize>,
    texts: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<JobResult> {
    let options = PythonOptions::new(options)?;
    let (callables, watch) = (options.callables()?, Watch::default());
    let (extract, archive) =
        (|pages: &[Cow<'_, str>]| callables.extract(pages), |path: &Path, all: &[PathBuf]| callables.archive(path, all));
    let callables = Callables { extract: Some(&extract), archive: Some(&archive) };
    let output = options.output();
    let job = options.job(Verb::Pairs, inputs, callables)?;
    let choice = PairChoice { ids, clusters, rule, sample };
    let outcome =
        watched(py, &Callbacks { progress, notice: None }, &watch, || neardup_engine::evidence(&run, job, &choice, texts, &watch))?;
    Ok(JobResult::new(outcome, output, &["passages"]))
}
