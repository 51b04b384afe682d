use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, Float64Array, Int64Array, RecordBatch};
use arrow_cast::cast;
use arrow_cast::display::array_value_to_string;
use arrow_schema::{DataType, TimeUnit};
use neardup_text::Text;

use crate::error::{Error, Result, listed};
use crate::records::fields::{FieldRoles, MissingFields};
use crate::records::number;
use crate::records::place::{LONGEST, SourceSpan, TextPlace};
use crate::records::record::Record;
use crate::records::time::{parse_time, refuse, to_micros};
use crate::reject::{RecordError, too_long};
use crate::texts::strings::TextColumn;

/// Key in the metadata of a schema. Its value names the column that says of each row why it cannot be used; it is null elsewhere.
pub const REASONS: &str = "neardup.reasons";

/// A column of times.
#[derive(Clone, Debug)]
enum TimeColumn {
    Written(TextColumn),
    /// Integers, their unit, and the original column.
    Counted(Int64Array, TimeScale, ArrayRef),
}

#[derive(Clone, Copy, Debug)]
enum TimeScale {
    Micros(i64),
    Nanos,
}

impl TimeColumn {
    fn new(column: &ArrayRef) -> Option<TimeColumn> {
        let scale = match column.data_type() {
            DataType::Timestamp(TimeUnit::Second, _) => TimeScale::Micros(1_000_000),
            DataType::Timestamp(TimeUnit::Millisecond, _) | DataType::Date64 => TimeScale::Micros(1000),
            DataType::Timestamp(TimeUnit::Microsecond, _) => TimeScale::Micros(1),
            DataType::Timestamp(TimeUnit::Nanosecond, _) => TimeScale::Nanos,
            DataType::Date32 => TimeScale::Micros(86_400_000_000),
            kind if kind.is_integer() => TimeScale::Micros(1_000_000),
            _ => return TextColumn::new(column).map(TimeColumn::Written),
        };
        // Arrow casts a day count only through its own width.
        let column = if *column.data_type() == DataType::Date32 { &cast(column, &DataType::Int32).ok()? } else { column };
        Some(TimeColumn::Counted(cast(column, &DataType::Int64).ok()?.as_primitive::<Int64Type>().clone(), scale, column.clone()))
    }

    fn get(&self, row: usize) -> Result<Option<i64>, String> {
        match self {
            TimeColumn::Written(column) => column.get(row).map(parse_time).transpose(),
            TimeColumn::Counted(column, _, written) if column.is_null(row) => match written.is_null(row) {
                true => Ok(None),
                // The value does not fit into a signed 64-bit integer.
                false => Err(refuse(&array_value_to_string(written, row).unwrap_or_default())),
            },
            TimeColumn::Counted(column, TimeScale::Nanos, _) => Ok(Some(column.value(row).div_euclid(1000))),
            TimeColumn::Counted(column, TimeScale::Micros(micros), _) => to_micros(column.value(row), *micros).map(Some),
        }
    }
}

/// A column of numbers by which documents are ordered.
#[derive(Clone, Debug)]
enum NumberColumn {
    Written(TextColumn),
    Counted(Float64Array),
}

impl NumberColumn {
    fn new(column: &ArrayRef) -> Option<NumberColumn> {
        match column.data_type() {
            kind if kind.is_numeric() => Some(NumberColumn::Counted(cast(column, &DataType::Float64).ok()?.as_primitive().clone())),
            _ => TextColumn::new(column).map(NumberColumn::Written),
        }
    }

    /// Returns the place of the number of a row in the order of numbers; `None` for a missing one.
    fn get(&self, row: usize, roles: &FieldRoles) -> Result<Option<i64>, String> {
        match self {
            NumberColumn::Written(column) => {
                column.get(row).filter(|text| !text.is_empty()).map(|text| roles.parse_number(text)).transpose()
            }
            NumberColumn::Counted(column) if column.is_null(row) => Ok(None),
            NumberColumn::Counted(column) => number::place(column.value(row)).map(Some).ok_or_else(|| roles.refuse_number("NaN")),
        }
    }
}

/// Wanted columns of a batch.
#[derive(Debug)]
pub(crate) struct RecordColumns {
    pub text: TextColumn,
    id: Option<TextColumn>,
    url: Option<TextColumn>,
    time: Option<TimeColumn>,
    number: Option<NumberColumn>,
    group: Option<TextColumn>,
    /// Columns of the preferences, by slot.
    prefer: Vec<(usize, TextColumn)>,
    reasons: Option<TextColumn>,
    lacks: MissingFields,
}

