//! Columns of numbers by which documents are ordered.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Float64Array};
use arrow_cast::cast;
use arrow_schema::DataType;

use super::values::ValueColumn;
use crate::records::fields::FieldRoles;
use crate::records::number;

/// A column of numbers.
#[derive(Clone, Debug)]
pub(crate) enum NumberColumn {
    Written(ValueColumn),
    Counted(Float64Array),
}

impl NumberColumn {
    /// Converts a column of numbers or of texts.
    pub fn new(column: &ArrayRef) -> Option<NumberColumn> {
        match column.data_type() {
            kind if kind.is_numeric() => Some(NumberColumn::Counted(cast(column, &DataType::Float64).ok()?.as_primitive().clone())),
            _ => ValueColumn::texts(column).map(NumberColumn::Written),
        }
    }

    /// Returns the place of the number of a row in the order of numbers; `None` for a missing one.
    ///
    /// # Errors
    /// The message names a value that is no number.
    pub fn get(&self, row: usize, roles: &FieldRoles) -> Result<Option<i64>, String> {
        match self {
            NumberColumn::Written(column) => {
                let text = column.get(row).map_err(|value| roles.refuse_number(value))?;
                text.map_or(Ok(None), |text| roles.parse_number(text))
            }
            NumberColumn::Counted(column) if column.is_null(row) => Ok(None),
            // NaN is a missing number, as pandas writes one.
            NumberColumn::Counted(column) => Ok(number::place(column.value(row))),
        }
    }
}
