//! Files that are read in pieces, by many tasks.

use crate::documents::table::ArrowTable;
use crate::errors::raised;
use crate::jobs::options::{BorrowedCallables, Callables, PythonOptions};
use crate::system::waiting::{Callbacks, watched};
use arrow_array::RecordBatch;
use neardup_corpus::{MissingFields, Source};
use neardup_engine::distributed::{self, Lacking, SourceSplit};
use neardup_engine::{Error, Verb, Watch};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

/// Number of batches that are read ahead.
const AHEAD: usize = 2;

type SplitMessage = Result<RecordBatch, Error>;

/// A file as a driver plans it: path, name, path below the common folder, bytes, the unit in which its places are counted, and
/// whether it can be read from any chunk on.
type PlannedTuple = (PathBuf, String, PathBuf, u64, &'static str, bool);

/// The files for which a driver plans a job.
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
    fn input(&self) -> Vec<PlannedTuple> {
        planned(self.0.input())
    }

    #[getter]
    fn against(&self) -> Vec<PlannedTuple> {
        planned(self.0.against())
    }

    #[getter]
    fn account(&self) -> String {
        self.0.account()
    }

    fn check(&self, py: Python<'_>) -> PyResult<()> {
        self.0.check().map_err(|error| raised(py, &error))
    }

    #[pyo3(signature = (counts, *, records, has_times, ranks))]
    fn notes(
        &self,
        py: Python<'_>,
        counts: Vec<[u64; MissingFields::FLAGS]>,
        records: u64,
        has_times: bool,
        ranks: BTreeSet<u32>,
    ) -> PyResult<Vec<String>> {
        let lacking = Lacking { sources: self.0.names(), counts, records, has_times, has_numbers: true, ranks };
        self.0.notes(&lacking).map_err(|error| raised(py, &error))
    }
}

fn planned(sources: &[Source]) -> Vec<PlannedTuple> {
    let planned = |source: &Source| {
        let (unit, are_lines) = (distributed::unit(source), distributed::are_lines(source));
        (source.path.clone(), source.name.clone(), source.root_relative.clone(), source.bytes, unit, are_lines)
    };
    sources.iter().map(planned).collect()
}

/// The rows of a split, batch by batch.
#[pyclass(module = "neardup._core", frozen)]
pub struct SplitReader {
    receiver: Mutex<Receiver<SplitMessage>>,
    watch: Arc<Watch>,
}

impl Drop for SplitReader {
    fn drop(&mut self) {
        self.watch.corpus.cancel();
    }
}

#[pymethods]
impl SplitReader {
    #[new]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        name: String,
        only: Option<Vec<usize>>,
        before: u64,
        is_kept: bool,
        options: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let callables = PythonOptions::new(options)?.callables()?;
        let (sender, receiver) = sync_channel(AHEAD);
        let (watch, options) = (Arc::new(Watch::default()), options.clone().unbind());
        let (split, watched) = (SourceSplit { path, name, only, before, is_kept }, Arc::clone(&watch));
        let _ = py;
        std::thread::spawn(move || {
            // A closed channel means the end of the split: a panic must not look like that.
            let done = catch_unwind(AssertUnwindSafe(|| go(&callables, &split, &options, &watched, &sender)));
            if let Err(error) = done.unwrap_or_else(|_| Err(Error::Data("the split cannot be read on: a fault inside neardup".to_owned())))
            {
                // The reader may be gone; then the error is not needed.
                let _ = sender.send(Err(error));
            }
        });
        Ok(SplitReader { receiver: Mutex::new(receiver), watch })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<ArrowTable>> {
        let next = py.detach(|| self.receiver.lock().unwrap_or_else(PoisonError::into_inner).recv());
        match next {
            Ok(Ok(batch)) => Ok(Some(ArrowTable { schema: batch.schema(), batches: vec![batch] })),
            Ok(Err(error)) => Err(raised(py, &error)),
            Err(_) => Ok(None),
        }
    }
}

fn go(
    callables: &BorrowedCallables,
    split: &SourceSplit,
    options: &Py<PyDict>,
    watch: &Watch,
    sender: &SyncSender<SplitMessage>,
) -> Result<(), Error> {
    let (extract, archive) =
        (|pages: &[Cow<'_, str>]| callables.extract(pages), |path: &Path, all: &[PathBuf]| callables.archive(path, all));
    let callables = Callables { extract: Some(&extract), archive: Some(&archive) };
    let job = Python::attach(|py| PythonOptions::new(options.bind(py))?.job(Verb::Dedup, PyList::empty(py).as_any(), callables));
    let mut job = job.map_err(|error| Error::Usage(error.to_string()))?;
    let send = |batch: RecordBatch| sender.send(Ok(batch)).map_err(|_| Error::from(neardup_corpus::Error::Cancelled));
    distributed::read_split(&mut job, split, watch, &send)
}

#[pyfunction]
pub fn keep_source(py: Python<'_>, path: PathBuf, dropped: Vec<(u64, u64)>, target: PathBuf, options: &Bound<'_, PyDict>) -> PyResult<()> {
    let options = PythonOptions::new(options)?.given;
    let watch = Watch::default();
    watched(py, &Callbacks::default(), &watch, || distributed::keep_source(&path, &dropped, &target, &options, &watch))
}

#[pyfunction]
pub fn describe_reject(reject: &str) -> String {
    distributed::describe_reject(reject)
}
