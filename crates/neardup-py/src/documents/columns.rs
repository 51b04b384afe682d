//! Columns of Python values as one table.

use crate::documents::table::ArrowTable;
use crate::errors::data;
use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, LargeBinaryBuilder, LargeStringBuilder};
use arrow_array::{ArrayRef, ListArray, RecordBatch, RecordBatchOptions, StructArray, new_null_array};
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, Fields, Schema};
use neardup_corpus::REASONS;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A value that is not of the kind of the values before it: the path of its column, its row from 0, and its type.
type OddValue = (String, usize, String);

/// A value of a column and the row that it belongs to. `None` is a missing value.
type RowValue<'py> = (usize, Option<Bound<'py, PyAny>>);

#[pyfunction]
#[pyo3(signature = (names, columns, reasons=None))]
pub fn collect_columns<'py>(
    py: Python<'_>,
    mut names: Vec<String>,
    mut columns: Vec<Bound<'py, PyList>>,
    reasons: Option<Bound<'py, PyList>>,
) -> PyResult<(ArrowTable, Vec<OddValue>)> {
    let mut metadata = HashMap::new();
    if let Some(reasons) = reasons {
        metadata.insert(REASONS.to_owned(), REASONS.to_owned());
        names.push(REASONS.to_owned());
        columns.push(reasons);
    }
    let mut builder = ColumnBuilder { odd: Vec::new() };
    let rows = columns.first().map_or(0, |column| column.len());
    let mut arrays = Vec::with_capacity(names.len());
    for (name, column) in names.iter().zip(&columns) {
        let cells = column.iter().enumerate().map(|(row, value)| (row, present(value))).collect();
        arrays.push(builder.column(name, cells)?);
    }
    let fields: Fields = names.iter().zip(&arrays).map(|(name, array)| Field::new(name, array.data_type().clone(), true)).collect();
    let schema = Arc::new(Schema::new_with_metadata(fields, metadata));
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    let batch = RecordBatch::try_new_with_options(Arc::clone(&schema), arrays, &options).map_err(|error| data(py, error.to_string()))?;
    Ok((ArrowTable { schema, batches: vec![batch] }, builder.odd))
}

fn present(value: Bound<'_, PyAny>) -> Option<Bound<'_, PyAny>> {
    (!value.is_none()).then_some(value)
}

/// The kind of a value, as far as it decides the type of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueKind {
    Truth,
    Whole,
    Number,
    Text,
    Bytes,
    Record,
    Many,
    Other,
}

impl ValueKind {
    fn of(value: &Bound<'_, PyAny>) -> ValueKind {
        // In Python, True is an integer.
        if value.is_instance_of::<PyString>() {
            ValueKind::Text
        } else if value.is_instance_of::<PyBool>() {
            ValueKind::Truth
        } else if value.is_instance_of::<PyInt>() {
            ValueKind::Whole
        } else if value.is_instance_of::<PyFloat>() {
            ValueKind::Number
        } else if value.is_instance_of::<PyBytes>() {
            ValueKind::Bytes
        } else if value.is_instance_of::<PyDict>() {
            ValueKind::Record
        } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
            ValueKind::Many
        } else {
            ValueKind::Other
        }
    }

    /// Returns the kind of a column that has values of both kinds; `None` if they are written as texts.
    fn with(self, other: ValueKind) -> Option<ValueKind> {
        match (self, other) {
            _ if self == other => Some(self),
            (ValueKind::Whole, ValueKind::Number) | (ValueKind::Number, ValueKind::Whole) => Some(ValueKind::Number),
            _ => None,
        }
    }
}

struct ColumnBuilder {
    odd: Vec<OddValue>,
}

