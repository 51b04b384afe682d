//! Options of a job, from the dictionary that Python gives.

use crate::documents::table::Table;
use crate::documents::{archive, extract};
use crate::errors::{raised, usage};
use crate::live::index::Index;
use crate::scheme::{planned, resolved};
use arrow_array::RecordBatchReader;
use arrow_array::ffi_stream::ArrowArrayStreamReader;
use arrow_pyarrow::FromPyArrow;
use neardup_corpus::{Extract, Fields, OnError};
use neardup_engine::{ArchiveRecords, Cut, Cutting, ExternalError, Input, Job, Keep, ReadArchive, Stream, Verb};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

const CHUNK: usize = 2 << 20;
const FAMILY: usize = 10_000;

/// Python's options; the functions in it outlive the job that borrows them.
pub struct Options<'py> {
    py: Python<'py>,
    given: Bound<'py, PyDict>,
}

/// What a job borrows.
pub struct Doors {
    extract: Option<Py<PyAny>>,
    archive: Option<Py<PyAny>>,
}

impl Doors {
    /// The extractor.
    pub fn extract(&self, pages: &[Cow<'_, str>]) -> Result<Vec<Result<String, String>>, ExternalError> {
        match &self.extract {
            Some(function) => extract::extract(function, pages),
            None => Err("HTML needs an extractor".into()),
        }
    }

    /// The reader of archives.
    pub fn archive(&self, path: &Path) -> Result<ArchiveRecords, ExternalError> {
        match &self.archive {
            Some(function) => archive::open(function, path),
            None => Err("web archives need a reader".into()),
        }
    }
}

impl<'py> Options<'py> {
    /// Wraps a dictionary.
    pub fn new(given: &Bound<'py, PyDict>) -> Self {
        Options { py: given.py(), given: given.clone() }
    }

    fn get<T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>>(&self, name: &str) -> PyResult<Option<T>> {
        let Some(value) = self.given.get_item(name)?.filter(|value| !value.is_none()) else { return Ok(None) };
        let read = value.extract::<T>().map(Some);
        read.map_err(|error| usage(self.py, format!("{name} is {value}: {}", error.into().value(self.py))))
    }

    /// The fields.
    pub fn fields(&self) -> PyResult<Fields> {
        Ok(Fields {
            text: self.get("text_field")?.unwrap_or_else(|| Fields::default().text),
            html: self.get("html_field")?,
            id: self.get("id_field")?,
            url: self.get("url_field")?,
            time: self.get("time_field")?,
            given: None,
            prefer: self.get("prefer")?,
            quoted_tsv: self.get("quoted_tsv")?.unwrap_or(false),
            may_lack: false,
        })
    }

    /// What happens to bad records.
    pub fn on_error(&self) -> PyResult<OnError> {
        match self.get::<String>("on_error")?.as_deref() {
            None | Some("stop") => Ok(OnError::Stop),
            Some("skip") => Ok(OnError::Skip),
            Some(other) => Err(usage(self.py, format!("on_error is {other}; allowed are stop, skip"))),
        }
    }

    /// How many bytes of memory.
    fn memory(&self) -> PyResult<usize> {
        Ok(self.get("memory")?.unwrap_or_else(default_memory))
    }

    /// How many threads.
    pub fn threads(&self) -> PyResult<usize> {
        let stated = self.get::<usize>("threads")?.is_some();
        let most = self.most_threads()?;
        Ok(if stated { most } else { most.min(neardup_engine::threads(self.memory()?)) })
    }

    /// How many threads there would be with more memory.
    fn most_threads(&self) -> PyResult<usize> {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        match self.get::<usize>("threads")?.unwrap_or_else(cores) {
            0 => Err(usage(self.py, "threads is 0; allowed are 1 and more")),
            threads => Ok(threads),
        }
    }

    /// How many bytes are read at once.
    pub fn chunk(&self) -> PyResult<usize> {
        match self.get::<usize>("chunk")?.unwrap_or(CHUNK) {
            chunk if chunk < 4096 => Err(usage(self.py, format!("chunk is {chunk}; allowed are 4096 and more"))),
            chunk => Ok(chunk),
        }
    }

    /// The folder of the results.
    pub fn output(&self) -> PyResult<Option<PathBuf>> {
        self.get("output")
    }

    /// The functions.
    pub fn doors(&self) -> PyResult<Doors> {
        Ok(Doors { extract: self.get("extract")?, archive: self.get("archive")? })
    }

    fn cutting(&self) -> PyResult<Cutting> {
        let cut = self.get::<String>("cut")?.map_or(Ok(Cut::Sentences), |cut| cut.parse()).map_err(|error| raised(self.py, &error))?;
        Ok(Cutting { cut, least: self.get("least")?.unwrap_or(1) })
    }

