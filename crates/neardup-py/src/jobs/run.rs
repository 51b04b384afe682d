//! Jobs.

use crate::documents::table::ArrowTable;
use crate::errors::{raised, usage};
use crate::jobs::options::{Callables, PythonOptions, ReadStream};
use crate::system::waiting::{Callbacks, watched};
use arrow_array::BooleanArray;
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_select::filter::filter_record_batch;
use neardup_engine::{Outcome, Verb, Watch, read_table};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

#[pyclass(module = "neardup._core", frozen)]
pub struct JobResult {
    summary: String,
    /// Tables that the job made, the main one first.
    made: Vec<(&'static str, JobTable)>,
    seen: Option<ArrowTable>,
}

/// A table that a job made.
enum JobTable {
    Here(ArrowTable),
    /// A file of the output folder, which is read on request.
    There(PathBuf),
}

impl JobTable {
    fn table(&self, py: Python<'_>) -> PyResult<ArrowTable> {
        match self {
            JobTable::Here(table) => Ok(table.clone()),
            JobTable::There(path) => {
                let (schema, batches) = py.detach(|| read_table(path)).map_err(|error| raised(py, &error))?;
                Ok(ArrowTable { schema, batches })
            }
        }
    }
}

#[pymethods]
impl JobResult {
    #[getter]
    fn summary(&self) -> &str {
        &self.summary
    }

    #[getter]
    fn tables(&self) -> Vec<&'static str> {
        self.made.iter().map(|(name, _)| *name).chain(self.seen.as_ref().map(|_| "kept")).collect()
    }

    fn table(&self, py: Python<'_>, name: &str) -> PyResult<ArrowTable> {
        let made = |wanted: &str| self.made.iter().find(|(name, _)| *name == wanted).map(|(_, made)| made.table(py));
        match (made(name), &self.seen) {
            (Some(table), _) => table,
            (None, Some(seen)) if name == "kept" => kept(py, seen, &made("decisions").ok_or_else(|| usage(py, "there are no decisions"))??),
            _ => Err(usage(py, format!("there is no table \"{name}\"; there are: {}", self.tables().join(", ")))),
        }
    }
}

impl JobResult {
    /// Returns the result of a job: its tables are in memory, or files with these names in `output`.
    pub fn new(outcome: Outcome, output: Option<PathBuf>, names: &[&'static str], seen: Option<ArrowTable>) -> Self {
        let Outcome { summary, tables } = outcome;
        let there = |folder: PathBuf| names.iter().map(|name| (*name, JobTable::There(folder.join(format!("{name}.parquet"))))).collect();
        let here = || tables.into_iter().map(|(name, schema, batches)| (name, JobTable::Here(ArrowTable { schema, batches }))).collect();
        JobResult { summary, made: output.map_or_else(here, there), seen }
    }
}

#[pyfunction]
#[pyo3(signature = (verb, inputs, options, progress=None, notice=None))]
pub fn run(
    py: Python<'_>,
    verb: &str,
    inputs: &Bound<'_, PyAny>,
    options: &Bound<'_, PyDict>,
    progress: Option<Py<PyAny>>,
    notice: Option<Py<PyAny>>,
) -> PyResult<JobResult> {
    let verb = match verb {
        "dedup" => Verb::Dedup,
        "cluster" => Verb::Cluster,
        "pairs" => Verb::Pairs,
        "sketch" => Verb::Sketch,
        "passages" => Verb::Passages,
        other => return Err(usage(py, format!("there is no verb \"{other}\"; there are dedup, cluster, pairs, sketch, passages"))),
    };
    let options = PythonOptions::new(options)?;
    let (callables, seen, watch) = (options.callables()?, ReadStream::default(), Watch::default());
    let (extract, archive) = (|pages: &[Cow<'_, str>]| callables.extract(pages), |path: &Path| callables.archive(path));
    let callables = Callables { extract: Some(&extract), archive: Some(&archive) };
    let output = options.output();
    let job = options.job(verb, inputs, callables, &seen)?;
    let output = output.filter(|_| !job.streams());
    let names = job.tables();
    let outcome = watched(py, &Callbacks { progress, notice }, &watch, || neardup_engine::run(job, &watch))?;
    let seen = seen.lock().unwrap_or_else(PoisonError::into_inner).take().filter(|_| verb == Verb::Dedup);
    Ok(JobResult::new(outcome, output, &names, seen))
}

/// Returns the rows of a stream that are kept. A row that was skipped has no decision, and is not kept.
fn kept(py: Python<'_>, table: &ArrowTable, decisions: &ArrowTable) -> PyResult<ArrowTable> {
    let mut stays = vec![false; table.batches.iter().map(|batch| batch.num_rows()).sum()];
    for batch in &decisions.batches {
        let (rows, verdicts) = (batch["row"].as_primitive::<UInt64Type>(), batch["verdict"].as_string::<i32>());
        for (row, verdict) in rows.values().iter().zip(verdicts) {
            // Rows are counted from 1.
            if let Some(stays) = stays.get_mut(*row as usize - 1) {
                *stays = verdict == Some("keep");
            }
        }
    }
    let mut stays = stays.into_iter().map(Some);
    let filtered =
        table.batches.iter().map(|batch| filter_record_batch(batch, &stays.by_ref().take(batch.num_rows()).collect::<BooleanArray>()));
    let batches = filtered.collect::<std::result::Result<_, _>>().map_err(|error| usage(py, error.to_string()))?;
    Ok(ArrowTable { schema: table.schema.clone(), batches })
}
