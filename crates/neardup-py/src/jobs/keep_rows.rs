//! Writing files again without some of their rows.

use crate::errors::raised;
use crate::jobs::options::{PythonOptions, input};
use neardup_corpus::{
    Chunk, ChunkWork, JobControl, ReadOptions, Source, SourceSpan, check_targets, discover, keep as keep_source, read as read_source, spool,
};
use neardup_engine::{Error, Input};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of threads that write a file.
const THREADS: usize = 2;

#[pyfunction]
#[pyo3(signature = (inputs, options, dropped, folder, url_is_default=false))]
pub fn keep_rows(
    py: Python<'_>,
    inputs: &Bound<'_, PyAny>,
    options: &Bound<'_, PyDict>,
    dropped: HashMap<String, Vec<u64>>,
    folder: PathBuf,
    url_is_default: bool,
) -> PyResult<usize> {
    let (input, options) = (input(inputs)?, PythonOptions::new(options)?);
    let (given, callables) = (options.given.clone(), options.callables()?);
    let Input::Files(names) = input else { return Err(raised(py, &Error::Usage("only rows of files can be kept".to_owned()))) };
    let work = || -> Result<usize, Error> {
        let scratch = tempfile::tempdir().map_err(|error| Error::Data(format!("work folder: {error}")))?;
        let (extract, archive) =
            (|pages: &[Cow<'_, str>]| callables.extract(pages), |path: &Path, all: &[PathBuf]| callables.archive(path, all));
        let (control, texts) = (JobControl::default(), scratch.path().join("texts"));
        let finding = given.finding()?;
        let mut found = discover(&names, &finding)?;
        spool(&mut found, &scratch.path().join("copies"), &finding, given.on_error, &control)?;
        let sources = found.sources;
        check_targets(&sources)?;
        let every: Vec<PathBuf> = neardup_corpus::archives(&sources).collect();
        let mut fields = given.fields();
        fields.may_lack = sources.len() > 1 || url_is_default;
        let mut every_leaving = Vec::new();
        for source in &sources {
            // One thread, so that rows are counted in order.
            let options = ReadOptions {
                threads: 1,
                on_error: given.on_error,
                extract: Some(&extract),
                archive: Some(&archive),
                archives: &every,
                is_kept: true,
                ..ReadOptions::new(&control, &texts)
            };
            every_leaving.push(Leaving::of(source, &fields, &options, dropped.get(&source.name).map_or(&[][..], Vec::as_slice))?);
        }
        let mut needed: HashMap<PathBuf, HashSet<u64>> = HashMap::new();
        for (path, offset) in every_leaving.iter_mut().flat_map(|leaving| leaving.needed.drain(..)) {
            needed.entry(path).or_default().insert(offset);
        }
        let mut responses = 0;
        for (source, mut leaving) in sources.iter().zip(every_leaving) {
            responses += needed.get(&source.path).map_or(0, |offsets| leaving.leave_responses(offsets));
            keep_source(source, &leaving.spans(), &folder.join(&source.root_relative), THREADS, &control)?;
        }
        Ok(responses)
    };
    py.detach(work).map_err(|error| raised(py, &error))
}

/// What is left out of a source.
struct Leaving {
    /// Places of the dropped rows.
    dropped: Vec<SourceSpan>,
    /// Places of the rejected records.
    rejected: Vec<SourceSpan>,
    /// Path and offset of the responses to which revisits refer that stay.
    needed: Vec<(PathBuf, u64)>,
}

impl Leaving {
    /// Reads a source, of which the rows in `dropped`, which are ascending, and the rejected records are left out.
    fn of(source: &Source, fields: &neardup_corpus::Fields, options: &ReadOptions<'_>, dropped: &[u64]) -> Result<Leaving, Error> {
        let (before, spans) = (AtomicU64::new(0), Mutex::new(Vec::new()));
        let is_dropped = |row: u64| dropped.binary_search(&row).is_ok();
        let take = |chunk: &Chunk<'_>| {
            let before = before.fetch_add(chunk.rows, Ordering::Relaxed);
            let leaves = chunk.records.iter().filter(|record| is_dropped(before + record.row));
            spans.lock().unwrap_or_else(PoisonError::into_inner).extend(leaves.map(|record| record.span));
            Ok(())
        };
        let take: &dyn ChunkWork<(), Error> = &take;
        let read = read_source(source, fields, options, take)?;
        let stay = read.revisits.into_iter().filter(|(row, _)| !is_dropped(*row));
        Ok(Leaving {
            dropped: spans.into_inner().unwrap_or_else(PoisonError::into_inner),
            rejected: read.rejects.iter().filter_map(SourceSpan::of_reject).collect(),
            needed: stay.map(|(_, response)| (response.path, response.offset)).collect(),
        })
    }

    /// Lets the dropped responses stay to which kept revisits refer: a revisit has no content of its own. Returns their number.
    fn leave_responses(&mut self, offsets: &HashSet<u64>) -> usize {
        let before = self.dropped.len();
        self.dropped.retain(|span| !offsets.contains(&span.offset));
        before - self.dropped.len()
    }

    /// Returns all places, in order.
    fn spans(self) -> Vec<SourceSpan> {
        let mut spans = [self.dropped, self.rejected].concat();
        spans.sort_unstable();
        spans.dedup();
        spans
    }
}