    /// The scheme.
    pub fn scheme(&self) -> PyResult<neardup_core::scheme::Scheme> {
        let recall: Option<String> = self.get("recall")?;
        let made = match self.get::<String>("scheme")? {
            Some(line) => resolved(&line, recall.as_deref().unwrap_or("0.99")),
            None => planned(&self.get::<String>("threshold")?.unwrap_or_else(|| "0.8".to_owned()), recall.as_deref().unwrap_or("0.99")),
        };
        made.map_err(|error| raised(self.py, &error.into()))
    }

    /// The job. With one stream for input, what is read of it is also put into `seen`.
    pub fn job<'j>(&self, verb: Verb, inputs: &Bound<'py, PyAny>, doors: Callables<'j>, seen: &Seen) -> PyResult<Job<'j>> {
        let against = self.given.get_item("against")?.filter(|value| !value.is_none());
        let keep = self.get::<String>("keep")?.map(|keep| keep.parse::<Keep>()).transpose().map_err(|error| raised(self.py, &error))?;
        Ok(Job {
            verb,
            input: input(inputs, Some(seen))?,
            against: against.map(|against| input(&against, None)).transpose()?,
            scheme: self.scheme()?,
            fields: self.fields()?,
            keep,
            output: self.output()?,
            kept: self.get("kept")?.unwrap_or(true),
            overwrite: self.get("overwrite")?.unwrap_or(false),
            forest: self.get("forest")?.unwrap_or(false),
            pairs: self.get("pairs")?.unwrap_or(false) && verb == Verb::Cluster,
            max_family: self.get("max_family")?.unwrap_or(FAMILY),
            counted: self.get("counted")?,
            foreseen: self.get("foreseen")?.unwrap_or_default(),
            passages: self.get("passages")?.unwrap_or(false) && verb == Verb::Pairs,
            cutting: self.cutting()?,
            index: self.get("index")?.unwrap_or(false) && matches!(verb, Verb::Dedup | Verb::Cluster),
            threads: self.threads()?,
            most_threads: self.most_threads()?,
            memory: self.memory()?,
            chunk: self.chunk()?,
            on_error: self.on_error()?,
            extract: doors.extract,
            archive: doors.archive,
            main_content: self.get("main_content")?.unwrap_or(false),
            command: self.get("command")?,
        })
    }
}

/// The functions of a job, as it borrows them.
#[derive(Clone, Copy)]
pub struct Callables<'j> {
    /// HTML to text.
    pub extract: Option<&'j Extract<'j>>,
    /// Web archives.
    pub archive: Option<&'j ReadArchive<'j>>,
}

/// What was read of the only stream of an input: its schema and batches.
pub type Seen = Arc<Mutex<Option<Table>>>;

/// Files, or streams; of a single stream in memory what is read is left in `seen`.
pub fn input(given: &Bound<'_, PyAny>, seen: Option<&Seen>) -> PyResult<Input> {
    let items: Vec<Bound<'_, PyAny>> = given.try_iter()?.collect::<PyResult<_>>()?;
    if items.iter().all(|item| item.is_instance_of::<PyString>()) {
        return Ok(Input::Files(items.iter().map(|item| item.extract()).collect::<PyResult<_>>()?));
    }
    let only = items.len() == 1;
    Ok(Input::Streams(items.iter().map(|item| stream(item, seen.filter(|_| only))).collect::<PyResult<_>>()?))
}

fn stream(item: &Bound<'_, PyAny>, seen: Option<&Seen>) -> PyResult<Stream> {
    let index = item.cast::<Index>().ok();
    let (is_in_memory, folder) = (index.is_none(), index.map(|index| index.get().dir.clone()));
    let reader = ArrowArrayStreamReader::from_pyarrow_bound(item)?;
    let seen = seen.filter(|_| is_in_memory).cloned();
    if let Some(seen) = &seen {
        *seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(Table { schema: reader.schema(), batches: Vec::new() });
    }
    let batches = reader.map(move |batch| {
        if let (Some(seen), Ok(batch)) = (&seen, &batch) {
            // Columns are shared, not copied.
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.iter_mut().for_each(|table| table.batches.push(batch.clone()));
        }
        batch.map_err(ExternalError::from)
    });
    Ok(Stream { batches: Mutex::new(Box::new(batches)), is_in_memory, folder })
}

/// Half of the memory there is; 1 GiB where the system does not tell.
fn default_memory() -> usize {
    neardup_engine::memory().map_or(1 << 30, |bytes| bytes / 2)
}
