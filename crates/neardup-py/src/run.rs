//! Jobs.

use crate::errors::{raised, usage};
use crate::options::{Callables, Options, Seen};
use crate::table::Table;
use crate::waiting::watched;
use arrow::array::{AsArray, BooleanArray};
use arrow::compute::filter_record_batch;
use arrow::datatypes::UInt64Type;
use neardup_engine::{Outcome, Verb, Watch, read_table};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

#[pyclass(module = "neardup._core", frozen)]
pub struct Result {
    summary: String,
    name: &'static str,
    made: Made,
    seen: Option<Table>,
}

/// The table a job made.
enum Made {
    Here(Table),
    /// A file of the output folder; it is read when somebody asks.
    There(PathBuf),
}

#[pymethods]
impl Result {
    #[getter]
    fn summary(&self) -> &str {
        &self.summary
    }

    #[getter]
    fn tables(&self) -> Vec<&'static str> {
        std::iter::once(self.name).chain(self.seen.as_ref().map(|_| "kept")).collect()
    }

    fn table(&self, py: Python<'_>, name: &str) -> PyResult<Table> {
        match &self.seen {
            _ if name == self.name => self.made(py),
            Some(seen) if name == "kept" => kept(py, seen, &self.made(py)?),
            _ => Err(usage(py, format!("there is no table \"{name}\"; there are: {}", self.tables().join(", ")))),
        }
    }
}

impl Result {
    fn made(&self, py: Python<'_>) -> PyResult<Table> {
        match &self.made {
            Made::Here(table) => Ok(table.clone()),
            Made::There(path) => {
                let (schema, batches) = py.detach(|| read_table(path)).map_err(|error| raised(py, &error))?;
                Ok(Table { schema, batches })
            }
        }
    }
}

#[pyfunction]
#[pyo3(signature = (verb, inputs, options, progress=None))]
pub fn run(
    py: Python<'_>,
    verb: &str,
    inputs: &Bound<'_, PyAny>,
    options: &Bound<'_, PyDict>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Result> {
    let verb = match verb {
        "dedup" => Verb::Dedup,
        "cluster" => Verb::Cluster,
        "pairs" => Verb::Pairs,
        other => return Err(usage(py, format!("there is no verb \"{other}\"; there are dedup, cluster, pairs"))),
    };
    let name = verb.table();
    let options = Options::new(options);
    let (doors, seen, watch) = (options.doors()?, Seen::default(), Watch::default());
    let (extract, archive) = (|pages: &[Cow<'_, str>]| doors.extract(pages), |path: &Path| doors.archive(path));
    let callables = Callables { extract: Some(&extract), archive: Some(&archive) };
    // Somebody may ask for the result after going to another folder.
    let output = options.output()?.map(|folder| std::path::absolute(&folder).unwrap_or(folder));
    let job = options.job(verb, inputs, callables, &seen)?;
    let outcome = watched(py, progress, &watch, || neardup_engine::run(job, &watch))?;
    let seen = seen.lock().unwrap_or_else(PoisonError::into_inner).take().filter(|_| verb == Verb::Dedup);
    let Outcome { summary, table, .. } = outcome;
    let made = match (table, output) {
        (Some((schema, batches)), _) => Made::Here(Table { schema, batches }),
        (None, folder) => Made::There(folder.unwrap_or_default().join(format!("{name}.parquet"))),
    };
    Ok(Result { summary, name, made, seen })
}

/// The rows of a stream that stay; a row that was skipped has no decision, and does not.
fn kept(py: Python<'_>, table: &Table, decisions: &Table) -> PyResult<Table> {
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
    Ok(Table { schema: table.schema.clone(), batches })
}
