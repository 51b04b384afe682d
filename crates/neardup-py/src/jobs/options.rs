//! Options of a job, from a Python dictionary.

use crate::documents::{archive, extract};
use crate::errors::{raised, usage};
use crate::jobs::dictionary::Dictionary;
use crate::jobs::read_options::read_options;
use crate::live::index::Index;
use crate::scheme::{planned, resolved};
use arrow_array::RecordBatchReader;
use arrow_array::ffi_stream::ArrowArrayStreamReader;
use arrow_pyarrow::FromPyArrow;
use neardup_core::scheme::Scheme;
use neardup_corpus::{ArchiveRecords, Extract, Extracted, ReadArchive, column_paths};
use neardup_engine::{BatchStream, ExternalError, Input, Job, JobOptions, Verb};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Minimum number of bytes that are read at once.
const LEAST_CHUNK: usize = 4096;

/// The options from Python. The functions among them outlive the job that borrows them.
pub struct PythonOptions<'py> {
    py: Python<'py>,
    dictionary: Dictionary<'py>,
    /// The options in the table of options.
    pub given: JobOptions,
}

/// The functions that a job borrows.
pub struct BorrowedCallables {
    extract: Option<Py<PyAny>>,
    archive: Option<Py<PyAny>>,
    fetch: Option<Py<PyAny>>,
}

impl BorrowedCallables {
    /// Calls the extractor.
    pub fn extract(&self, pages: &[Cow<'_, str>]) -> Result<Vec<Extracted>, ExternalError> {
        match &self.extract {
            Some(function) => extract::extract(function, pages),
            None => Err("HTML needs an extractor".into()),
        }
    }

    /// Calls the reader of archives.
    pub fn archive(&self, path: &Path, all: &[PathBuf]) -> Result<ArchiveRecords, ExternalError> {
        match &self.archive {
            Some(function) => archive::open(function, path, all),
            None => Err("web archives need a reader".into()),
        }
    }

    /// Whether there is a function that fetches files.
    pub fn fetches(&self) -> bool {
        self.fetch.is_some()
    }

    /// Calls `fetch(path, start, end, folder)`, without start and end for a whole file.
    pub fn fetch(&self, path: &Path, bytes: Option<Range<u64>>, folder: &Path) -> Result<PathBuf, ExternalError> {
        let Some(function) = &self.fetch else { return Ok(path.to_path_buf()) };
        let (start, end) = (bytes.as_ref().map(|bytes| bytes.start), bytes.as_ref().map(|bytes| bytes.end));
        Python::attach(|py| function.bind(py).call1((path, start, end, folder))?.extract())
            .map_err(|error: PyErr| ExternalError::from(error))
    }
}

impl<'py> PythonOptions<'py> {
    /// Reads a dictionary.
    pub fn new(dictionary: &Bound<'py, PyDict>) -> PyResult<Self> {
        let py = dictionary.py();
        let dictionary = Dictionary::new(dictionary);
        let given = read_options(&dictionary)?;
        if given.chunk < LEAST_CHUNK {
            return Err(usage(py, format!("chunk is {}; allowed are {LEAST_CHUNK} and more", given.chunk)));
        }
        Ok(PythonOptions { py, dictionary, given })
    }

    /// Returns the number of bytes of memory that the job may use.
    fn memory(&self) -> usize {
        self.given.memory.unwrap_or_else(default_memory)
    }

    /// Returns the number of threads.
    pub fn threads(&self) -> PyResult<usize> {
        let most = self.most_threads()?;
        Ok(if self.given.threads.is_some() { most } else { most.min(neardup_engine::threads(self.memory())) })
    }

    /// Returns the number of threads that there would be with more memory.
    fn most_threads(&self) -> PyResult<usize> {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        match self.given.threads.unwrap_or_else(cores) {
            0 => Err(usage(self.py, "threads is 0; allowed are 1 and more")),
            threads => Ok(threads),
        }
    }

    /// Returns the folder of the results as an absolute path, because they may be read after the working directory has changed.
    pub fn output(&self) -> Option<PathBuf> {
        self.given.output.as_deref().map(|folder| std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf()))
    }

    /// Returns the functions.
    pub fn callables(&self) -> PyResult<BorrowedCallables> {
        Ok(BorrowedCallables {
            extract: self.dictionary.get("extract")?,
            archive: self.dictionary.get("archive")?,
            fetch: self.dictionary.get("fetch")?,
        })
    }

    /// Returns the scheme.
    pub fn scheme(&self) -> PyResult<Scheme> {
        let recall = self.given.recall.as_deref().unwrap_or("0.99");
        let made = match &self.given.scheme {
            Some(line) => resolved(line, recall),
            None => planned(self.given.threshold.as_deref().unwrap_or("0.8"), recall),
        };
        made.map_err(|error| raised(self.py, &error.into()))
    }

    /// Returns the job.
    pub fn job<'j>(&self, verb: Verb, inputs: &Bound<'py, PyAny>, callables: Callables<'j>) -> PyResult<Job<'j>> {
        let mut options = self.given.clone();
        options.pairs &= verb == Verb::Cluster;
        options.passages &= verb == Verb::Pairs;
        options.index &= matches!(verb, Verb::Dedup | Verb::Cluster);
        Ok(Job {
            verb,
            input: input(inputs)?,
            against: self.dictionary.value("against")?.map(|against| input(&against)).transpose()?,
            scheme: self.scheme()?,
            fields: options.fields(),
            threads: self.threads()?,
            most_threads: self.most_threads()?,
            memory: self.memory(),
            extract: callables.extract,
            archive: callables.archive,
            fetch: None,
            options,
        })
    }
}

/// The functions of a job, as the job borrows them.
#[derive(Clone, Copy)]
pub struct Callables<'j> {
    /// Turns HTML into text.
    pub extract: Option<&'j Extract<'j>>,
    /// Reads web archives.
    pub archive: Option<&'j ReadArchive<'j>>,
}

/// Returns files or streams. A stream may be a pair of its name and the stream.
pub fn input(given: &Bound<'_, PyAny>) -> PyResult<Input> {
    let items: Vec<Bound<'_, PyAny>> = given.try_iter()?.collect::<PyResult<_>>()?;
    if items.iter().all(|item| item.is_instance_of::<PyString>()) {
        return Ok(Input::Files(items.iter().map(|item| item.extract()).collect::<PyResult<_>>()?));
    }
    let named = |(number, item): (usize, &Bound<'_, PyAny>)| match item.extract::<(String, Bound<'_, PyAny>)>() {
        Ok((name, item)) => stream(name, &item),
        Err(_) => stream(number.to_string(), item),
    };
    Ok(Input::Streams((1..).zip(&items).map(named).collect::<PyResult<_>>()?))
}

fn stream(name: String, item: &Bound<'_, PyAny>) -> PyResult<BatchStream> {
    let index = item.cast::<Index>().ok();
    let (is_in_memory, folder) = (index.is_none(), index.map(|index| index.get().dir.clone()));
    let reader = ArrowArrayStreamReader::from_pyarrow_bound(item)?;
    let fields = column_paths(&RecordBatchReader::schema(&reader));
    let batches = reader.map(|batch| batch.map_err(ExternalError::from));
    Ok(BatchStream { name, batches: Mutex::new(Box::new(batches)), is_in_memory, folder, fields })
}

/// Returns half of the memory of the machine; 1 GiB if the system does not report it.
fn default_memory() -> usize {
    neardup_engine::memory().map_or(1 << 30, |bytes| bytes / 2)
}
