//! Tables in memory, shared with Arrow libraries.

use crate::errors::usage;
use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator, make_array};
use arrow_cast::cast;
use arrow_pyarrow::FromPyArrow;
use arrow_schema::{ArrowError, DataType, Schema, SchemaRef};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};
use std::sync::Arc;

/// An Arrow array, as Python passes it.
pub struct ArrowColumn(ArrayRef);

impl FromPyObject<'_, '_> for ArrowColumn {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        Ok(ArrowColumn(make_array(FromPyArrow::from_pyarrow_bound(&object)?)))
    }
}

impl ArrowColumn {
    /// Returns the array.
    pub fn array(&self) -> &ArrayRef {
        &self.0
    }
}

#[pyclass(module = "neardup._core", name = "Table", frozen, skip_from_py_object)]
#[derive(Clone)]
pub struct ArrowTable {
    pub schema: SchemaRef,
    pub batches: Vec<RecordBatch>,
}

#[pymethods]
impl ArrowTable {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(&self, py: Python<'py>, requested_schema: Option<Bound<'py, PyCapsule>>) -> PyResult<Bound<'py, PyCapsule>> {
        stream(py, &self.schema, self.batches.clone().into_iter().map(Ok), requested_schema)
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        let Ok(index) = self.schema.index_of(name) else {
            return Err(usage(py, format!("there is no column \"{name}\"; there are {}", self.column_names().join(", "))));
        };
        let values = PyList::empty(py);
        for batch in &self.batches {
            let column = batch.column(index);
            for row in 0..column.len() {
                values.append(value(py, column, row)?)?;
            }
        }
        Ok(values)
    }
}

/// Returns record batches as an Arrow C stream, cast to the schema that its reader requests.
pub fn stream<'py>(
    py: Python<'py>,
    schema: &SchemaRef,
    batches: impl Iterator<Item = Result<RecordBatch, ArrowError>> + Send + 'static,
    requested_schema: Option<Bound<'py, PyCapsule>>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let stream = match requested_schema {
        None => FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new(batches, Arc::clone(schema)))),
        Some(requested) => {
            let requested = Arc::new(Schema::from_pyarrow_bound(Bound::new(py, RequestedSchema(requested.unbind()))?.as_any())?);
            let target = Arc::clone(&requested);
            let batches = batches.map(move |batch| as_requested(&batch?, &target));
            FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new(batches, requested)))
        }
    };
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

/// A schema in a capsule, as an object with a schema.
#[pyclass(frozen)]
struct RequestedSchema(Py<PyCapsule>);

#[pymethods]
impl RequestedSchema {
    fn __arrow_c_schema__(&self, py: Python<'_>) -> Py<PyCapsule> {
        self.0.clone_ref(py)
    }
}

fn as_requested(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    let (given, requested) = (batch.columns(), schema.fields());
    if given.len() != requested.len() {
        let counts = format!("there are {} columns; the schema asked for has {}", given.len(), requested.len());
        return Err(ArrowError::SchemaError(counts));
    }
    let columns = given.iter().zip(requested).map(|(column, field)| cast(column, field.data_type()));
    RecordBatch::try_new(Arc::clone(schema), columns.collect::<Result<_, _>>()?)
}

fn value<'py>(py: Python<'py>, column: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if column.is_null(row) {
        return py.None().into_bound_py_any(py);
    }
    match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(row).into_bound_py_any(py),
        DataType::LargeUtf8 => column.as_string::<i64>().value(row).into_bound_py_any(py),
        DataType::Utf8View => column.as_string_view().value(row).into_bound_py_any(py),
        DataType::Boolean => column.as_boolean().value(row).into_bound_py_any(py),
        DataType::UInt32 => column.as_primitive::<UInt32Type>().value(row).into_bound_py_any(py),
        DataType::UInt64 => column.as_primitive::<UInt64Type>().value(row).into_bound_py_any(py),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).into_bound_py_any(py),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).into_bound_py_any(py),
        DataType::List(_) => {
            let items = column.as_list::<i32>().value(row);
            let values: Vec<_> = (0..items.len()).map(|item| value(py, &items, item)).collect::<PyResult<_>>()?;
            PyList::new(py, values)?.into_bound_py_any(py)
        }
        other => Err(usage(py, format!("a column of type {other} is read through Arrow, not as a list"))),
    }
}
