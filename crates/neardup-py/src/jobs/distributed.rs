//! A task of an engine that spreads a run over many machines.

use crate::documents::table::{ArrowColumn, ArrowTable};
use crate::errors::{raised, usage};
use crate::jobs::options::{Callables, PythonOptions};
use crate::scheme::{Scheme, parse};
use crate::system::waiting::{Callbacks, watched};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt32Type};
use arrow_array::{ArrayRef, Int64Array, RecordBatch, UInt32Array};
use arrow_pyarrow::PyArrowType;
use neardup_core::pass::compiled::CompiledPass;
use neardup_engine::distributed::KeyLink;
use neardup_engine::{Error, Job, Verb, Watch, distributed};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

/// A pass, and how its documents are read: the kernels of its tasks.
#[pyclass(module = "neardup._core", frozen)]
pub struct Tasks {
    options: Py<PyDict>,
    pass: CompiledPass,
}

#[pymethods]
impl Tasks {
    #[new]
    fn new(py: Python<'_>, options: &Bound<'_, PyDict>, lists: bool) -> PyResult<Self> {
        let verb = if lists { Verb::Pairs } else { Verb::Dedup };
        let job = PythonOptions::new(options)?.job(verb, PyList::empty(py).as_any(), NOTHING)?;
        let pass = distributed::compiled(&job).map_err(|error| raised(py, &error))?;
        Ok(Tasks { options: options.clone().unbind(), pass })
    }

    fn sign(&self, py: Python<'_>, inputs: &Bound<'_, PyAny>) -> PyResult<ArrowTable> {
        self.work(py, inputs, distributed::sign_rows)
    }

    fn count(&self, py: Python<'_>, inputs: &Bound<'_, PyAny>, groups: ArrowColumn) -> PyResult<ArrowTable> {
        let groups = groups.array().as_primitive::<Int64Type>().values();
        self.work(py, inputs, |job, pass, watch| distributed::count_rows(job, pass, groups, watch))
    }

    fn hosts(&self, py: Python<'_>, inputs: &Bound<'_, PyAny>) -> PyResult<ArrowTable> {
        self.work(py, inputs, distributed::host_rows)
    }

    #[getter]
    fn caps(&self) -> Vec<Option<u32>> {
        self.pass.kinds.iter().map(|kind| kind.cap).collect()
    }

    #[getter]
    fn limits(&self) -> Vec<(Option<u32>, bool, Option<u32>)> {
        let limits = distributed::KeyLimits::of(&self.pass, usize::MAX);
        limits.into_iter().map(|limits| (limits.cap, limits.drops, limits.above)).collect()
    }

    #[getter]
    fn lexicon(&self) -> Option<&str> {
        self.pass.weigher.lexicon().map(|lexicon| lexicon.digest())
    }

    #[getter]
    fn frame(&self) -> Option<usize> {
        self.pass.features.frame().map(|frame| frame.terms().len())
    }

    #[getter]
    fn shortest(&self) -> usize {
        self.pass.features.tokens()
    }

    fn key_groups(&self, py: Python<'_>) -> PyResult<KeyGroups> {
        let job = PythonOptions::new(self.options.bind(py))?.job(Verb::Dedup, PyList::empty(py).as_any(), NOTHING)?;
        Ok(KeyGroups(distributed::KeyGroups::new(&self.pass, job.options.max_family)))
    }
}

