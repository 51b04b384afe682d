//! The tables of a run: passages, repeated, removed and changed.
//!
//! The digest of the run covers the columns of passages and removed that say so; [`super::digest`] computes it.

use super::found::{DistinctPassage, DocumentChange, DocumentGap, FoundStretch, PassageFindings, RepeatedOrigin};
use crate::Result;
use crate::job::PASSAGE_TABLES;
use crate::tables::names::TableNames;
use crate::tables::schema::{Column, ColumnDescription, RunKinds, describe, record_batch, schema};
use crate::tables::table::{ROW, Table};
use arrow_array::{ArrayRef, BooleanArray, RecordBatch, StringArray, UInt32Array, UInt64Array};
use arrow_schema::DataType::{Boolean, UInt32, UInt64, Utf8};
use arrow_schema::SchemaRef;
use bytemuck::Pod;
use neardup_core::Error as Core;
use neardup_core::repeated_passages::passages::LaterPassage;
use neardup_core::util::ids::DocId;
use neardup_core::util::store::{List, Store};
use std::ops::Range;
use std::sync::Arc;

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

impl<'a> RepeatTables<'a> {
    /// Returns the tables by name.
    pub fn all(&self) -> Vec<(&'static str, Box<dyn Table + 'a>)> {
        let tables: [Box<dyn Table + 'a>; 4] =
            [Box::new(RepeatRows(*self)), Box::new(RepeatedRows(*self)), Box::new(RemovedRows(*self)), Box::new(ChangedRows(*self))];
        PASSAGE_TABLES.into_iter().zip(tables).collect()
    }

    fn read<T: Pod>(&self, list: &List<T>, rows: Range<usize>) -> Result<Vec<T>> {
        Ok(list.read(self.store, rows).map_err(Core::from)?)
    }

    fn record_batch<R>(&self, columns: &[Column<RepeatSlice<'a, R>>], rows: Vec<R>) -> Result<RecordBatch> {
        record_batch(columns, self.names, &RepeatSlice { names: self.names, rows })
    }
}

/// Describes the columns of all these tables.
pub fn described() -> Vec<ColumnDescription> {
    let columns = [
        describe("passages", &passage_columns()),
        describe("repeated", &repeated_columns()),
        describe("removed", &removed_columns()),
        describe("changed", &changed_columns()),
    ];
    columns.concat()
}

/// Some rows of a table.
struct RepeatSlice<'a, R> {
    names: &'a TableNames<'a>,
    rows: Vec<R>,
}

impl<R> RepeatSlice<'_, R> {
    fn ids(&self, of: impl Fn(&R) -> DocId) -> ArrayRef {
        self.names.id(self.rows.iter().map(of))
    }

    fn origins(&self, of: impl Fn(&R) -> DocId) -> ArrayRef {
        Arc::new(self.rows.iter().map(|row| Some(self.names.origin(of(row)))).collect::<StringArray>())
    }

    fn numbers(&self, of: impl Fn(&R) -> u32) -> ArrayRef {
        Arc::new(self.rows.iter().map(of).collect::<UInt32Array>())
    }
}

/// A passage at a later place, its place in the text, and its original.
type Repeat = (LaterPassage, FoundStretch, RepeatedOrigin);

/// Table passages: one row per passage at a later place, in input order.
struct RepeatRows<'a>(RepeatTables<'a>);