impl ColumnBuilder {
    fn column(&mut self, path: &str, cells: Vec<RowValue<'_>>) -> PyResult<ArrayRef> {
        let mut kind = None;
        for (row, value) in cells.iter().filter_map(|(row, value)| Some((row, value.as_ref()?))) {
            let own = ValueKind::of(value);
            kind = match kind {
                None => Some(own),
                Some(before) => match own.with(before) {
                    Some(both) => Some(both),
                    None => {
                        self.odd.push((path.to_owned(), *row, value.get_type().name()?.to_string()));
                        return written(&cells);
                    }
                },
            };
        }
        match kind {
            None => Ok(new_null_array(&DataType::LargeUtf8, cells.len())),
            Some(ValueKind::Truth) => filled(&cells, BooleanBuilder::new(), |array, value| {
                array.append_option(value.map(|value| value.extract::<bool>()).transpose()?);
                Ok(())
            }),
            Some(ValueKind::Whole) if cells.iter().flat_map(|(_, value)| value).all(|value| value.extract::<i64>().is_ok()) => {
                filled(&cells, Int64Builder::new(), |array, value| {
                    array.append_option(value.map(|value| value.extract::<i64>()).transpose()?);
                    Ok(())
                })
            }
            Some(ValueKind::Number) => filled(&cells, Float64Builder::new(), |array, value| {
                array.append_option(value.map(|value| value.extract::<f64>()).transpose()?);
                Ok(())
            }),
            Some(ValueKind::Bytes) => filled(&cells, LargeBinaryBuilder::new(), |array, value| {
                array.append_option(value.map(|value| value.extract::<&[u8]>()).transpose()?);
                Ok(())
            }),
            Some(ValueKind::Record) => self.records(path, &cells),
            Some(ValueKind::Many) => self.lists(path, &cells),
            Some(ValueKind::Whole | ValueKind::Text | ValueKind::Other) => written(&cells),
        }
    }

    fn records(&mut self, path: &str, cells: &[RowValue<'_>]) -> PyResult<ArrayRef> {
        let (mut names, mut known) = (Vec::new(), HashSet::new());
        for (_, value) in cells {
            let Some(record) = value else { continue };
            for key in record.cast::<PyDict>()?.keys() {
                let key = key.str()?.to_string();
                if known.insert(key.clone()) {
                    names.push(key);
                }
            }
        }
        let mut columns = Vec::with_capacity(names.len());
        for name in &names {
            let mut own = Vec::with_capacity(cells.len());
            for (row, record) in cells {
                let value = record.as_ref().map(|record| record.cast::<PyDict>()?.get_item(name)).transpose()?;
                own.push((*row, value.flatten().and_then(present)));
            }
            columns.push(self.column(&format!("{path}.{name}"), own)?);
        }
        let fields: Fields = names.iter().zip(&columns).map(|(name, array)| Field::new(name, array.data_type().clone(), true)).collect();
        let nulls = NullBuffer::from(cells.iter().map(|(_, value)| value.is_some()).collect::<Vec<_>>());
        Ok(Arc::new(StructArray::try_new_with_length(fields, columns, Some(nulls), cells.len()).map_err(unusable)?))
    }

    fn lists(&mut self, path: &str, cells: &[RowValue<'_>]) -> PyResult<ArrayRef> {
        let (mut items, mut ends) = (Vec::new(), vec![0]);
        for (row, value) in cells {
            if let Some(list) = value {
                for item in list.try_iter()? {
                    items.push((*row, present(item?)));
                }
            }
            ends.push(i32::try_from(items.len()).map_err(|_| unusable("a column of lists has at most 2^31 items in all"))?);
        }
        let items = self.column(path, items)?;
        let nulls = NullBuffer::from(cells.iter().map(|(_, value)| value.is_some()).collect::<Vec<_>>());
        let field = Arc::new(Field::new_list_field(items.data_type().clone(), true));
        Ok(Arc::new(ListArray::try_new(field, OffsetBuffer::new(ScalarBuffer::from(ends)), items, Some(nulls)).map_err(unusable)?))
    }
}

fn unusable(error: impl ToString) -> PyErr {
    Python::attach(|py| data(py, error.to_string()))
}

/// Fills a column from its values.
fn filled<'py, B: arrow_array::builder::ArrayBuilder>(
    cells: &[RowValue<'py>],
    mut array: B,
    push: impl Fn(&mut B, Option<&Bound<'py, PyAny>>) -> PyResult<()>,
) -> PyResult<ArrayRef> {
    cells.iter().try_for_each(|(_, value)| push(&mut array, value.as_ref()))?;
    Ok(array.finish())
}

/// Writes the values as texts: a truth value as in JSON, a date or time by ISO 8601, any other as Python writes it.
fn written(cells: &[RowValue<'_>]) -> PyResult<ArrayRef> {
    filled(cells, LargeStringBuilder::new(), |array, value| {
        let Some(value) = value else {
            array.append_null();
            return Ok(());
        };
        match ValueKind::of(value) {
            ValueKind::Text => array.append_value(value.extract::<&str>()?),
            ValueKind::Truth => array.append_value(value.extract::<bool>()?.to_string()),
            ValueKind::Other if value.hasattr("isoformat")? => array.append_value(value.call_method0("isoformat")?.str()?.to_string()),
            _ => array.append_value(value.str()?.to_string()),
        }
        Ok(())
    })
}
