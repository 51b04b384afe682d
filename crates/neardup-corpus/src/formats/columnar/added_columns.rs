//! Adding columns to the rows of a columnar file.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use crate::keep::{AddedField, AddedRow, AddedValue};

/// Returns the schema with the added columns at its end. They are nullable, since rows that are no documents have no values.
pub(super) fn schema(schema: &SchemaRef, added: &[AddedField]) -> SchemaRef {
    let kind = |field: &AddedField| if field.is_number { DataType::Int64 } else { DataType::Utf8 };
    let more = added.iter().map(|field| Arc::new(Field::new(&field.name, kind(field), true)));
    let fields: Vec<_> = schema.fields().iter().cloned().chain(more).collect();
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
}

/// Returns the rows with the added columns of `schema` at the end.
pub(super) fn with_columns(batch: &RecordBatch, schema: &SchemaRef, rows: &[Option<AddedRow>]) -> Result<RecordBatch, ArrowError> {
    let own = batch.num_columns();
    let column = |(place, field): (usize, &Arc<Field>)| -> ArrayRef {
        let values = rows.iter().map(|row| row.as_ref().and_then(|row| row.values.get(place)));
        match field.data_type() {
            DataType::Int64 => Arc::new(values.map(number).collect::<Int64Array>()),
            _ => Arc::new(values.map(|value| value.map(AddedValue::shown)).collect::<StringArray>()),
        }
    };
    let more = schema.fields()[own..].iter().enumerate().map(column);
    RecordBatch::try_new(Arc::clone(schema), batch.columns().iter().cloned().chain(more).collect())
}

fn number(value: Option<&AddedValue>) -> Option<i64> {
    match value {
        Some(AddedValue::Number(number)) => i64::try_from(*number).ok(),
        _ => None,
    }
}
