//! Folders and files that neardup marks as its own, for outputs that Python writes.

use crate::errors::{raised, usage};
use neardup_disk::{Claim, owned, regular};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

fn raised_disk(py: Python<'_>, error: neardup_disk::Error) -> PyErr {
    raised(py, &error.into())
}

/// An output folder until it is complete; `open` is `None` after that.
#[pyclass(module = "neardup._core", frozen)]
pub struct OutputFolder {
    open: Mutex<Option<neardup_disk::OutputFolder>>,
    folder: PathBuf,
}

impl OutputFolder {
    fn take(&self) -> Option<neardup_disk::OutputFolder> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn with<R>(&self, py: Python<'_>, work: impl FnOnce(&neardup_disk::OutputFolder) -> neardup_disk::Result<R>) -> PyResult<R> {
        match &*self.open.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(open) => work(open).map_err(|error| raised_disk(py, error)),
            None => Err(usage(py, format!("{}: the output is done", self.folder.display()))),
        }
    }
}

#[pymethods]
impl OutputFolder {
    #[new]
    #[pyo3(signature = (target, kind, overwrite=false))]
    fn new(py: Python<'_>, target: PathBuf, kind: &str, overwrite: bool) -> PyResult<OutputFolder> {
        let open = neardup_disk::OutputFolder::open(&target, kind, overwrite).map_err(|error| raised_disk(py, error))?;
        Ok(OutputFolder { folder: open.folder().to_path_buf(), open: Mutex::new(Some(open)) })
    }

    #[getter]
    fn folder(&self) -> PathBuf {
        self.folder.clone()
    }

    fn file(&self, py: Python<'_>, name: PathBuf) -> PyResult<PathBuf> {
        self.with(py, |open| open.claim(&name))
    }

    fn tree(&self, py: Python<'_>, name: PathBuf) -> PyResult<PathBuf> {
        self.with(py, |open| open.claim_tree(&name))
    }

    #[pyo3(signature = (keeps=None))]
    fn clear(&self, py: Python<'_>, keeps: Option<&str>) -> PyResult<()> {
        self.with(py, |open| open.clear(keeps))
    }

    #[pyo3(signature = (spent=None))]
    fn finish(&self, py: Python<'_>, spent: Option<&str>) -> PyResult<()> {
        let open = self.take();
        py.detach(|| open.map_or(Ok(()), |open| open.finish(spent))).map_err(|error| raised_disk(py, error))
    }

    fn leave(&self) {
        drop(self.take());
    }

    fn give_up(&self, py: Python<'_>) -> PyResult<()> {
        let open = self.take();
        py.detach(|| open.map_or(Ok(()), neardup_disk::OutputFolder::give_up)).map_err(|error| raised_disk(py, error))
    }
}

#[pyfunction]
#[pyo3(signature = (target, pieces, what, mark, overwrite=false))]
pub fn write_output(py: Python<'_>, target: PathBuf, pieces: &Bound<'_, PyAny>, what: &str, mark: &str, overwrite: bool) -> PyResult<()> {
    let is_own = |path: &Path| regular::read(path).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(mark));
    let mut file = neardup_disk::OutputFile::create(&target, overwrite, what, is_own).map_err(|error| raised_disk(py, error))?;
    for piece in pieces.try_iter()? {
        let piece: String = piece?.extract()?;
        py.detach(|| file.append(piece.as_bytes())).map_err(|error| raised_disk(py, error))?;
    }
    file.finish().map_err(|error| raised_disk(py, error))
}

#[pyfunction]
#[pyo3(signature = (folder, kind, files, trees))]
pub fn take_folder(py: Python<'_>, folder: PathBuf, kind: &str, files: Vec<PathBuf>, trees: Vec<PathBuf>) -> PyResult<()> {
    let claims = files.iter().map(|name| Claim::family(name)).chain(trees.iter().map(|name| Claim::tree(name)));
    owned::take(&folder, kind, claims).map_err(|error| raised_disk(py, error))
}

#[pyfunction]
pub fn kind_of_folder(py: Python<'_>, folder: PathBuf) -> PyResult<Option<String>> {
    owned::kind(&folder).map_err(|error| raised_disk(py, error))
}

#[pyfunction]
pub fn remove_folder(py: Python<'_>, folder: PathBuf) -> PyResult<()> {
    py.detach(|| owned::remove(&folder)).map_err(|error| raised_disk(py, error))
}

#[pyfunction]
pub fn refuse_inputs(py: Python<'_>, output: PathBuf, inputs: Vec<PathBuf>) -> PyResult<()> {
    owned::refuse_inputs(&output, inputs.iter().map(PathBuf::as_path)).map_err(|error| raised_disk(py, error))
}