impl Tasks {
    /// Calls `work` with a job over the documents of one stream.
    fn work(
        &self,
        py: Python<'_>,
        inputs: &Bound<'_, PyAny>,
        work: impl FnOnce(&mut Job<'_>, &CompiledPass, &Watch) -> Result<RecordBatch, Error> + Send,
    ) -> PyResult<ArrowTable> {
        let options = PythonOptions::new(self.options.bind(py))?;
        let (callables, watch) = (options.callables()?, Watch::default());
        let extract = |pages: &[Cow<'_, str>]| callables.extract(pages);
        let mut job = options.job(Verb::Dedup, inputs, Callables { extract: Some(&extract), archive: None })?;
        let batch = watched(py, &Callbacks::default(), &watch, || work(&mut job, &self.pass, &watch))?;
        Ok(ArrowTable { schema: batch.schema(), batches: vec![batch] })
    }
}

#[pyfunction]
pub fn chosen_scheme(options: &Bound<'_, PyDict>) -> PyResult<Scheme> {
    PythonOptions::new(options)?.scheme().map(Scheme)
}

#[pyfunction]
pub fn what_counts(py: Python<'_>, line: &str) -> PyResult<Option<(u64, u64)>> {
    let scheme = parse(py, line)?;
    let counts = distributed::CountedTerms::of(&scheme.passes()[0]).map_err(|error| raised(py, &error))?;
    Ok(match counts {
        distributed::CountedTerms::Nothing => None,
        distributed::CountedTerms::Terms => Some((0, 0)),
        distributed::CountedTerms::Frame([numerator, denominator]) => Some((numerator, denominator)),
    })
}

#[pyfunction]
pub fn write_lexicon(py: Python<'_>, line: &str, documents: u64, terms: ArrowColumn, counts: ArrowColumn, path: PathBuf) -> PyResult<()> {
    let scheme = parse(py, line)?;
    let [terms, counts] = [&terms, &counts].map(|column| column.array().as_primitive::<Int64Type>().values());
    distributed::write_lexicon(&scheme.passes()[0], documents, terms, counts, &path).map_err(|error| raised(py, &error))
}

/// Links rows that share a key.
#[pyclass(module = "neardup._core", frozen)]
pub struct KeyGroups(distributed::KeyGroups);

#[pymethods]
impl KeyGroups {
    fn combine(&self, py: Python<'_>, keys: ArrowColumn, parts: u32) -> PyResult<(ArrowTable, ArrowTable)> {
        let combined = py.detach(|| {
            let lists = keys.array().as_list::<i32>();
            let (values, offsets) = (lists.values().as_primitive::<Int64Type>().values(), lists.offsets());
            self.0.combine(offsets.windows(2).map(|ends| &values[ends[0] as usize..ends[1] as usize]), parts)
        });
        let (links, keys) = (&combined.links, long(combined.keys));
        let column = |value: fn(&KeyLink) -> u32| numbers(links.iter().map(value).collect());
        let parts = column(|link| link.part);
        let link_keys = long(links.iter().map(|link| link.key).collect());
        let (left, right) = (column(|link| link.left), column(|link| link.right));
        let rows = vec![
            ("part", numbers(combined.parts)),
            ("key", keys),
            ("row", numbers(combined.documents)),
            ("weight", long(combined.weights)),
        ];
        let links = vec![("part", parts), ("key", link_keys), ("left", left), ("right", right)];
        Ok((columns(py, rows)?, columns(py, links)?))
    }

    fn link(&self, py: Python<'_>, keys: ArrowColumn, weights: ArrowColumn, sketches: ArrowColumn) -> PyResult<(ArrowTable, ArrowTable)> {
        let findings = py.detach(|| {
            let [keys, weights] = [&keys, &weights].map(|column| column.array().as_primitive::<Int64Type>().values());
            let known: Vec<&[u8]> = sketches.array().as_binary::<i32>().iter().map(Option::unwrap_or_default).collect();
            self.0.link(keys, weights, &known)
        });
        let links = columns(py, vec![("left", numbers(findings.left)), ("right", numbers(findings.right))])?;
        let common = vec![("row", numbers(findings.sample)), ("key", long(findings.keys)), ("size", long(findings.sizes))];
        Ok((links, columns(py, common)?))
    }
}

#[pyfunction]
pub fn families(py: Python<'_>, left: ArrowColumn, right: ArrowColumn, count: usize) -> PyResult<ArrowTable> {
    let roots = py.detach(|| {
        let [left, right] = [&left, &right].map(|side| side.array().as_primitive::<UInt32Type>().values());
        distributed::families(left, right, count)
    });
    columns(py, vec![("root", numbers(roots))])
}

const NOTHING: Callables<'_> = Callables { extract: None, archive: None };

fn numbers(numbers: Vec<u32>) -> ArrayRef {
    Arc::new(UInt32Array::from(numbers))
}

fn long(numbers: Vec<i64>) -> ArrayRef {
    Arc::new(Int64Array::from(numbers))
}

fn columns(py: Python<'_>, columns: Vec<(&str, ArrayRef)>) -> PyResult<ArrowTable> {
    let batch = RecordBatch::try_from_iter(columns).map_err(|error| usage(py, error.to_string()))?;
    Ok(ArrowTable { schema: batch.schema(), batches: vec![batch] })
}

#[pyfunction]
pub fn sum_rows<'py>(py: Python<'py>, batch: PyArrowType<RecordBatch>) -> PyResult<Bound<'py, PyBytes>> {
    let sum = py.detach(|| distributed::sum_rows(&batch.0)).map_err(|error| raised(py, &error))?;
    Ok(PyBytes::new(py, &sum))
}

#[pyfunction]
pub fn merge_sums<'py>(py: Python<'py>, sums: Vec<Vec<u8>>) -> PyResult<Bound<'py, PyBytes>> {
    let sum = distributed::merge_sums(&sums).map_err(|error| raised(py, &error))?;
    Ok(PyBytes::new(py, &sum))
}

#[pyfunction]
pub fn digest_sums(py: Python<'_>, table: &str, sums: Vec<Vec<u8>>) -> PyResult<String> {
    distributed::digest(table, &sums).map_err(|error| raised(py, &error))
}
