//! The files of a run, as they are found, and its scheme.

use crate::errors::raised;
use crate::jobs::options::{Callables, PythonOptions};
use crate::scheme::Scheme;
use neardup_engine::{Verb, distributed};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// The files that a job would read.
#[pyclass(module = "neardup._core", frozen)]
pub struct Sources(distributed::Sources);

#[pymethods]
impl Sources {
    #[new]
    fn new(py: Python<'_>, inputs: &Bound<'_, PyAny>, options: &Bound<'_, PyDict>) -> PyResult<Self> {
        let options = PythonOptions::new(options)?;
        let callables = options.callables()?;
        let (extract, archive) =
            (|pages: &[Cow<'_, str>]| callables.extract(pages), |path: &Path, all: &[PathBuf]| callables.archive(path, all));
        let callables = Callables { extract: Some(&extract), archive: Some(&archive) };
        let job = options.job(Verb::Dedup, inputs, callables)?;
        distributed::Sources::find(&job).map(Sources).map_err(|error| raised(py, &error))
    }

    #[getter]
    fn input(&self) -> Vec<PathBuf> {
        self.0.input().iter().map(|source| source.path.clone()).collect()
    }

    #[getter]
    fn account(&self) -> String {
        self.0.account()
    }
}

#[pyfunction]
pub fn chosen_scheme(options: &Bound<'_, PyDict>) -> PyResult<Scheme> {
    PythonOptions::new(options)?.scheme().map(Scheme)
}
