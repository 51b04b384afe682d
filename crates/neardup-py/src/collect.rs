//! Python documents as one table.

use crate::errors::data;
use crate::table::Table;
use arrow::array::{ArrayRef, Int64Builder, RecordBatch, StringBuilder};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;
use pyo3::prelude::*;
use std::sync::Arc;

type Item = (Option<String>, String, Option<String>, Option<Time>, Option<String>);

/// Rows in a batch.
const ROWS: usize = 1 << 16;
/// Bytes of text in a batch: the offsets of a string column are 32 bits wide.
const BYTES: usize = 1 << 30;

/// A time as a document brings it.
#[derive(FromPyObject)]
pub enum Time {
    /// Unix seconds.
    Seconds(i64),
    /// A date or date-time.
    Written(String),
}

impl Time {
    /// In microseconds since 1970; the error names the value.
    pub fn micros(&self) -> Result<i64, String> {
        match self {
            Time::Seconds(seconds) => neardup_corpus::parse_seconds(&seconds.to_string()),
            Time::Written(written) => neardup_corpus::parse_time(written),
        }
    }
}

#[pyfunction]
pub fn collect(py: Python<'_>, documents: &Bound<'_, PyAny>) -> PyResult<Table> {
    let mut columns = Columns::default();
    for (number, item) in (1..).zip(documents.try_iter()?) {
        let refuse = |reason: String| data(py, format!("document {number}: {reason}"));
        let item: Item = item?.extract().map_err(|error| refuse(format!("{error}; allowed are str and neardup.Document")))?;
        columns.push(item).map_err(|reason| refuse(reason.to_owned()))?;
    }
    columns.finish().map_err(|error| data(py, error.to_string()))
}

#[derive(Default)]
struct Columns {
    texts: [StringBuilder; 4],
    seconds: Int64Builder,
    written: StringBuilder,
    rows: usize,
    bytes: usize,
    has_ids: Option<bool>,
    has_seconds: Option<bool>,
    full: Vec<Vec<ArrayRef>>,
}

impl Columns {
    fn push(&mut self, (id, text, url, time, source): Item) -> Result<(), &'static str> {
        if *self.has_ids.get_or_insert(id.is_some()) != id.is_some() {
            return Err("either every document has an id, or none has");
        }
        if text.len() > BYTES {
            return Err("a text in memory has at most 1 GiB");
        }
        if self.rows == ROWS || self.bytes + text.len() > BYTES {
            self.close();
        }
        let (seconds, written) = match time {
            Some(Time::Seconds(seconds)) => (Some(seconds), None),
            Some(Time::Written(written)) => (None, Some(written)),
            None => (None, None),
        };
        if (seconds.is_some() || written.is_some()) && *self.has_seconds.get_or_insert(seconds.is_some()) != seconds.is_some() {
            return Err("times are all integers, or all texts");
        }
        self.rows += 1;
        self.bytes += text.len();
        let values = [id.as_deref(), Some(&text), url.as_deref(), source.as_deref()];
        self.texts.iter_mut().zip(values).for_each(|(column, value)| column.append_option(value));
        self.seconds.append_option(seconds);
        self.written.append_option(written);
        Ok(())
    }

    fn close(&mut self) {
        let [id, text, url, source] = self.texts.each_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let (seconds, written) = (Arc::new(self.seconds.finish()) as ArrayRef, Arc::new(self.written.finish()) as ArrayRef);
        let time = if self.has_seconds == Some(true) { seconds } else { written };
        self.full.push(vec![id, text, url, time, source]);
        (self.rows, self.bytes) = (0, 0);
    }

    fn finish(mut self) -> Result<Table, ArrowError> {
        self.close();
        // A column of ids that are all missing would claim ids.
        let first = usize::from(self.has_ids != Some(true));
        let schema = self.schema(first);
        let (mut batches, time) = (Vec::with_capacity(self.full.len()), schema.field_with_name("time")?.data_type().clone());
        for mut arrays in self.full {
            // A batch that was full before the first time came has only missing ones.
            arrays[3] = arrow::compute::cast(&arrays[3], &time)?;
            batches.push(RecordBatch::try_new(Arc::clone(&schema), arrays.split_off(first))?);
        }
        Ok(Table { schema, batches })
    }

    fn schema(&self, first: usize) -> SchemaRef {
        let time = if self.has_seconds == Some(true) { DataType::Int64 } else { DataType::Utf8 };
        let kinds = [("id", DataType::Utf8), ("text", DataType::Utf8), ("url", DataType::Utf8), ("time", time), ("source", DataType::Utf8)];
        let fields: Vec<Field> = kinds.into_iter().skip(first).map(|(name, kind)| Field::new(name, kind, true)).collect();
        Arc::new(Schema::new(fields))
    }
}