impl RecordColumns {
    pub fn new(name: &str, roles: &FieldRoles, batch: &RecordBatch) -> Result<RecordColumns> {
        let find = |slot: usize| {
            let field = &roles.names[slot];
            if batch.schema_ref().fields().iter().filter(|one| one.name() == field).count() > 1 {
                return Err(Error::Damaged { name: name.to_owned(), reason: format!("two columns are named \"{field}\"") });
            }
            batch.column_by_name(field).ok_or_else(|| {
                let names = batch.schema_ref().fields().iter().map(|field| field.name().clone());
                let names: Vec<String> = names.filter(|name| name != REASONS).collect();
                Error::Field { name: name.to_owned(), field: field.clone(), available: listed(&names) }
            })
        };
        let kind = |slot: usize, role, allowed| {
            let found = find(slot).map_or_else(|_| "missing".to_owned(), |column| format!("of type {}", column.data_type()));
            Error::Kind { name: name.to_owned(), field: roles.names[slot].clone(), found, role, allowed }
        };
        let texts =
            |slot, role| TextColumn::new(find(slot)?).ok_or_else(|| kind(slot, role, "of type string, large_string or string_view"));
        let written = |slot, role| TextColumn::written(find(slot)?).ok_or_else(|| kind(slot, role, "of a string or integer type"));
        let times = |slot| TimeColumn::new(find(slot)?).ok_or_else(|| kind(slot, "a time", "of a timestamp, date, string or integer type"));
        let numbers = |slot| NumberColumn::new(find(slot)?).ok_or_else(|| kind(slot, "a number", "of a number or string type"));
        let is_missing = |slot: usize| !roles.must_have(slot) && batch.column_by_name(&roles.names[slot]).is_none();
        let there = |role: Option<usize>| role.filter(|&slot| !is_missing(slot));
        Ok(RecordColumns {
            lacks: roles.lacks(is_missing),
            reasons: batch.schema_ref().metadata().get(REASONS).and_then(|name| TextColumn::new(batch.column_by_name(name)?)),
            text: match roles.given {
                None => texts(roles.text, "a text")?,
                Some(_) => TextColumn::given(find(roles.text)?)
                    .ok_or_else(|| kind(roles.text, "given values", "of a string or integer type, or a list of these without nulls"))?,
            },
            id: roles.id.map(|slot| written(slot, "an id")).transpose()?,
            url: there(roles.url).map(|slot| texts(slot, "a url")).transpose()?,
            time: there(roles.time).map(times).transpose()?,
            number: there(roles.number).map(numbers).transpose()?,
            group: there(roles.group).map(|slot| written(slot, "a group")).transpose()?,
            prefer: roles
                .preferred()
                .filter(|&slot| !is_missing(slot))
                .map(|slot| Ok((slot, written(slot, "a preferred field")?)))
                .collect::<Result<_>>()?,
        })
    }

    /// Reads the records of all rows. `first` is the row of the first record in its source, counted from 0.
    pub fn read<'a>(&'a self, roles: &FieldRoles, first: u64, longest: usize, records: &mut Vec<Record<'a>>, flaws: &mut Vec<RecordError>) {
        for row in 0..self.text.len() {
            let offset = first + row as u64;
            match self.record(roles, row, longest) {
                Ok(record) => records.push(Record { span: SourceSpan { offset, len: 1 }, ..record }),
                Err(reason) => {
                    let flaw = RecordError::new(row as u64 + 1, offset, self.text.get(row).unwrap_or_default().as_bytes(), reason);
                    flaws.push(RecordError { len: 1, ..flaw });
                }
            }
        }
    }

    fn record(&self, roles: &FieldRoles, row: usize, longest: usize) -> Result<Record<'_>, String> {
        if let Some(reason) = at(&self.reasons, row) {
            return Err(reason.to_owned());
        }
        // A missing text counts as blank.
        let text = self.text.get(row).unwrap_or_default();
        if text.len() > longest.min(LONGEST) {
            return Err(too_long(longest));
        }
        Ok(Record {
            row: row as u64 + 1,
            span: SourceSpan::default(),
            place: TextPlace::default(),
            text: Text::Plain(text.as_bytes()),
            id: roles.named(at(&self.id, row).map(Into::into))?,
            url: at(&self.url, row).map(Into::into),
            time: self.time.as_ref().map_or(Ok(None), |times| times.get(row))?,
            number: self.number.as_ref().map_or(Ok(None), |numbers| numbers.get(row, roles))?,
            group: at(&self.group, row).filter(|group| !group.is_empty()).map(Into::into),
            rank: roles.rank::<String>(|slot| {
                let column = self.prefer.iter().find(|(of, _)| *of == slot);
                Ok(column.and_then(|(_, column)| column.get(row)).map(Into::into))
            })?,
            lacks: self.lacks,
            file: 0,
        })
    }
}

fn at(column: &Option<TextColumn>, row: usize) -> Option<&str> {
    column.as_ref().and_then(|column| column.get(row))
}
