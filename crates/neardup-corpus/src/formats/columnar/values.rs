//! Columns whose values are used as texts: texts, ids and preferred values.

use std::collections::BTreeMap;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StringArray};
use arrow_cast::cast;
use arrow_cast::display::{ArrayFormatter, FormatOptions, array_value_to_string};
use arrow_schema::DataType;

use crate::records::decimal::Decimal;
use crate::texts::strings::TextColumn;

/// Number of bytes of a UUID.
const UUID: usize = 16;

/// Values of a column as texts.
#[derive(Clone, Debug)]
pub(crate) struct ValueColumn {
    pub texts: TextColumn,
    /// Values that are not null and cannot be a text, by their row.
    refused: BTreeMap<usize, String>,
}

impl ValueColumn {
    /// Converts a column of texts. Binary values must be UTF-8.
    pub fn texts(column: &ArrayRef) -> Option<ValueColumn> {
        let column = plain(column)?;
        Some(ValueColumn::checked(TextColumn::new(&column)?, &column))
    }

    /// Converts a column of ids: texts, integers, whole floats, decimals and UUIDs.
    pub fn ids(column: &ArrayRef) -> Option<ValueColumn> {
        let column = plain(column)?;
        let texts = match column.data_type() {
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => binary_ids(&column)?,
            kind if kind.is_floating() => numbers(&column, Decimal::is_whole)?,
            kind if kind.is_decimal() => numbers(&column, |_| true)?,
            _ => TextColumn::written(&column)?,
        };
        Some(ValueColumn::checked(texts, &column))
    }

    /// Converts a column of preferred values: texts, numbers, truth values and dates.
    pub fn preferred(column: &ArrayRef) -> Option<ValueColumn> {
        let column = plain(column)?;
        let texts = match column.data_type() {
            kind if kind.is_floating() || kind.is_decimal() => numbers(&column, |_| true)?,
            DataType::Date32 => TextColumn::new(&cast(&column, &DataType::Utf8).ok()?)?,
            _ => TextColumn::written(&column)?,
        };
        // A value that is no text, such as NaN, is none of the preferred ones.
        Some(ValueColumn { texts, refused: BTreeMap::new() })
    }

    /// Returns a column of texts, some of which could not be made. `refused` has the reasons by row.
    pub fn made(texts: TextColumn, refused: BTreeMap<usize, String>) -> ValueColumn {
        ValueColumn { texts, refused }
    }

    fn checked(texts: TextColumn, column: &ArrayRef) -> ValueColumn {
        let is_refused = |row: &usize| texts.get(*row).is_none() && !column.is_null(*row) && *column.data_type() != DataType::Null;
        let refused = if texts.nulls() == column.null_count() {
            BTreeMap::new()
        } else {
            let value = |row| (row, array_value_to_string(column, row).unwrap_or_default());
            (0..column.len()).filter(is_refused).map(value).collect()
        };
        ValueColumn { texts, refused }
    }

    /// Returns the value of a row, or `None` if it is null.
    ///
    /// # Errors
    /// The value, if it cannot be a text.
    #[inline]
    pub fn get(&self, row: usize) -> Result<Option<&str>, &str> {
        match self.texts.get(row) {
            None if !self.refused.is_empty() => self.refused.get(&row).map_or(Ok(None), |value| Err(value)),
            text => Ok(text),
        }
    }
}

/// Returns a column without dictionary or run ends.
fn plain(column: &ArrayRef) -> Option<ArrayRef> {
    match column.data_type() {
        DataType::Dictionary(_, values) => plain(&cast(column, values).ok()?),
        DataType::RunEndEncoded(_, values) => plain(&cast(column, values.data_type()).ok()?),
        _ => Some(column.clone()),
    }
}

/// Writes numbers in full. Those that are not `allowed` become null.
fn numbers(column: &ArrayRef, allowed: impl Fn(&Decimal) -> bool) -> Option<TextColumn> {
    let options = FormatOptions::new();
    let format = ArrayFormatter::try_new(column, &options).ok()?;
    let number = |row: usize| Decimal::parse(&format.value(row).to_string()).filter(&allowed)?.written();
    let texts: StringArray = (0..column.len()).map(|row| column.is_valid(row).then(|| number(row)).flatten()).collect();
    Some(TextColumn::Small(texts))
}

/// Writes 16 bytes as a UUID, and other bytes as the text that they are.
fn binary_ids(column: &ArrayRef) -> Option<TextColumn> {
    let is_fixed = *column.data_type() == DataType::FixedSizeBinary(UUID as i32);
    let bytes = cast(column, &DataType::LargeBinary).ok()?;
    let id = |bytes: &[u8]| {
        // A text of 16 bytes has no control characters, and nearly every UUID has some or is not UTF-8.
        let text = std::str::from_utf8(bytes).ok().filter(|text| !is_fixed && !text.contains(char::is_control));
        text.map(str::to_owned).or_else(|| uuid(bytes.try_into().ok()?))
    };
    Some(TextColumn::Small(bytes.as_binary::<i64>().iter().map(|bytes| bytes.and_then(id)).collect()))
}

/// Writes a UUID: 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.
fn uuid(bytes: [u8; UUID]) -> Option<String> {
    let digits = format!("{:032x}", u128::from_be_bytes(bytes));
    let groups = [0..8, 8..12, 12..16, 16..20, 20..32].map(|group| digits.get(group));
    Some(groups.into_iter().collect::<Option<Vec<_>>>()?.join("-"))
}
