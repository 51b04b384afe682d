use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_schema::{Field, Schema};
use neardup_text::Text;

use super::nested::{ColumnStep, column, item, joined, locate, paths};
use super::numbers::NumberColumn;
use super::times::TimeColumn;
use super::values::ValueColumn;
use crate::error::{Error, Result, listed};
use crate::records::field_name::{items_advice, parts};
use crate::records::fields::{FieldRoles, Fields};
use crate::records::missing::MissingFields;
use crate::records::place::{LONGEST, SourceSpan, TextPlace};
use crate::records::record::Record;
use crate::reject::{RecordError, too_long};
use crate::texts::strings::TextColumn;

/// Key in the metadata of a schema. Its value names the column that says of each row why it cannot be used; it is null elsewhere.
pub const REASONS: &str = "neardup.reasons";

/// Wanted columns of a batch.
#[derive(Debug)]
pub(crate) struct RecordColumns {
    pub text: ValueColumn,
    id: Option<ValueColumn>,
    url: Option<ValueColumn>,
    time: Option<TimeColumn>,
    number: Option<NumberColumn>,
    group: Option<ValueColumn>,
    /// Columns of the preferences, by slot.
    prefer: Vec<(usize, ValueColumn)>,
    reasons: Option<TextColumn>,
    lacks: MissingFields,
}

/// Finds the columns of a batch.
struct ColumnFinder<'b> {
    /// Name of the source, for messages.
    source: &'b str,
    roles: &'b FieldRoles,
    batch: &'b RecordBatch,
}

impl ColumnFinder<'_> {
    /// Returns the steps to the column of a path. Returns `None` if there is no such column.
    fn steps(&self, path: &str) -> Result<Option<Vec<ColumnStep>>> {
        let fields = self.batch.schema_ref().fields();
        let Some(steps) = locate(fields, path) else { return Ok(None) };
        if let [ColumnStep::Member(first), ..] = steps[..]
            && fields.iter().filter(|field| field.name() == fields[first].name()).count() > 1
        {
            return Err(twice(self.source, fields[first].name()));
        }
        Ok(Some(steps))
    }

    /// Returns the column of a slot, or the value that the path of the file has for it.
    fn find(&self, slot: usize) -> Result<ArrayRef> {
        let path = &self.roles.names[slot];
        if let Some(steps) = self.steps(path)? {
            let found = column(self.batch, &steps);
            return found.ok_or_else(|| Error::Unsupported { name: self.source.to_owned(), reason: "a nested column cannot be read" });
        }
        match self.roles.path_value(slot) {
            Some(value) => Ok(Arc::new(StringArray::from_iter(std::iter::repeat_n(value, self.batch.num_rows())))),
            None => Err(missing(self.source, path, self.batch.schema_ref())),
        }
    }

    fn is_there(&self, slot: usize) -> Result<bool> {
        Ok(self.roles.path_value(slot).is_some() || self.steps(&self.roles.names[slot])?.is_some())
    }

    fn refuse(&self, path: &str, found: &str, role: &'static str, allowed: &'static str) -> Error {
        Error::Kind { name: self.source.to_owned(), field: path.to_owned(), found: found.to_owned(), role, allowed }
    }

    /// Returns the column of a slot in a layout that `convert` makes.
    fn role<T>(&self, slot: usize, role: &'static str, allowed: &'static str, convert: impl Fn(&ArrayRef) -> Option<T>) -> Result<T> {
        let column = self.find(slot)?;
        let name = &self.roles.names[slot];
        let is_text = slot == self.roles.text && self.roles.given.is_none();
        let advice = if is_text && item(column.data_type()).is_some() { items_advice(name) } else { String::new() };
        convert(&column).ok_or_else(|| self.refuse(name, &format!("of type {}{advice}", column.data_type()), role, allowed))
    }

    /// Returns the texts of all rows, and which of several texts the table lacks.
    fn texts(&self) -> Result<(ValueColumn, MissingFields)> {
        const ALLOWED: &str = "of type string, or binary in UTF-8";
        let name = &self.roles.names[self.roles.text];
        if self.roles.given.is_some() {
            if self.steps(name)?.is_some_and(|steps| steps.contains(&ColumnStep::Items)) {
                return Err(self.refuse(name, "several values", "given values", "in one field"));
            }
            let allowed = "of a string or integer type, or a list of these without nulls";
            let texts = self.role(self.roles.text, "given values", allowed, TextColumn::given)?;
            return Ok((ValueColumn::made(texts, Default::default()), MissingFields::default()));
        }
        let (paths, lacks) = match self.steps(name)? {
            Some(steps) if !steps.contains(&ColumnStep::Items) => {
                return Ok((self.role(self.roles.text, "a text", ALLOWED, ValueColumn::texts)?, MissingFields::default()));
            }
            Some(steps) => (vec![(name.to_owned(), steps)], MissingFields::default()),
            None => self.roles.find_texts(|part| Ok(self.steps(part)?.map(|steps| (part.to_owned(), steps))))?,
        };
        if paths.is_empty() {
            return Err(missing(self.source, name, self.batch.schema_ref()));
        }
        let (names, steps): (Vec<String>, Vec<_>) = paths.into_iter().unzip();
        let texts = joined(self.batch, &steps).map_err(|number| self.refuse(&names[number], "of another type", "a text", ALLOWED))?;
        Ok((texts, lacks))
    }
}

