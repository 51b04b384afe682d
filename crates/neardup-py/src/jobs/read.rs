//! Documents of files and streams, one after another.

use crate::documents::time::Time;
use crate::errors::raised;
use crate::jobs::options::{BorrowedCallables, PythonOptions, input};
use neardup_corpus::{
    Chunk, ChunkWork, Discovered, FindOptions, JobControl, MissingFields, OnError, ReadOptions, Record, Reject, Source, archives, discover,
    read as read_source, read_batches, spool,
};
use neardup_engine::{BatchStream, Error, Files, Input, RecordCounts, refuse_missing, refuse_texts_of_archives, refuse_unknown};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type RecordTuple = (String, String, Option<String>, Option<Time>, String, u64);
type RecordBatchMessage = Result<Vec<RecordTuple>, Error>;

/// Number of chunks that are read ahead.
const AHEAD: usize = 4;

#[pyclass(module = "neardup._core", frozen)]
pub struct DocumentReader {
    state: Mutex<ReaderState>,
    account: Arc<Mutex<Account>>,
    control: Arc<JobControl>,
}

/// Flaw of a record whose time has no zone.
const LOCAL_TIME: &str = "time without a zone, read as UTC";

/// Counts of the files and records so far.
#[derive(Default)]
struct Account {
    files: Files,
    records: RecordCounts,
    rejects: Vec<Reject>,
    /// Number of records that lack each of [`MissingFields::flags`].
    lacking: [u64; MissingFields::FLAGS],
}

struct ReaderState {
    receiver: Receiver<RecordBatchMessage>,
    rows: std::vec::IntoIter<RecordTuple>,
}

impl Drop for DocumentReader {
    fn drop(&mut self) {
        self.control.cancel();
    }
}

#[pymethods]
impl DocumentReader {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<RecordTuple>> {
        let next = py.detach(|| {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                if let Some(row) = state.rows.next() {
                    return Ok(Some(row));
                }
                match state.receiver.recv() {
                    Ok(Ok(rows)) => state.rows = rows.into_iter(),
                    Ok(Err(error)) => return Err(error),
                    Err(_) => return Ok(None),
                }
            }
        });
        next.map_err(|error| raised(py, &error))
    }

    #[getter]
    fn rejects(&self) -> Vec<(String, u64, String)> {
        locked(&self.account).rejects.iter().map(|reject| (reject.source.clone(), reject.row, reject.reason.clone())).collect()
    }

    /// Return the counts of the files and of the records, as JSON.
    fn counts(&self) -> (String, String) {
        let account = locked(&self.account);
        (json!(account.files).to_string(), json!(account.records).to_string())
    }
}

fn locked(account: &Mutex<Account>) -> MutexGuard<'_, Account> {
    account.lock().unwrap_or_else(PoisonError::into_inner)
}

#[pyfunction]
#[pyo3(signature = (inputs, options, url_is_default=false))]
pub fn read(inputs: &Bound<'_, PyAny>, options: &Bound<'_, PyDict>, url_is_default: bool) -> PyResult<DocumentReader> {
    let (input, options) = (input(inputs)?, PythonOptions::new(options)?);
    let (account, control) = (Arc::new(Mutex::new(Account::default())), Arc::new(JobControl::default()));
    let (sender, receiver) = sync_channel(AHEAD);
    let mut reading = ReadingOptions {
        fields: options.given.fields(),
        url_is_default,
        on_error: options.given.on_error,
        chunk: options.given.chunk,
        finding: options.given.finding().map_err(|error| raised(inputs.py(), &error))?,
        callables: options.callables()?,
        archives: Vec::new(),
        sender,
        account: Arc::clone(&account),
        control: Arc::clone(&control),
    };
    std::thread::spawn(move || {
        // A closed channel means the end of the input: a panic must not look like that.
        let done = catch_unwind(AssertUnwindSafe(|| reading.go(input)));
        if let Err(error) = done.unwrap_or_else(|_| Err(Error::Data("the input cannot be read on: a fault inside neardup".to_owned()))) {
            // The reader may be gone; then the error is not needed.
            let _ = reading.sender.send(Err(error));
        }
    });
    Ok(DocumentReader { state: Mutex::new(ReaderState { receiver, rows: Vec::new().into_iter() }), account, control })
}

