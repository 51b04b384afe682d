//! Tables in memory, shared with Arrow libraries.

use crate::errors::{data, raised, usage};
use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::types::{Float64Type, Int64Type, UInt32Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, LargeStringArray, RecordBatch, RecordBatchIterator, RecordBatchReader, StringArray, StructArray,
    UInt64Array, make_array,
};
use arrow_cast::cast;
use arrow_cast::display::array_value_to_string;
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_pyarrow::FromPyArrow;
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use arrow_select::filter::filter_record_batch;
use arrow_select::take::take_record_batch;
use neardup_engine::write_table;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyList, PyType};
use std::path::PathBuf;
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
    #[staticmethod]
    pub fn of_stream(py: Python<'_>, stream: &Bound<'_, PyAny>) -> PyResult<Self> {
        let reader = ArrowArrayStreamReader::from_pyarrow_bound(stream)?;
        let schema = reader.schema();
        let batches =
            py.detach(|| reader.collect::<Result<_, _>>()).map_err(|error: ArrowError| data(py, format!("the input failed: {error}")))?;
        Ok(ArrowTable { schema, batches })
    }

    #[staticmethod]
    fn of_array(py: Python<'_>, array: ArrowColumn, name: &str) -> PyResult<Self> {
        let batch = match array.0.as_struct_opt() {
            Some(rows) if rows.null_count() == 0 => RecordBatch::from(StructArray::clone(rows)),
            _ => {
                let schema = Schema::new(vec![Field::new(name, array.0.data_type().clone(), true)]);
                RecordBatch::try_new(Arc::new(schema), vec![array.0]).map_err(|error| data(py, error.to_string()))?
            }
        };
        Ok(ArrowTable { schema: batch.schema(), batches: vec![batch] })
    }

    #[staticmethod]
    fn of_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let read = || {
            let reader = StreamReader::try_new(bytes, None)?;
            Ok(ArrowTable { schema: reader.schema(), batches: reader.collect::<Result<_, _>>()? })
        };
        read().map_err(|error: ArrowError| data(py, format!("the bytes are no table: {error}")))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let write = || {
            let mut writer = StreamWriter::try_new(Vec::new(), &self.schema)?;
            self.batches.iter().try_for_each(|batch| writer.write(batch))?;
            writer.into_inner()
        };
        let bytes = py.detach(write).map_err(|error: ArrowError| data(py, error.to_string()))?;
        Ok((PyType::new::<Self>(py).getattr("of_bytes")?, (PyBytes::new(py, &bytes),)))
    }

    fn slice(&self, start: usize, len: usize) -> Self {
        let (mut skipped, mut left, mut batches) = (start, len, Vec::new());
        for batch in &self.batches {
            let first = skipped.min(batch.num_rows());
            let rows = left.min(batch.num_rows() - first);
            if rows > 0 {
                batches.push(batch.slice(first, rows));
            }
            (skipped, left) = (skipped - first, left - rows);
        }
        ArrowTable { schema: Arc::clone(&self.schema), batches }
    }

    fn take(&self, py: Python<'_>, rows: Vec<usize>) -> PyResult<Self> {
        let mut stays = vec![false; self.__len__()];
        for row in rows {
            let stays = stays.get_mut(row).ok_or_else(|| usage(py, format!("there is no row {row}; rows are counted from 0")))?;
            *stays = true;
        }
        let mut stays = stays.into_iter().map(Some);
        let filter = |batch: &RecordBatch| filter_record_batch(batch, &stays.by_ref().take(batch.num_rows()).collect::<BooleanArray>());
        let batches = self.batches.iter().map(filter).collect::<Result<_, _>>().map_err(|error| data(py, error.to_string()))?;
        Ok(ArrowTable { schema: Arc::clone(&self.schema), batches })
    }

    fn reversed(&self, py: Python<'_>) -> PyResult<Self> {
        let reverse = |batch: &RecordBatch| {
            let rows: UInt64Array = (0..batch.num_rows() as u64).rev().collect();
            take_record_batch(batch, &rows)
        };
        let batches = self.batches.iter().rev().map(reverse).collect::<Result<_, _>>().map_err(|error| data(py, error.to_string()))?;
        Ok(ArrowTable { schema: Arc::clone(&self.schema), batches })
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(&self, py: Python<'py>, requested_schema: Option<Bound<'py, PyCapsule>>) -> PyResult<Bound<'py, PyCapsule>> {
        stream(py, &self.schema, self.batches.clone().into_iter().map(Ok), requested_schema)
    }

    fn with_texts(&self, py: Python<'_>, name: &str, texts: Vec<Option<String>>) -> PyResult<Self> {
        let place = self.place(py, name)?;
        if texts.len() != self.__len__() {
            return Err(usage(py, format!("there are {} texts for {} rows", texts.len(), self.__len__())));
        }
        let mut left = texts.into_iter();
        let replace = |batch: &RecordBatch| {
            let mut columns = batch.columns().to_vec();
            let own: LargeStringArray = left.by_ref().take(batch.num_rows()).collect();
            columns[place] = cast(&own, columns[place].data_type())?;
            RecordBatch::try_new(batch.schema(), columns)
        };
        let batches = self.batches.iter().map(replace).collect::<Result<_, _>>().map_err(|error| data(py, error.to_string()))?;
        Ok(ArrowTable { schema: Arc::clone(&self.schema), batches })
    }

    fn numbered(&self, py: Python<'_>, name: &str) -> PyResult<Self> {
        if self.schema.column_with_name(name).is_some() {
            return Err(usage(py, format!("there is a column \"{name}\" already; give another name for the numbers")));
        }
        let fields = self.schema.fields().iter().cloned().chain([Arc::new(Field::new(name, DataType::Utf8, false))]);
        let schema = Arc::new(Schema::new_with_metadata(fields.collect::<Fields>(), self.schema.metadata().clone()));
        let mut numbers = 1_u64..;
        let append = |batch: &RecordBatch| {
            let own = StringArray::from_iter_values(numbers.by_ref().take(batch.num_rows()).map(|number| number.to_string()));
            let columns = batch.columns().iter().cloned().chain([Arc::new(own) as ArrayRef]);
            RecordBatch::try_new(Arc::clone(&schema), columns.collect())
        };
        let batches = self.batches.iter().map(append).collect::<Result<_, _>>().map_err(|error| data(py, error.to_string()))?;
        Ok(ArrowTable { schema, batches })
    }

    fn write_parquet(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let whole = concat_batches(&self.schema, &self.batches).map_err(|error| data(py, error.to_string()))?;
        py.detach(|| write_table(&path, &whole)).map_err(|error| raised(py, &error))
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        let index = self.place(py, name)?;
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

impl ArrowTable {
    fn place(&self, py: Python<'_>, name: &str) -> PyResult<usize> {
        let unknown = |_| usage(py, format!("there is no column \"{name}\"; there are {}", self.column_names().join(", ")));
        self.schema.index_of(name).map_err(unknown)
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
    if column.is_null(row) || *column.data_type() == DataType::Null {
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
        DataType::Binary => PyBytes::new(py, column.as_binary::<i32>().value(row)).into_bound_py_any(py),
        DataType::LargeBinary => PyBytes::new(py, column.as_binary::<i64>().value(row)).into_bound_py_any(py),
        DataType::List(_) => list(py, &column.as_list::<i32>().value(row)),
        DataType::LargeList(_) => list(py, &column.as_list::<i64>().value(row)),
        DataType::Struct(fields) => {
            let values = PyDict::new(py);
            for (field, own) in fields.iter().zip(column.as_struct().columns()) {
                values.set_item(field.name(), value(py, own, row)?)?;
            }
            values.into_bound_py_any(py)
        }
        kind if kind.is_integer() => value(py, &converted(py, &column.slice(row, 1), &DataType::Int64)?, 0),
        kind if kind.is_floating() => value(py, &converted(py, &column.slice(row, 1), &DataType::Float64)?, 0),
        DataType::Dictionary(_, kind) => value(py, &converted(py, &column.slice(row, 1), kind)?, 0),
        // Other values are written: dates and times by ISO 8601, decimals in full.
        _ => array_value_to_string(column, row).map_err(|error| data(py, error.to_string()))?.into_bound_py_any(py),
    }
}

fn list<'py>(py: Python<'py>, items: &ArrayRef) -> PyResult<Bound<'py, PyAny>> {
    let values: Vec<_> = (0..items.len()).map(|item| value(py, items, item)).collect::<PyResult<_>>()?;
    PyList::new(py, values)?.into_bound_py_any(py)
}

fn converted(py: Python<'_>, column: &ArrayRef, kind: &DataType) -> PyResult<ArrayRef> {
    cast(column, kind).map_err(|error| data(py, error.to_string()))
}
