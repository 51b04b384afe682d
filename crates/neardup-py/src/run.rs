//! Jobs.

use crate::errors::usage;
use crate::options::{Callables, Options, Seen};
use crate::table::Table;
use crate::waiting::watched;
use arrow::array::BooleanArray;
use arrow::compute::filter_record_batch;
use neardup_engine::{Outcome, Verb, Watch};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::borrow::Cow;
use std::path::Path;
use std::sync::PoisonError;

#[pyclass(module = "neardup._core", frozen)]
pub struct Result {
    summary: String,
    tables: Vec<(&'static str, Table)>,
}

#[pymethods]
impl Result {
    #[getter]
    fn summary(&self) -> &str {
        &self.summary
    }

    #[getter]
    fn tables(&self) -> Vec<&'static str> {
        self.tables.iter().map(|(name, _)| *name).collect()
    }

    fn table(&self, py: Python<'_>, name: &str) -> PyResult<Table> {
        let found = self.tables.iter().find(|(known, _)| *known == name);
        found.map(|(_, table)| table.clone()).ok_or_else(|| usage(py, format!("there is no table \"{name}\"; there are: {}", self.tables().join(", "))))
    }
}

#[pyfunction]
#[pyo3(signature = (verb, inputs, options, progress=None))]
pub fn run(py: Python<'_>, verb: &str, inputs: &Bound<'_, PyAny>, options: &Bound<'_, PyDict>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Result> {
    let (verb, name) = match verb {
        "dedup" => (Verb::Dedup, "decisions"),
        "cluster" => (Verb::Cluster, "clusters"),
        "pairs" => (Verb::Pairs, "pairs"),
        other => return Err(usage(py, format!("there is no verb \"{other}\"; there are dedup, cluster, pairs"))),
    };
    let options = Options::new(options);
    let (doors, seen, watch) = (options.doors()?, Seen::default(), Watch::default());
    let (extract, archive) = (|pages: &[Cow<'_, str>]| doors.extract(pages), |path: &Path| doors.archive(path));
    let callables = Callables { extract: Some(&extract), archive: Some(&archive) };
    let job = options.job(verb, inputs, callables, &seen)?;
    let outcome = watched(py, progress, &watch, || neardup_engine::run(job, &watch))?;
    let seen = seen.lock().unwrap_or_else(PoisonError::into_inner).take();
    let kept = seen.filter(|_| verb == Verb::Dedup).map(|table| kept(py, table, &outcome.kept)).transpose()?;
    let Outcome { summary, table, .. } = outcome;
    let made = table.map(|(schema, batches)| (name, Table { schema, batches }));
    Ok(Result { summary, tables: made.into_iter().chain(kept.map(|table| ("kept", table))).collect() })
}

/// The rows of a stream that stay.
fn kept(py: Python<'_>, table: Table, kept: &[bool]) -> PyResult<Table> {
    let mut rows = kept.iter().copied();
    let mut batches = Vec::with_capacity(table.batches.len());
    for batch in &table.batches {
        let stays: BooleanArray = rows.by_ref().take(batch.num_rows()).map(Some).collect();
        batches.push(filter_record_batch(batch, &stays).map_err(|error| usage(py, error.to_string()))?);
    }
    Ok(Table { schema: table.schema, batches })
}