struct ReadingOptions {
    fields: neardup_corpus::Fields,
    /// Whether the field of the URL was not named: then records need not have it.
    url_is_default: bool,
    on_error: OnError,
    chunk: usize,
    finding: FindOptions,
    callables: BorrowedCallables,
    /// The web archives among the files.
    archives: Vec<PathBuf>,
    sender: SyncSender<RecordBatchMessage>,
    account: Arc<Mutex<Account>>,
    control: Arc<JobControl>,
}

impl ReadingOptions {
    fn go(&mut self, input: Input) -> Result<(), Error> {
        let folder = tempfile::tempdir().map_err(|error| Error::Data(format!("work folder: {error}")))?;
        match input {
            Input::Files(names) => {
                let mut found = discover(&names, &self.finding)?;
                spool(&mut found, folder.path(), &self.finding, self.on_error, &self.control)?;
                locked(&self.account).files = Files::of(&found, &Discovered::default());
                let named = self.asked();
                refuse_texts_of_archives(&self.fields, found.sources.iter())?;
                refuse_unknown(&named, false, Vec::new(), found.sources.iter())?;
                self.fields.may_lack = found.sources.len() > 1;
                self.archives = archives(&found.sources).collect();
                found.sources.iter().try_for_each(|source| self.source(source, folder.path()))?;
                let account = locked(&self.account);
                refuse_missing(&named, account.lacking, account.records.read, found.sources.iter())
            }
            Input::Streams(streams) => {
                let in_streams = streams.iter().flat_map(|stream| stream.fields.iter().cloned()).collect();
                refuse_unknown(&self.asked(), false, in_streams, std::iter::empty())?;
                self.fields.may_lack = streams.len() > 1;
                streams.into_iter().try_for_each(|stream| self.stream(stream, folder.path()))
            }
        }
    }

    /// Returns the fields that the caller named.
    fn asked(&self) -> neardup_corpus::Fields {
        neardup_corpus::Fields { url: self.fields.url.clone().filter(|_| !self.url_is_default), ..self.fields.clone() }
    }

    fn source(&self, source: &Source, folder: &Path) -> Result<(), Error> {
        self.each(&source.name, folder, |options, send| read_source(source, &self.fields, options, send))
    }

    fn stream(&self, stream: BatchStream, folder: &Path) -> Result<(), Error> {
        let name = &stream.name;
        let mut batches = stream.batches.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.each(name, folder, |options, send| {
            let options = ReadOptions { spools_batches: !stream.is_in_memory, ..*options };
            read_batches(name, &mut *batches, &self.fields, &options, send)
        })
    }

    /// Sends the records that `read` reads from a source, in order.
    fn each(
        &self,
        name: &str,
        folder: &Path,
        read: impl FnOnce(&ReadOptions<'_>, &dyn ChunkWork<(), Error>) -> Result<neardup_corpus::Read<()>, Error>,
    ) -> Result<(), Error> {
        let (extract, archive) =
            (|pages: &[Cow<'_, str>]| self.callables.extract(pages), |path: &Path, all: &[PathBuf]| self.callables.archive(path, all));
        let spool = folder.join("texts");
        // One thread, so that chunks are read in order.
        let options = ReadOptions {
            threads: 1,
            chunk_bytes: self.chunk,
            on_error: self.on_error,
            extract: Some(&extract),
            archive: Some(&archive),
            archives: &self.archives,
            ..ReadOptions::new(&self.control, &spool)
        };
        let before = AtomicU64::new(0);
        let send = |chunk: &Chunk<'_>| {
            for flags in chunk.records.iter().map(|record| record.lacks.flags()) {
                locked(&self.account).lacking.iter_mut().zip(flags).for_each(|(sum, lacks)| *sum += u64::from(lacks));
            }
            let before = before.fetch_add(chunk.rows, Ordering::Relaxed);
            let rows = chunk.records.iter().map(|record| row(record, name, before)).collect();
            self.sender.send(Ok(rows)).map_err(|_| Error::from(neardup_corpus::Error::Cancelled))
        };
        let read = read(&options, &send)?;
        let mut account = locked(&self.account);
        account.records.count(&read);
        let local = account.lacking[MissingFields::ZONE];
        if local > 0 {
            account.records.flaws.insert(LOCAL_TIME.to_owned(), local);
        }
        account.rejects.extend(read.rejects);
        Ok(())
    }
}

fn row(record: &Record<'_>, source: &str, before: u64) -> RecordTuple {
    let row = before + record.row;
    let id = record.id.as_deref().map_or_else(|| format!("{source}:{row}"), str::to_owned);
    (id, record.text.decode().into_owned(), record.url.as_deref().map(str::to_owned), record.time.map(Time::of), source.to_owned(), row)
}