fn passage_columns<'a>() -> [Column<RepeatSlice<'a, Repeat>>; 13] {
    type Rows<'a> = RepeatSlice<'a, Repeat>;
    [
        Column::new("id", Utf8, "the document", |slice: &Rows<'a>| slice.ids(|row| row.0.document)),
        Column::new("start", UInt32, "its first byte there", |slice: &Rows<'a>| slice.numbers(|row| row.1.span[0])),
        Column::new("end", UInt32, "one past its last byte", |slice: &Rows<'a>| slice.numbers(|row| row.1.span[1])),
        Column::new("char_start", UInt32, "start in code points", |slice: &Rows<'a>| slice.numbers(|row| row.1.span[2])).derived(),
        Column::new("char_end", UInt32, "end in code points", |slice: &Rows<'a>| slice.numbers(|row| row.1.span[3])).derived(),
        Column::new("tokens", UInt32, "number of tokens", |slice: &Rows<'a>| slice.numbers(|row| row.0.tokens)),
        Column::new("passage", UInt32, "its number in repeated.parquet", |slice: &Rows<'a>| slice.numbers(|row| row.2.rank)).derived(),
        Column::new("original", Utf8, "the document of its first place; this may be the same document", |slice: &Rows<'a>| {
            slice.ids(|row| row.0.original)
        }),
        Column::new("original_start", UInt32, "its first byte there", |slice: &Rows<'a>| slice.numbers(|row| row.2.original.span[0])),
        Column::new("original_end", UInt32, "one past its last byte", |slice: &Rows<'a>| slice.numbers(|row| row.2.original.span[1])),
        Column::new("original_char_start", UInt32, "original_start in code points", |slice: &Rows<'a>| {
            slice.numbers(|row| row.2.original.span[2])
        })
        .derived(),
        Column::new("original_char_end", UInt32, "original_end in code points", |slice: &Rows<'a>| {
            slice.numbers(|row| row.2.original.span[3])
        })
        .derived(),
        Column::new("original_in", Utf8, "with `--against` only: where its first place is, `input` or `reference`", |slice: &Rows<'a>| {
            slice.origins(|row| row.0.original)
        })
        .derived()
        .of(RunKinds::Against),
    ]
}

impl Table for RepeatRows<'_> {
    fn schema(&self) -> SchemaRef {
        schema(&passage_columns(), self.0.names)
    }

    fn rows(&self) -> usize {
        self.0.found.passages.len()
    }

    fn slice(&self, rows: Range<usize>) -> Result<RecordBatch> {
        let found = self.0.found;
        let (passages, stretches) = (self.0.read(&found.passages, rows.clone())?, self.0.read(&found.stretches, rows.clone())?);
        let homes = self.0.read(&found.homes, rows)?;
        let rows = passages.into_iter().zip(stretches).zip(homes).map(|((passage, stretch), home)| (passage, stretch, home));
        self.0.record_batch(&passage_columns(), rows.collect())
    }
}

/// Table repeated: one row per distinct passage, the most repeated first. A row has its number, from 1.
struct RepeatedRows<'a>(RepeatTables<'a>);

fn repeated_columns<'a>() -> [Column<RepeatSlice<'a, (u32, DistinctPassage)>>; 9] {
    type Rows<'a> = RepeatSlice<'a, (u32, DistinctPassage)>;
    let columns = [
        Column::new("passage", UInt32, "its number, from 1", |slice: &Rows<'a>| slice.numbers(|row| row.0)),
        Column::new(
            "times",
            UInt32,
            "number of places of the corpus at which it occurs, including this one and those inside longer passages; of a reference only \
             the first place counts",
            |slice: &Rows<'a>| slice.numbers(|row| row.1.times),
        ),
        Column::new("tokens", UInt32, "number of tokens", |slice: &Rows<'a>| slice.numbers(|row| row.1.tokens)),
        Column::new("id", Utf8, "the document of its first place", |slice: &Rows<'a>| slice.ids(|row| row.1.document)),
        Column::new("start", UInt32, "its first byte there", |slice: &Rows<'a>| slice.numbers(|row| row.1.span[0])),
        Column::new("end", UInt32, "one past its last byte", |slice: &Rows<'a>| slice.numbers(|row| row.1.span[1])),
        Column::new("char_start", UInt32, "start in code points", |slice: &Rows<'a>| slice.numbers(|row| row.1.span[2])),
        Column::new("char_end", UInt32, "end in code points", |slice: &Rows<'a>| slice.numbers(|row| row.1.span[3])),
        Column::new("original_in", Utf8, "with `--against` only: where this place is, `input` or `reference`", |slice: &Rows<'a>| {
            slice.origins(|row| row.1.document)
        })
        .of(RunKinds::Against),
    ];
    columns.map(Column::derived)
}

impl Table for RepeatedRows<'_> {
    fn schema(&self) -> SchemaRef {
        schema(&repeated_columns(), self.0.names)
    }

    fn rows(&self) -> usize {
        self.0.found.repeated.len()
    }

    fn slice(&self, rows: Range<usize>) -> Result<RecordBatch> {
        let first = rows.start as u32 + 1;
        let repeated = self.0.read(&self.0.found.repeated, rows)?;
        self.0.record_batch(&repeated_columns(), (first..).zip(repeated).collect())
    }
}

/// Table removed: one row per run of text that is cut, in input order.
struct RemovedRows<'a>(RepeatTables<'a>);

fn removed_columns<'a>() -> [Column<RepeatSlice<'a, DocumentGap>>; 7] {
    type Rows<'a> = RepeatSlice<'a, DocumentGap>;
    [
        Column::new("id", Utf8, "the document", |slice: &Rows<'a>| slice.ids(|gap| gap.document)),
        Column::new("start", UInt32, "the first byte that is cut", |slice: &Rows<'a>| slice.numbers(|gap| gap.span[0])),
        Column::new("end", UInt32, "one past the last", |slice: &Rows<'a>| slice.numbers(|gap| gap.span[1])),
        Column::new("char_start", UInt32, "start in code points", |slice: &Rows<'a>| slice.numbers(|gap| gap.span[2])).derived(),
        Column::new("char_end", UInt32, "end in code points", |slice: &Rows<'a>| slice.numbers(|gap| gap.span[3])).derived(),
        Column::new("tokens", UInt32, "number of tokens of its text, if it is a text by itself", |slice: &Rows<'a>| {
            slice.numbers(|gap| gap.tokens)
        })
        .derived(),
        Column::new("line_feed", Boolean, "whether a line feed takes its place", |slice: &Rows<'a>| {
            Arc::new(slice.rows.iter().map(|gap| Some(gap.feed == 1)).collect::<BooleanArray>())
        }),
    ]
}

impl Table for RemovedRows<'_> {
    fn schema(&self) -> SchemaRef {
        schema(&removed_columns(), self.0.names)
    }

    fn rows(&self) -> usize {
        self.0.found.gaps.len()
    }

    fn slice(&self, rows: Range<usize>) -> Result<RecordBatch> {
        self.0.record_batch(&removed_columns(), self.0.read(&self.0.found.gaps, rows)?)
    }
}

/// Table changed: one row per document that is cut or dropped as a whole, in input order.
struct ChangedRows<'a>(RepeatTables<'a>);

fn changed_columns<'a>() -> [Column<RepeatSlice<'a, DocumentChange>>; 6] {
    type Rows<'a> = RepeatSlice<'a, DocumentChange>;
    let columns = [
        Column::new("id", Utf8, "the document", |slice: &Rows<'a>| slice.ids(|change| change.document)),
        Column::new("source", Utf8, "its file, as in decisions.parquet", |slice: &Rows<'a>| {
            Arc::new(slice.rows.iter().map(|change| Some(slice.names.source(change.document))).collect::<StringArray>())
        }),
        Column::new(ROW, UInt64, "the line it begins on, or its row, from 1", |slice: &Rows<'a>| {
            Arc::new(slice.rows.iter().map(|change| slice.names.rows[change.document.index()]).collect::<UInt64Array>())
        }),
        Column::new("verdict", Utf8, "`cut` or `drop`", |slice: &Rows<'a>| {
            Arc::new(slice.rows.iter().map(|change| Some(if change.goes == 1 { "drop" } else { "cut" })).collect::<StringArray>())
        }),
        Column::new("tokens", UInt32, "number of its tokens", |slice: &Rows<'a>| slice.numbers(|change| change.tokens)),
        Column::new("tokens_left", UInt32, "number of tokens of the text that is left", |slice: &Rows<'a>| {
            slice.numbers(|change| change.left)
        }),
    ];
    columns.map(Column::derived)
}

impl Table for ChangedRows<'_> {
    fn schema(&self) -> SchemaRef {
        schema(&changed_columns(), self.0.names)
    }

    fn rows(&self) -> usize {
        self.0.found.changes.len()
    }

    fn slice(&self, rows: Range<usize>) -> Result<RecordBatch> {
        self.0.record_batch(&changed_columns(), self.0.read(&self.0.found.changes, rows)?)
    }
}
