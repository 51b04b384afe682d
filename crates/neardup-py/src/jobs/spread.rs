//! A distributed run: its driver, and its tasks over packed messages.

use crate::documents::table::{ArrowColumn, ArrowTable};
use crate::errors::{data, raised, usage};
use crate::jobs::options::{Callables, PythonOptions};
use crate::system::waiting::{Callbacks, watched};
use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, BinaryArray, Int8Array, Int32Array, RecordBatch};
use arrow_buffer::{Buffer, OffsetBuffer};
use arrow_schema::{ArrowError, SchemaRef};
use neardup_engine::distributed::{self, Division, Plan, Row, SentTables, StageName, StageStep, StageTask, TableSize};
use neardup_engine::{Error, Input, Job, Verb, Watch};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A stage as Python sees it: its number and name, its parts, the kept rows that it takes, and messages.
type StageTuple = (i8, &'static str, u32, Vec<(String, i8)>, ArrowTable);

/// Calls `work` with the job that the options describe.
fn with_job<R: Send>(
    options: &Bound<'_, PyDict>,
    verb: &str,
    inputs: &Bound<'_, PyAny>,
    work: impl FnOnce(&mut Job<'_>, &Watch) -> Result<R, Error> + Send,
) -> PyResult<R> {
    let py = options.py();
    let verb = match verb {
        "dedup" => Verb::Dedup,
        "cluster" => Verb::Cluster,
        "pairs" => Verb::Pairs,
        other => return Err(usage(py, format!("{other} is no verb of a distributed run"))),
    };
    let options = PythonOptions::new(options)?;
    let (callables, watch) = (options.callables()?, Watch::default());
    let (extract, archive) =
        (|pages: &[Cow<'_, str>]| callables.extract(pages), |path: &Path, all: &[PathBuf]| callables.archive(path, all));
    let fetch = |path: &Path, bytes: Option<Range<u64>>, folder: &Path| callables.fetch(path, bytes, folder);
    let mut job = options.job(verb, inputs, Callables { extract: Some(&extract), archive: Some(&archive) })?;
    job.fetch = callables.fetches().then_some(&fetch);
    watched(py, &Callbacks::default(), &watch, || work(&mut job, &watch))
}

/// Bytes of the messages of a batch, if one message has not more.
const BATCH: usize = 1 << 20;

fn rows_table(py: Python<'_>, rows: Vec<Row>) -> PyResult<ArrowTable> {
    let fail = |error: ArrowError| data(py, error.to_string());
    let batch = |rows: Vec<Row>| {
        let (stages, parts): (Vec<i8>, Vec<i32>) = rows.iter().map(|row| (row.stage as i8, row.part as i32)).unzip();
        let lengths: Vec<usize> = rows.iter().map(|row| row.packed.len()).collect();
        // Most bytes are in large messages, which are not copied.
        let bytes = rows.into_iter().map(|row| row.packed).reduce(|mut bytes, more| {
            bytes.extend_from_slice(&more);
            bytes
        });
        let packed = BinaryArray::try_new(OffsetBuffer::from_lengths(lengths), Buffer::from_vec(bytes.unwrap_or_default()), None)?;
        let (stages, parts) = (Int8Array::from(stages), Int32Array::from(parts));
        RecordBatch::try_from_iter([("stage", Arc::new(stages) as ArrayRef), ("part", Arc::new(parts)), ("packed", Arc::new(packed))])
    };
    let (schema, mut batches, mut rows) = (batch(Vec::new()).map_err(fail)?.schema(), Vec::new(), rows.into_iter().peekable());
    while let Some(first) = rows.next() {
        let mut size = first.packed.len();
        let mut some = vec![first];
        while let Some(row) = rows.next_if(|row| size + row.packed.len() <= BATCH) {
            size += row.packed.len();
            some.push(row);
        }
        batches.push(batch(some).map_err(fail)?);
    }
    Ok(ArrowTable { schema, batches })
}

/// The driver of a distributed run.
#[pyclass(module = "neardup._core", frozen)]
pub struct RunDriver {
    driver: Mutex<distributed::Driver>,
    verb: String,
    options: Py<PyDict>,
}

#[pymethods]
impl RunDriver {
    #[new]
    #[pyo3(signature = (verb, inputs, options, *, cores, tables=None, by_id=false, connected=None, family=None, home=None, output=None))]
    #[expect(clippy::too_many_arguments, reason = "Python names them")]
    fn new(
        verb: &str,
        inputs: &Bound<'_, PyAny>,
        options: &Bound<'_, PyDict>,
        cores: u32,
        tables: Option<Vec<(u64, u64)>>,
        by_id: bool,
        connected: Option<u64>,
        family: Option<u64>,
        home: Option<u64>,
        output: Option<PathBuf>,
    ) -> PyResult<Self> {
        let division = Division::for_cores(cores);
        let division = Division {
            connected: connected.unwrap_or(division.connected),
            family: family.unwrap_or(division.family),
            home: home.map_or(division.home, |bytes| [bytes; 2]),
            ..division
        };
        let sizes = tables.map(|tables| tables.into_iter().map(|(rows, bytes)| TableSize { rows, bytes }).collect());
        let driver = with_job(options, verb, inputs, |job, _| {
            let inputs = if let Input::Streams(streams) = &job.input { streams.len() } else { 0 };
            distributed::Driver::new(job, division, sizes.map(|sizes| SentTables { sizes, inputs, by_id }), output)
        })?;
        Ok(RunDriver { driver: Mutex::new(driver), verb: verb.to_owned(), options: options.clone().unbind() })
    }

    #[getter]
    fn plan<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let packed = self.lock().plan().pack().map_err(|error| raised(py, &error))?;
        Ok(PyBytes::new(py, &packed))
    }

    #[pyo3(signature = (root=None))]
    fn identity<'py>(&self, py: Python<'py>, root: Option<&str>) -> PyResult<Bound<'py, PyBytes>> {
        let identity = self.lock().identity(root).map_err(|error| raised(py, &error))?;
        Ok(PyBytes::new(py, &identity))
    }

    #[getter]
    fn tables(&self) -> Vec<&'static str> {
        self.lock().tables()
    }

    #[getter]
    fn lexicon_files(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.lock().lexicon_files().map_err(|error| raised(py, &error))
    }

    #[getter]
    fn lexicon<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let lexicon = self.lock().lexicon().cloned();
        let packed = lexicon.map(|lexicon| py.detach(|| distributed::pack_lexicon(&lexicon)).map_err(|error| raised(py, &error)));
        packed.map(|packed| Ok(PyBytes::new(py, &packed?))).transpose()
    }

    fn begin_past(&self, py: Python<'_>, output: PathBuf) -> PyResult<()> {
        self.lock().begin_past(&output).map_err(|error| raised(py, &error))
    }

    fn close_past(&self, py: Python<'_>) -> PyResult<()> {
        self.lock().close_past().map_err(|error| raised(py, &error))
    }

    fn homes_of(&self, table: usize) -> (u32, u32) {
        let homes = self.lock().homes_of(table);
        (homes.start, homes.end - homes.start)
    }

    fn pack(&self, py: Python<'_>, table: usize, stream: &Bound<'_, PyAny>) -> PyResult<ArrowTable> {
        let rows = ArrowTable::of_stream(py, stream)?;
        let packed = py.detach(|| self.lock().pack(table, &rows.batches)).map_err(|error| raised(py, &error))?;
        rows_table(py, packed)
    }

    fn next(&self, py: Python<'_>) -> PyResult<Option<(String, Vec<StageTuple>)>> {
        let Some(step) = self.lock().next().map_err(|error| raised(py, &error))? else { return Ok(None) };
        let stage = |step: StageStep| {
            let inputs = step.inputs.into_iter().map(|(name, stage)| (name, stage as i8)).collect();
            Ok((step.stage as i8, step.stage.name(), step.parts, inputs, rows_table(py, step.messages)?))
        };
        Ok(Some((step.name, step.stages.into_iter().map(stage).collect::<PyResult<_>>()?)))
    }

    fn take(&self, py: Python<'_>, name: &str, tallies: Vec<Vec<u8>>) -> PyResult<()> {
        let tallies: Vec<&[u8]> = tallies.iter().map(Vec::as_slice).collect();
        self.with_job(py, |driver, job| driver.take(job, name, &tallies))
    }

    fn summary(&self, py: Python<'_>, engine: &str, phases: Vec<(String, f64)>) -> PyResult<String> {
        self.with_job(py, |driver, job| driver.summary(job, engine, &phases))
    }
}

