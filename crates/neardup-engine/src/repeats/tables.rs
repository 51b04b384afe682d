//! The tables of a run: passages, repeated, removed and changed.

use super::found::{Change, Found, Gap, Span};
use crate::Result;
use crate::tables::{Names, ROW, Table, batch, schema};
use arrow::array::{ArrayRef, BooleanArray, RecordBatch, StringArray, UInt32Array, UInt64Array};
use arrow::datatypes::{DataType, SchemaRef};
use neardup_core::Error as Core;
use neardup_core::repeats::originals::{Original, originals};
use neardup_core::repeats::passages::Passage;
use neardup_core::store::Store;
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::Arc;

/// The tables by name.
pub const TABLES: [&str; 4] = ["passages", "repeated", "removed", "changed"];
/// The columns of a span.
const SPAN: [&str; 4] = ["start", "end", "char_start", "char_end"];

/// Everything that the tables are made of.
pub struct Tables<'a> {
    /// Names and places of the documents.
    pub names: &'a Names<'a>,
    /// Where what was found stands.
    pub store: &'a Store,
    /// What was found.
    pub found: &'a Found,
    /// The passages at later places, in order.
    pub passages: Vec<Passage>,
    /// The number of every passage's original.
    pub numbers: Vec<u32>,
    /// The distinct originals, in the order of their places.
    pub originals: Vec<Original>,
    /// Where each of them stands.
    pub spans: Vec<Span>,
    /// The originals by how often they stand, the most repeated first; the longer, then the earlier of several.
    pub ranking: Vec<u32>,
    /// The place of every original in the ranking, from 1.
    pub ranks: Vec<u32>,
}

impl<'a> Tables<'a> {
    /// Loads what is needed of all passages at once.
    pub fn new(names: &'a Names<'a>, store: &'a Store, found: &'a Found) -> Result<Self> {
        let passages = found.passages.all(store).map_err(Core::from)?;
        let (originals, numbers) = originals(&passages);
        let mut ranking: Vec<u32> = (0..originals.len() as u32).collect();
        ranking.sort_unstable_by_key(|&number| {
            let original = &originals[number as usize];
            (Reverse(original.times), Reverse(original.tokens), number)
        });
        let mut ranks = vec![0; ranking.len()];
        (1..).zip(&ranking).for_each(|(rank, &number)| ranks[number as usize] = rank);
        let spans = found.originals.all(store).map_err(Core::from)?;
        Ok(Tables { names, store, found, passages, numbers, originals, spans, ranking, ranks })
    }

    /// The tables by name.
    pub fn all(&self) -> Vec<(&'static str, Box<dyn Table + '_>)> {
        let tables: [Box<dyn Table + '_>; 4] =
            [Box::new(PassageRows(self)), Box::new(RepeatedRows(self)), Box::new(RemovedRows(self)), Box::new(ChangedRows(self))];
        TABLES.into_iter().zip(tables).collect()
    }

    /// The passages of a document, by their numbers.
    pub fn of(&self, document: u32) -> Range<usize> {
        let start = self.passages.partition_point(|passage| passage.document < document);
        start..start + self.passages[start..].partition_point(|passage| passage.document == document)
    }

    /// Where the original of a passage stands.
    pub fn original(&self, passage: usize) -> Span {
        self.spans[self.numbers[passage] as usize]
    }

    fn columns(&self, spans: &[Span]) -> [ArrayRef; 4] {
        [0, 1, 2, 3].map(|at| numbers(spans.iter().map(|span| span[at])))
    }
}

fn numbers(values: impl Iterator<Item = u32>) -> ArrayRef {
    Arc::new(values.map(Some).collect::<UInt32Array>())
}

fn fields<'a>(columns: &[&'a str]) -> Vec<(&'a str, DataType, bool)> {
    columns.iter().map(|&name| (name, DataType::UInt32, false)).collect()
}

/// passages: one row a passage at a later place, in input order.
struct PassageRows<'a>(&'a Tables<'a>);

