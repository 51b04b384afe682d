//! Lexicons.

use crate::jobs::options::{Callables, PythonOptions};
use crate::system::waiting::{Callbacks, watched};
use neardup_engine::{Verb, Watch};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

#[pyfunction]
#[pyo3(signature = (inputs, path, options, progress=None))]
pub fn build_lexicon(
    py: Python<'_>,
    inputs: &Bound<'_, PyAny>,
    path: PathBuf,
    options: &Bound<'_, PyDict>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let options = PythonOptions::new(options)?;
    let (callables, watch) = (options.callables()?, Watch::default());
    let (extract, archive) =
        (|pages: &[Cow<'_, str>]| callables.extract(pages), |path: &Path, all: &[PathBuf]| callables.archive(path, all));
    let callables = Callables { extract: Some(&extract), archive: Some(&archive) };
    // The verb decides nothing: documents are only counted.
    let job = options.job(Verb::Pairs, inputs, callables)?;
    watched(py, &Callbacks { progress, notice: None }, &watch, || neardup_engine::build_lexicon(job, &path, &watch))
}
