//! Python documents as one table.

use crate::documents::table::ArrowTable;
use crate::documents::time::Time;
use crate::errors::data;
use arrow_array::builder::{Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::Arc;

type DocumentItem = (Option<String>, Option<String>, Option<String>, Option<Time>, Option<String>);

/// Maximum number of rows in a batch.
const ROWS: usize = 1 << 16;
/// Maximum number of bytes of text in a batch: the offsets of a string column are 32 bits wide.
const BYTES: usize = 1 << 30;

#[pyfunction]
pub fn collect(py: Python<'_>, documents: &Bound<'_, PyAny>) -> PyResult<ArrowTable> {
    let mut columns = DocumentColumns::default();
    for (number, item) in (1..).zip(documents.try_iter()?) {
        let item: DocumentItem = item?.extract().map_err(|error| refused(py, number, &error))?;
        columns.push(item).map_err(|reason| data(py, format!("document {number}: {reason}")))?;
    }
    columns.finish().map_err(|error| data(py, error.to_string()))
}

/// Returns the error for an object that is not a document.
pub fn refused(py: Python<'_>, number: usize, error: &PyErr) -> PyErr {
    let allowed = if error.is_instance_of::<PyTypeError>(py) { "; allowed are str and neardup.Document" } else { "" };
    data(py, format!("document {number}: {}{allowed}", error.value(py)))
}

#[derive(Default)]
struct DocumentColumns {
    texts: [StringBuilder; 4],
    seconds: Int64Builder,
    written: StringBuilder,
    rows: usize,
    bytes: usize,
    has_ids: Option<bool>,
    /// Whether some times are texts: then all times are written as texts.
    are_written: bool,
    full: Vec<(Vec<ArrayRef>, Int64Array, StringArray)>,
}

impl DocumentColumns {
    fn push(&mut self, (id, text, url, time, source): DocumentItem) -> Result<(), &'static str> {
        if *self.has_ids.get_or_insert(id.is_some()) != id.is_some() {
            return Err("either every document has an id, or none has");
        }
        let len = text.as_ref().map_or(0, String::len);
        if len > BYTES {
            return Err("a text in memory has at most 1 GiB");
        }
        if self.rows == ROWS || self.bytes + len > BYTES {
            self.close();
        }
        let (seconds, written) = match time {
            Some(Time::Seconds(seconds)) => (Some(seconds), None),
            Some(Time::Written(written)) => (None, Some(written)),
            None => (None, None),
        };
        self.are_written |= written.is_some();
        self.rows += 1;
        self.bytes += len;
        let values = [id.as_deref(), text.as_deref(), url.as_deref(), source.as_deref()];
        self.texts.iter_mut().zip(values).for_each(|(column, value)| column.append_option(value));
        self.seconds.append_option(seconds);
        self.written.append_option(written);
        Ok(())
    }

    fn close(&mut self) {
        let [id, text, url, source] = self.texts.each_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        self.full.push((vec![id, text, url, source], self.seconds.finish(), self.written.finish()));
        (self.rows, self.bytes) = (0, 0);
    }

    fn finish(mut self) -> Result<ArrowTable, ArrowError> {
        self.close();
        // A column in which all ids are missing would claim that documents have ids.
        let first = usize::from(self.has_ids != Some(true));
        let schema = self.schema(first);
        let mut batches = Vec::with_capacity(self.full.len());
        for (mut arrays, seconds, written) in self.full {
            arrays.insert(3, if self.are_written { Arc::new(all_written(&seconds, &written)) } else { Arc::new(seconds) });
            batches.push(RecordBatch::try_new(Arc::clone(&schema), arrays.split_off(first))?);
        }
        Ok(ArrowTable { schema, batches })
    }

    fn schema(&self, first: usize) -> SchemaRef {
        let time = if self.are_written { DataType::Utf8 } else { DataType::Int64 };
        let kinds = [("id", DataType::Utf8), ("text", DataType::Utf8), ("url", DataType::Utf8), ("time", time), ("source", DataType::Utf8)];
        let fields: Vec<Field> = kinds.into_iter().skip(first).map(|(name, kind)| Field::new(name, kind, true)).collect();
        Arc::new(Schema::new(fields))
    }
}

/// Returns times as texts; the parser of times refuses a number that is not a time.
fn all_written(seconds: &Int64Array, written: &StringArray) -> StringArray {
    let write = |seconds: i64| seconds.checked_mul(1_000_000).and_then(neardup_corpus::write_time).unwrap_or_else(|| seconds.to_string());
    seconds.iter().zip(written).map(|(seconds, written)| written.map(str::to_owned).or_else(|| seconds.map(write))).collect()
}