impl RecordColumns {
    pub fn new(name: &str, roles: &FieldRoles, batch: &RecordBatch) -> Result<RecordColumns> {
        let finder = ColumnFinder { source: name, roles, batch };
        let mut absent = [false; crate::records::fields::MOST_NAMES];
        for (slot, is_absent) in absent.iter_mut().enumerate().take(roles.names.len()) {
            *is_absent = !roles.must_have(slot) && !finder.is_there(slot)?;
        }
        let there = |role: Option<usize>| role.filter(|&slot| !absent[slot]);
        let ids = "of a string, integer, float, decimal, UUID or binary type: convert it to a string";
        let values = "of a string, number or date type";
        let times = "of a timestamp, date, string or number type";
        let time = |column: &ArrayRef| TimeColumn::new(column, roles.time_unit);
        let (text, missing_texts) = finder.texts()?;
        Ok(RecordColumns {
            lacks: roles.lacks(|slot| absent[slot]) | missing_texts,
            reasons: batch.schema_ref().metadata().get(REASONS).and_then(|name| TextColumn::new(batch.column_by_name(name)?)),
            text,
            id: roles.id.map(|slot| finder.role(slot, "an id", ids, ValueColumn::ids)).transpose()?,
            url: there(roles.url).map(|slot| finder.role(slot, "a url", "of type string", ValueColumn::texts)).transpose()?,
            time: there(roles.time).map(|slot| finder.role(slot, "a time", times, time)).transpose()?,
            number: there(roles.number)
                .map(|slot| finder.role(slot, "a number", "of a number or string type", NumberColumn::new))
                .transpose()?,
            group: there(roles.group).map(|slot| finder.role(slot, "a group", values, ValueColumn::preferred)).transpose()?,
            prefer: roles
                .preferred()
                .filter(|&slot| !absent[slot])
                .map(|slot| Ok((slot, finder.role(slot, "a preferred field", values, ValueColumn::preferred)?)))
                .collect::<Result<_>>()?,
        })
    }

