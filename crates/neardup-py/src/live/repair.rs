//! Repairing an index.

use crate::errors::{raised_live, usage};
use crate::live::index::{Schemes, document, policy_of};
use crate::system::waiting::in_turn;
use neardup_live::repair::Repair as Live;
use neardup_live::snapshot::manifest::Settings;
use pyo3::prelude::*;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// file, what is wrong with it
type DamageTuple = (String, String);
/// scheme, parts, policy, ttl, most, extractor
type SettingsTuple = (String, Option<String>, String, Option<u64>, Option<u64>, Option<String>);
/// step, id, URL, file
type LostTuple = (Option<u64>, Option<String>, Option<String>, String);

#[pyclass(module = "neardup._core", frozen)]
pub struct Repair(Mutex<Option<Live>>);

#[pymethods]
impl Repair {
    #[staticmethod]
    #[pyo3(signature = (dir, scheme=None, parts=None, lost=None))]
    fn begin(py: Python<'_>, dir: PathBuf, scheme: Option<&str>, parts: Option<&str>, lost: Option<SettingsTuple>) -> PyResult<Self> {
        let known = lost.map(|(scheme, parts, policy, ttl, most, extractor)| {
            let schemes = Schemes::new(&scheme, parts.as_deref()).map_err(|error| raised_live(py, &error))?;
            schemes.settings(policy_of(py, &policy)?, ttl, most, extractor.as_deref()).map_err(|error| raised_live(py, &error))
        });
        let known = known.transpose()?;
        let passes = |settings: &Settings| Schemes::of(settings, scheme, parts, &dir)?.passes();
        let begun = in_turn(py, || Live::begin(&dir, known.as_ref(), passes));
        begun.map(|repair| Repair(Mutex::new(Some(repair))))
    }

    #[staticmethod]
    fn exists_in(dir: PathBuf) -> bool {
        Live::exists_in(&dir)
    }

    #[staticmethod]
    fn remains_in(dir: PathBuf) -> bool {
        Live::remains_in(&dir)
    }

    #[getter]
    fn is_whole(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |repair| repair.is_whole())
    }

    #[getter]
    fn damages(&self, py: Python<'_>) -> PyResult<Vec<DamageTuple>> {
        self.with(py, |repair| repair.damages().map(|damage| (damage.file.display().to_string(), damage.what.clone())).collect())
    }

    #[getter]
    fn outdated(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with(py, |repair| repair.outdated().to_vec())
    }

    #[getter]
    fn doubts(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with(py, |repair| repair.doubts().cloned().collect())
    }

    #[getter]
    fn lost(&self, py: Python<'_>) -> PyResult<Vec<LostTuple>> {
        let tuple =
            |lost: &neardup_live::repair::LostDocument| (lost.serial, lost.id.clone(), lost.url.clone(), lost.file.display().to_string());
        self.with(py, |repair| repair.lost().iter().map(tuple).collect())
    }

    #[getter]
    fn identity(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |repair| repair.identity().as_str().to_owned())
    }

    fn names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with(py, |repair| repair.names().collect())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |repair| repair.count())
    }

    fn reach(&self, py: Python<'_>, steps: u64) -> PyResult<()> {
        self.with(py, |repair| repair.reach(steps))
    }

    fn restore(&self, py: Python<'_>, name: &str, given: &Bound<'_, PyAny>) -> PyResult<bool> {
        let document = document(py, given, 1)?;
        self.with(py, |repair| repair.restore(name, document))
    }

    #[getter]
    fn steps(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |repair| repair.steps())
    }

    fn add(&self, py: Python<'_>, name: &str, given: &Bound<'_, PyAny>) -> PyResult<()> {
        let document = document(py, given, 1)?;
        self.with(py, |repair| repair.add(name, document))
    }

    fn keep_only(&self, py: Python<'_>, names: HashSet<String>) -> PyResult<()> {
        self.with(py, |repair| repair.keep_only(&names))
    }

    fn note(&self, py: Python<'_>, what: &str) -> PyResult<()> {
        self.with(py, |repair| repair.note(what))
    }

    fn finish(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let mut repair = self.lock();
        let repair = repair.take().ok_or_else(|| done(py))?;
        let aside = py.detach(|| repair.finish()).map_err(|error| raised_live(py, &error))?;
        Ok(aside.into_iter().map(|path| path.display().to_string()).collect())
    }

    fn release(&self) {
        self.lock().take();
    }
}

impl Repair {
    /// Returns the repair, or `None` after its end.
    fn lock(&self) -> MutexGuard<'_, Option<Live>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<R>(&self, py: Python<'_>, ask: impl FnOnce(&mut Live) -> R) -> PyResult<R> {
        let mut repair = self.lock();
        repair.as_mut().map(ask).ok_or_else(|| done(py))
    }
}

fn done(py: Python<'_>) -> PyErr {
    usage(py, "the repair has come to its end: begin another one")
}
