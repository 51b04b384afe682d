//! Documents of files and streams, one after another.

use crate::documents::time::Time;
use crate::errors::raised;
use crate::jobs::options::{Doors, Options, input};
use neardup_corpus::{
    Chunk, Control, Format, OnError, ReadOptions, Record, Reject, Source, Work, discover, read as read_source, read_batches, read_files,
    read_records, spool_stdin,
};
use neardup_engine::{Error, Input, Stream};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

type Row = (String, String, Option<String>, Option<Time>, String, u64);
type Message = Result<Vec<Row>, Error>;

/// Chunks that are read ahead.
const AHEAD: usize = 4;

#[pyclass(module = "neardup._core", frozen)]
pub struct Reader {
    state: Mutex<State>,
    rejects: Arc<Mutex<Vec<Reject>>>,
    control: Arc<Control>,
}

struct State {
    receiver: Receiver<Message>,
    rows: std::vec::IntoIter<Row>,
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.control.cancel();
    }
}

#[pymethods]
impl Reader {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Row>> {
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
        let rejects = self.rejects.lock().unwrap_or_else(PoisonError::into_inner);
        rejects.iter().map(|reject| (reject.source.clone(), reject.row, reject.reason.clone())).collect()
    }
}

#[pyfunction]
pub fn read(inputs: &Bound<'_, PyAny>, options: &Bound<'_, PyDict>) -> PyResult<Reader> {
    let (input, options) = (input(inputs, None)?, Options::new(options)?);
    let (rejects, control) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Control::default()));
    let (sender, receiver) = sync_channel(AHEAD);
    let reading = Reading {
        fields: options.given.fields(),
        on_error: options.given.on_error,
        chunk: options.given.chunk,
        doors: options.doors()?,
        sender,
        rejects: Arc::clone(&rejects),
        control: Arc::clone(&control),
    };
    std::thread::spawn(move || {
        // An end without a word is that of the input: a panic must not look so.
        let done = catch_unwind(AssertUnwindSafe(|| reading.go(input)));
        if let Err(error) = done.unwrap_or_else(|_| Err(Error::Data("the input cannot be read on: a fault inside neardup".to_owned()))) {
            // The reader may be gone; then nobody asks.
            let _ = reading.sender.send(Err(error));
        }
    });
    Ok(Reader { state: Mutex::new(State { receiver, rows: Vec::new().into_iter() }), rejects, control })
}

struct Reading {
    fields: neardup_corpus::Fields,
    on_error: OnError,
    chunk: usize,
    doors: Doors,
    sender: SyncSender<Message>,
    rejects: Arc<Mutex<Vec<Reject>>>,
    control: Arc<Control>,
}

impl Reading {
    fn go(&self, input: Input) -> Result<(), Error> {
        let folder = tempfile::tempdir().map_err(|error| Error::Data(format!("work folder: {error}")))?;
        match input {
            Input::Files(names) => {
                let mut sources = discover(&names)?.sources;
                spool_stdin(&mut sources, &folder.path().join("stdin.jsonl"), &self.control)?;
                sources.iter().try_for_each(|source| self.source(source, folder.path()))
            }
            Input::Streams(streams) => {
                (1..).zip(streams).try_for_each(|(number, stream)| self.stream(&u64::to_string(&number), stream, folder.path()))
            }
        }
    }

    fn source(&self, source: &Source, folder: &Path) -> Result<(), Error> {
        self.each(&source.name, folder, |options, send| match source.format {
            Format::Plain | Format::Markup => read_files(std::slice::from_ref(source), options, send),
            Format::Archive => {
                let mut records = self.doors.archive(&source.path).map_err(|error| Error::Data(format!("{}: {error}", source.name)))?;
                read_records(&source.name, &mut records, false, options, send)
            }
            _ => read_source(source, &self.fields, options, send),
        })
    }

    fn stream(&self, name: &str, stream: Stream, folder: &Path) -> Result<(), Error> {
        let mut batches = stream.batches.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.each(name, folder, |options, send| {
            let options = ReadOptions { spools_batches: !stream.is_in_memory, ..*options };
            read_batches(name, &mut *batches, &self.fields, &options, send)
        })
    }

    /// Hands on what `read` reads of a source, in order.
    fn each(
        &self,
        name: &str,
        folder: &Path,
        read: impl FnOnce(&ReadOptions<'_>, &dyn Work<(), Error>) -> Result<neardup_corpus::Read<()>, Error>,
    ) -> Result<(), Error> {
        let (spool, extract) = (folder.join("texts"), |pages: &[Cow<'_, str>]| self.doors.extract(pages));
        // One thread, so that chunks come in order.
        let options = ReadOptions {
            threads: 1,
            chunk_bytes: self.chunk,
            on_error: self.on_error,
            extract: Some(&extract),
            ..ReadOptions::new(&self.control, &spool)
        };
        let before = AtomicU64::new(0);
        let send = |chunk: &Chunk<'_>| {
            let before = before.fetch_add(chunk.rows, Ordering::Relaxed);
            let rows = chunk.records.iter().map(|record| row(record, name, before)).collect();
            self.sender.send(Ok(rows)).map_err(|_| Error::from(neardup_corpus::Error::Cancelled))
        };
        let read = read(&options, &send)?;
        self.rejects.lock().unwrap_or_else(PoisonError::into_inner).extend(read.rejects);
        Ok(())
    }
}

fn row(record: &Record<'_>, source: &str, before: u64) -> Row {
    let row = before + record.row;
    let id = record.id.as_deref().map_or_else(|| format!("{source}:{row}"), str::to_owned);
    (id, record.text.decode().into_owned(), record.url.as_deref().map(str::to_owned), record.time.map(Time::of), source.to_owned(), row)
}