impl Table for PassageRows<'_> {
    fn schema(&self) -> SchemaRef {
        let behind = ["original_start", "original_end", "original_char_start", "original_char_end"];
        let mut columns = vec![("id", DataType::Utf8, false)];
        columns.extend(fields(&SPAN));
        columns.extend(fields(&["tokens", "passage"]));
        columns.push(("original", DataType::Utf8, false));
        schema(&columns, &fields(&behind))
    }

    fn rows(&self) -> usize {
        self.0.passages.len()
    }

    fn slice(&self, rows: Range<usize>) -> Result<RecordBatch> {
        let tables = self.0;
        let spans = tables.found.spans.read(tables.store, rows.clone()).map_err(Core::from)?;
        let originals: Vec<Span> = rows.clone().map(|row| tables.original(row)).collect();
        let passages = &tables.passages[rows.clone()];
        let mut columns = vec![tables.names.id(passages.iter().map(|passage| passage.document))];
        columns.extend(tables.columns(&spans));
        columns.push(numbers(passages.iter().map(|passage| passage.tokens)));
        columns.push(numbers(tables.numbers[rows].iter().map(|&number| tables.ranks[number as usize])));
        columns.push(tables.names.id(passages.iter().map(|passage| passage.original)));
        columns.extend(tables.columns(&originals));
        batch(self.schema(), columns)
    }
}

/// repeated: one row a distinct passage, the most repeated first.
struct RepeatedRows<'a>(&'a Tables<'a>);

impl Table for RepeatedRows<'_> {
    fn schema(&self) -> SchemaRef {
        let mut columns = fields(&["passage", "times", "tokens"]);
        columns.push(("id", DataType::Utf8, false));
        schema(&columns, &fields(&SPAN))
    }

    fn rows(&self) -> usize {
        self.0.ranking.len()
    }

    fn slice(&self, rows: Range<usize>) -> Result<RecordBatch> {
        let tables = self.0;
        let ranked = &tables.ranking[rows.clone()];
        let originals = || ranked.iter().map(|&number| &tables.originals[number as usize]);
        let spans: Vec<Span> = ranked.iter().map(|&number| tables.spans[number as usize]).collect();
        let mut columns = vec![
            numbers(rows.map(|row| row as u32 + 1)),
            numbers(originals().map(|original| original.times)),
            numbers(originals().map(|original| original.tokens)),
            tables.names.id(originals().map(|original| original.document)),
        ];
        columns.extend(tables.columns(&spans));
        batch(self.schema(), columns)
    }
}

/// removed: one row a run that is cut, in input order.
struct RemovedRows<'a>(&'a Tables<'a>);

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
        let tables = self.0;
        let gaps: Vec<Gap> = tables.found.gaps.read(tables.store, rows).map_err(Core::from)?;
        let spans: Vec<Span> = gaps.iter().map(|gap| gap.span).collect();
        let mut columns = vec![tables.names.id(gaps.iter().map(|gap| gap.document))];
        columns.extend(tables.columns(&spans));
        columns.push(numbers(gaps.iter().map(|gap| gap.tokens)));
        columns.push(Arc::new(gaps.iter().map(|gap| Some(gap.feed == 1)).collect::<BooleanArray>()));
        batch(self.schema(), columns)
    }
}

/// changed: one row a document that is cut or goes as a whole, in input order.
struct ChangedRows<'a>(&'a Tables<'a>);

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
        let changes: Vec<Change> = self.0.found.changes.read(self.0.store, rows).map_err(Core::from)?;
        let columns: Vec<ArrayRef> = vec![
            names.id(changes.iter().map(|change| change.document)),
            Arc::new(changes.iter().map(|change| Some(names.source(change.document))).collect::<StringArray>()),
            Arc::new(changes.iter().map(|change| Some(names.rows[change.document as usize])).collect::<UInt64Array>()),
            Arc::new(changes.iter().map(|change| Some(if change.goes == 1 { "drop" } else { "cut" })).collect::<StringArray>()),
            numbers(changes.iter().map(|change| change.tokens)),
            numbers(changes.iter().map(|change| change.left)),
        ];
        batch(self.schema(), columns)
    }
}
