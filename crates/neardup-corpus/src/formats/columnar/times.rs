//! Columns of times.

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, Int64Array};
use arrow_cast::cast;
use arrow_cast::display::array_value_to_string;
use arrow_schema::DataType;

use super::values::ValueColumn;
use crate::records::time::{Moment, TimeUnit, of_count, of_integer, of_number, read_time, refuse};

/// A column of times.
#[derive(Clone, Debug)]
pub(crate) enum TimeColumn {
    /// Texts.
    Written(ValueColumn, TimeUnit),
    /// Integers, how they are counted, and the original column.
    Counted(Int64Array, TimeScale, ArrayRef),
    /// Floats and decimals.
    Numbers(ArrayRef, TimeUnit),
}

/// How integers become times.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TimeScale {
    /// Numbers without a unit of their own.
    Units(TimeUnit),
    /// Counts of so many microseconds, and whether they are clock times without a zone.
    Micros(i64, bool),
    /// Nanoseconds, and whether they are clock times without a zone.
    Nanos(bool),
}

impl TimeColumn {
    /// Converts a column of times, numbers or texts. Numbers are counted in `unit`.
    pub fn new(column: &ArrayRef, unit: TimeUnit) -> Option<TimeColumn> {
        use arrow_schema::TimeUnit::{Microsecond, Millisecond, Nanosecond, Second};
        let scale = match column.data_type() {
            DataType::Timestamp(Second, zone) => TimeScale::Micros(1_000_000, zone.is_none()),
            DataType::Timestamp(Millisecond, zone) => TimeScale::Micros(1000, zone.is_none()),
            DataType::Timestamp(Microsecond, zone) => TimeScale::Micros(1, zone.is_none()),
            DataType::Timestamp(Nanosecond, zone) => TimeScale::Nanos(zone.is_none()),
            DataType::Date64 => TimeScale::Micros(1000, false),
            DataType::Date32 => TimeScale::Micros(86_400_000_000, false),
            kind if kind.is_integer() => TimeScale::Units(unit),
            kind if kind.is_floating() || kind.is_decimal() => return Some(TimeColumn::Numbers(column.clone(), unit)),
            DataType::Dictionary(_, values) if !values.is_string() => return TimeColumn::new(&cast(column, values).ok()?, unit),
            _ => return ValueColumn::texts(column).map(|texts| TimeColumn::Written(texts, unit)),
        };
        // Arrow casts a day count only through its own width.
        let days = if *column.data_type() == DataType::Date32 { &cast(column, &DataType::Int32).ok()? } else { column };
        Some(TimeColumn::Counted(cast(days, &DataType::Int64).ok()?.as_primitive::<Int64Type>().clone(), scale, column.clone()))
    }

    /// Returns the time of a row, or `None` if it is null.
    ///
    /// # Errors
    /// The message names a value that is no time.
    pub fn get(&self, row: usize) -> Result<Option<Moment>, String> {
        match self {
            TimeColumn::Written(column, unit) => {
                column.get(row).map_err(|value| refuse(value, *unit))?.map_or(Ok(None), |text| read_time(text, *unit))
            }
            TimeColumn::Numbers(column, _) if column.is_null(row) => Ok(None),
            TimeColumn::Numbers(column, unit) => match written(column, row).as_str() {
                // Tables of floats write NaN for a missing value.
                "NaN" => Ok(None),
                number => of_number(number, *unit).map(Some),
            },
            TimeColumn::Counted(column, _, original) if column.is_null(row) => match original.is_null(row) {
                true => Ok(None),
                // The value does not fit into a signed 64-bit integer.
                false => Err(refuse(&written(original, row), TimeUnit::S)),
            },
            TimeColumn::Counted(column, scale, _) => match (*scale, column.value(row)) {
                (TimeScale::Units(unit), count) => of_integer(count, unit),
                (TimeScale::Micros(micros, lacks_zone), count) => of_count(count, micros).map(|micros| Moment { micros, lacks_zone }),
                (TimeScale::Nanos(lacks_zone), count) => Ok(Moment { micros: count.div_euclid(1000), lacks_zone }),
            }
            .map(Some),
        }
    }
}

fn written(column: &ArrayRef, row: usize) -> String {
    array_value_to_string(column, row).unwrap_or_default()
}