    /// Reads the records of all rows. `first` is the row of the first record in its source, counted from 0.
    pub fn read<'a>(&'a self, roles: &FieldRoles, first: u64, longest: usize, records: &mut Vec<Record<'a>>, flaws: &mut Vec<RecordError>) {
        for row in 0..self.text.texts.len() {
            let offset = first + row as u64;
            match self.record(roles, row, longest) {
                Ok(record) => records.push(Record { span: SourceSpan { offset, len: 1 }, ..record }),
                Err(reason) => {
                    let text = self.text.get(row).ok().flatten().unwrap_or_default();
                    let flaw = RecordError::new(row as u64 + 1, offset, text.as_bytes(), reason);
                    flaws.push(RecordError { len: 1, ..flaw });
                }
            }
        }
    }

    fn record(&self, roles: &FieldRoles, row: usize, longest: usize) -> Result<Record<'_>, String> {
        if let Some(reason) = self.reasons.as_ref().and_then(|reasons| reasons.get(row)) {
            return Err(reason.to_owned());
        }
        let no_text = |_| format!("the field \"{}\" is not valid UTF-8: convert it to a string", roles.names[roles.text]);
        // A missing text counts as blank.
        let text = self.text.get(row).map_err(no_text)?.unwrap_or_default();
        if text.len() > longest.min(LONGEST) {
            return Err(too_long(longest));
        }
        let moment = self.time.as_ref().map_or(Ok(None), |times| times.get(row))?;
        let id = at(&self.id, row).map_err(|value| roles.refuse_id(value))?;
        let url = at(&self.url, row).map_err(|_| roles.refuse_url("not valid UTF-8"))?;
        Ok(Record {
            row: row as u64 + 1,
            span: SourceSpan::default(),
            place: TextPlace::default(),
            text: Text::Plain(text.as_bytes()),
            id: roles.named(id.map(Into::into))?,
            url: url.map(Into::into),
            time: moment.map(|moment| moment.micros),
            number: self.number.as_ref().map_or(Ok(None), |numbers| numbers.get(row, roles))?,
            group: at(&self.group, row).unwrap_or(None).filter(|group| !group.is_empty()).map(Into::into),
            rank: roles.rank::<String>(|slot| {
                let column = self.prefer.iter().find(|(of, _)| *of == slot);
                Ok(column.and_then(|(_, column)| column.get(row).unwrap_or(None)).map(Into::into))
            })?,
            lacks: self.lacks.with(MissingFields::ZONE, moment.is_some_and(|moment| moment.lacks_zone)),
            file: 0,
        })
    }
}

fn at(column: &Option<ValueColumn>, row: usize) -> Result<Option<&str>, &str> {
    column.as_ref().map_or(Ok(None), |column| column.get(row))
}

/// Returns the columns of a table that any field is read from, ascending.
pub(crate) fn needed(source: &str, schema: &Schema, roles: &FieldRoles) -> Result<Vec<usize>> {
    let mut columns = Vec::with_capacity(roles.names.len());
    for slot in 0..roles.names.len() {
        columns.extend(wanted(source, schema, roles, slot)?);
    }
    columns.sort_unstable();
    columns.dedup();
    Ok(columns)
}

/// Returns the columns of a table that a field is read from: of a path the outermost one, and all columns of its name.
fn wanted(source: &str, schema: &Schema, roles: &FieldRoles, slot: usize) -> Result<Vec<usize>> {
    let name = &roles.names[slot];
    let whole = locate(schema.fields(), name);
    let paths = if slot == roles.text && whole.is_none() { parts(name) } else { Vec::new() };
    let found = whole.into_iter().chain(paths.into_iter().filter_map(|path| locate(schema.fields(), path)));
    let firsts: Vec<usize> =
        found.filter_map(|steps| if let Some(ColumnStep::Member(first)) = steps.first() { Some(*first) } else { None }).collect();
    if firsts.is_empty() && roles.must_have(slot) {
        return Err(missing(source, name, schema));
    }
    let name = |place: usize| schema.field(place).name();
    Ok((0..schema.fields().len()).filter(|&place| firsts.iter().any(|&first| name(first) == name(place))).collect())
}

/// Returns the columns of a table that a run with these fields reads, ascending.
///
/// # Errors
/// [`Error::Field`] for a field that the table must have.
pub fn needed_columns(source: &str, schema: &Schema, fields: &Fields) -> Result<Vec<usize>> {
    let mut columns = needed(source, schema, &FieldRoles::new(fields))?;
    columns.extend(schema.metadata().get(REASONS).and_then(|name| schema.index_of(name).ok()));
    columns.sort_unstable();
    Ok(columns)
}

/// Returns the names of the fields of a table, of structs and lists the paths of their values.
pub fn field_paths(schema: &Schema) -> Vec<String> {
    let mut names = Vec::new();
    let fields = schema.fields().iter().filter(|field| field.name() != REASONS);
    fields.for_each(|field: &Arc<Field>| paths(field.name(), field.data_type(), &mut names));
    names
}

fn missing(source: &str, field: &str, schema: &Schema) -> Error {
    Error::Field { name: source.to_owned(), field: field.to_owned(), available: listed(&field_paths(schema)) }
}

fn twice(source: &str, field: &str) -> Error {
    Error::Damaged { name: source.to_owned(), reason: format!("the table names the field \"{field}\" twice") }
}