impl RunDriver {
    fn lock(&self) -> std::sync::MutexGuard<'_, distributed::Driver> {
        self.driver.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with_job<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut distributed::Driver, &Job<'_>) -> Result<R, Error> + Send,
    ) -> PyResult<R> {
        let options = self.options.bind(py);
        with_job(options, &self.verb, PyList::empty(py).as_any(), |job, _| {
            work(&mut self.driver.lock().unwrap_or_else(PoisonError::into_inner), job)
        })
    }
}

#[pyfunction]
pub fn needed_columns(py: Python<'_>, table: &Bound<'_, PyAny>, options: &Bound<'_, PyDict>) -> PyResult<Vec<String>> {
    let schema: SchemaRef = ArrowTable::of_stream(py, table)?.schema;
    let needed = with_job(options, "dedup", PyList::empty(py).as_any(), |job, _| {
        distributed::needed("the DataFrame", &RecordBatch::new_empty(schema), &job.fields)
    })?;
    Ok(needed.schema().fields().iter().map(|field| field.name().clone()).collect())
}

#[pyfunction]
pub fn pack_rows(py: Python<'_>, home: u32, number: u32, rows: &Bound<'_, PyAny>) -> PyResult<ArrowTable> {
    let batches = ArrowTable::of_stream(py, rows)?.batches;
    let mut packed = Vec::new();
    for batch in &batches {
        packed.extend(distributed::pack(home, number + packed.len() as u32, batch).map_err(|error| raised(py, &error))?);
    }
    rows_table(py, packed)
}

#[pyfunction]
#[pyo3(signature = (plan, verb, stage, part, packed, options, lexicon=None, output=None))]
#[expect(clippy::too_many_arguments, reason = "Python names them")]
pub fn run_stage(
    py: Python<'_>,
    plan: &[u8],
    verb: &str,
    stage: usize,
    part: u32,
    packed: Vec<ArrowColumn>,
    options: &Bound<'_, PyDict>,
    lexicon: Option<&[u8]>,
    output: Option<PathBuf>,
) -> PyResult<ArrowTable> {
    let mut plan = Plan::of_packed(plan).map_err(|error| raised(py, &error))?;
    plan.output = output.or(plan.output);
    let Some(&stage) = StageName::ALL.get(stage) else { return Err(usage(py, format!("there is no stage {stage}"))) };
    let lexicon = lexicon.map(|packed| distributed::unpack_lexicon(packed).map_err(|error| raised(py, &error))).transpose()?;
    let rows = with_job(options, verb, PyList::empty(py).as_any(), |job, watch| {
        let packed: Vec<&[u8]> = packed.iter().flat_map(|column| column.array().as_binary::<i32>().iter().flatten()).collect();
        StageTask { job, plan: &plan, stage, part, lexicon, watch }.run(&packed)
    })?;
    rows_table(py, rows)
}
