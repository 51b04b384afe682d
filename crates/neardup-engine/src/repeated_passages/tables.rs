//! The tables of a run: passages, repeated, removed and changed.

use super::found::{PassageFindings, SpanNumbers};
use crate::Result;
use crate::job::PASSAGE_TABLES;
use crate::tables::names::TableNames;
use crate::tables::table::{ROW, Table, batch, schema};
use arrow_array::{ArrayRef, BooleanArray, RecordBatch, StringArray, UInt32Array, UInt64Array};
use arrow_schema::{DataType, SchemaRef};
use bytemuck::Pod;
use neardup_core::Error as Core;
use neardup_core::util::store::{List, Store};
use std::ops::Range;
use std::sync::Arc;

/// The columns of a span.
const SPAN: [&str; 4] = ["start", "end", "char_start", "char_end"];

/// Source of the tables' rows.
#[derive(Clone, Copy)]
pub struct RepeatTables<'a> {
    /// Names and places of the documents.
    pub names: &'a TableNames<'a>,
    /// Store of the findings.
    pub store: &'a Store,
    /// Findings of the run.
    pub found: &'a PassageFindings,
}

impl RepeatTables<'_> {
    /// Returns the tables by name.
    pub fn all(&self) -> Vec<(&'static str, Box<dyn Table + '_>)> {
        let tables: [Box<dyn Table + '_>; 4] =
            [Box::new(RepeatRows(*self)), Box::new(RepeatedRows(*self)), Box::new(RemovedRows(*self)), Box::new(ChangedRows(*self))];
        PASSAGE_TABLES.into_iter().zip(tables).collect()
    }

    fn read<T: Pod>(&self, list: &List<T>, rows: Range<usize>) -> Result<Vec<T>> {
        Ok(list.read(self.store, rows).map_err(Core::from)?)
    }
}

fn spans(spans: impl Iterator<Item = SpanNumbers> + Clone) -> [ArrayRef; 4] {
    [0, 1, 2, 3].map(|at| numbers(spans.clone().map(|span| span[at])))
}

fn numbers(values: impl Iterator<Item = u32>) -> ArrayRef {
    Arc::new(values.map(Some).collect::<UInt32Array>())
}

fn fields<'a>(columns: &[&'a str]) -> Vec<(&'a str, DataType, bool)> {
    columns.iter().map(|&name| (name, DataType::UInt32, false)).collect()
}

/// Table passages: one row per passage at a later place, in input order.
struct RepeatRows<'a>(RepeatTables<'a>);

impl Table for RepeatRows<'_> {
    fn schema(&self) -> SchemaRef {
        let behind = ["original_start", "original_end", "original_char_start", "original_char_end"];
        let mut columns = vec![("id", DataType::Utf8, false)];
        columns.extend(fields(&SPAN));
        columns.extend(fields(&["tokens", "passage"]));
        columns.push(("original", DataType::Utf8, false));
        schema(&columns, &fields(&behind))
    }

    fn rows(&self) -> usize {
        self.0.found.passages.len()
    }

    fn slice(&self, rows: Range<usize>) -> Result<RecordBatch> {
        let RepeatTables { names, found, .. } = self.0;
        let (passages, stretches) = (self.0.read(&found.passages, rows.clone())?, self.0.read(&found.stretches, rows.clone())?);
        let homes = self.0.read(&found.homes, rows)?;
        let mut columns = vec![names.id(passages.iter().map(|passage| passage.document))];
        columns.extend(spans(stretches.iter().map(|stretch| stretch.span)));
        columns.push(numbers(passages.iter().map(|passage| passage.tokens)));
        columns.push(numbers(homes.iter().map(|home| home.rank)));
        columns.push(names.id(passages.iter().map(|passage| passage.original)));
        columns.extend(spans(homes.iter().map(|home| home.original.span)));
        batch(self.schema(), columns)
    }
}

/// Table repeated: one row per distinct passage, the most repeated first.
struct RepeatedRows<'a>(RepeatTables<'a>);

impl Table for RepeatedRows<'_> {
    fn schema(&self) -> SchemaRef {
        let mut columns = fields(&["passage", "times", "tokens"]);
        columns.push(("id", DataType::Utf8, false));
        schema(&columns, &fields(&SPAN))
    }

    fn rows(&self) -> usize {
        self.0.found.repeated.len()
    }

    fn slice(&self, rows: Range<usize>) -> Result<RecordBatch> {
        let repeated = self.0.read(&self.0.found.repeated, rows.clone())?;
        let mut columns = vec![
            numbers(rows.map(|row| row as u32 + 1)),
            numbers(repeated.iter().map(|row| row.times)),
            numbers(repeated.iter().map(|row| row.tokens)),
            self.0.names.id(repeated.iter().map(|row| row.document)),
        ];
        columns.extend(spans(repeated.iter().map(|row| row.span)));
        batch(self.schema(), columns)
    }
}

/// Table removed: one row per run that is cut, in input order.
struct RemovedRows<'a>(RepeatTables<'a>);

impl Table for RemovedRows<'_> {
    fn schema(&self) -> SchemaRef {
        let mut columns = vec![("id", DataType::Utf8, false)];
        columns.extend(fields(&SPAN));
        schema(&columns, &[("tokens", DataType::UInt32, false), ("line_feed", DataType::Boolean, false)])
    }

    fn rows(&self) -> usize {
        self.0.found.gaps.len()
    }

    fn slice(&self, rows: Range<usize>) -> Result<RecordBatch> {
        let gaps = self.0.read(&self.0.found.gaps, rows)?;
        let mut columns = vec![self.0.names.id(gaps.iter().map(|gap| gap.document))];
        columns.extend(spans(gaps.iter().map(|gap| gap.span)));
        columns.push(numbers(gaps.iter().map(|gap| gap.tokens)));
        columns.push(Arc::new(gaps.iter().map(|gap| Some(gap.feed == 1)).collect::<BooleanArray>()));
        batch(self.schema(), columns)
    }
}

/// Table changed: one row per document that is cut or dropped as a whole, in input order.
struct ChangedRows<'a>(RepeatTables<'a>);

impl Table for ChangedRows<'_> {
    fn schema(&self) -> SchemaRef {
        use DataType::{UInt64, Utf8};
        let columns = [("id", Utf8, false), ("source", Utf8, false), (ROW, UInt64, false), ("verdict", Utf8, false)];
        schema(&columns, &fields(&["tokens", "tokens_left"]))
    }

    fn rows(&self) -> usize {
        self.0.found.changes.len()
    }

    fn slice(&self, rows: Range<usize>) -> Result<RecordBatch> {
        let names = self.0.names;
        let changes = self.0.read(&self.0.found.changes, rows)?;
        let columns: Vec<ArrayRef> = vec![
            names.id(changes.iter().map(|change| change.document)),
            Arc::new(changes.iter().map(|change| Some(names.source(change.document))).collect::<StringArray>()),
            Arc::new(changes.iter().map(|change| Some(names.rows[change.document.index()])).collect::<UInt64Array>()),
            Arc::new(changes.iter().map(|change| Some(if change.goes == 1 { "drop" } else { "cut" })).collect::<StringArray>()),
            numbers(changes.iter().map(|change| change.tokens)),
            numbers(changes.iter().map(|change| change.left)),
        ];
        batch(self.schema(), columns)
    }
}
