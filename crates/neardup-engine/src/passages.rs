//! Passages of pairs: where the two documents of every listed pair say the same.

use crate::Result;
use crate::journal::Journal;
use crate::pairs::{Pairs, Scored};
use crate::signed::Signed;
use crate::span::Span;
use crate::tables::{Names, Table, batch, schema};
use crate::watch::{Unit, Watch};
use arrow::array::{ArrayRef, RecordBatch, UInt32Array};
use arrow::datatypes::{DataType, SchemaRef};
use neardup_core::control::Control;
use neardup_core::pass::Pass;
use neardup_core::passages::{Passage, find_passages};
use neardup_core::store::List;
use neardup_text::locate;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// Pairs whose texts are looked at together.
const BLOCK: usize = 1 << 10;

/// A passage as the store keeps it: the number of its pair, its tokens, and its spans.
pub type Row = [u32; 10];

/// The columns behind the ids: a passage's length in tokens, and its spans, half open, in bytes of UTF-8 and in code points.
const COLUMNS: [&str; 9] = [
    "tokens",
    "left_start",
    "left_end",
    "right_start",
    "right_end",
    "left_char_start",
    "left_char_end",
    "right_char_start",
    "right_char_end",
];

/// Finds the passages of every pair, in order, by the tokens of the pass that found it.
pub fn find(signed: &Signed, passes: &[Pass], pairs: Pairs<'_>, journal: &Journal<'_>, watch: &Watch) -> Result<List<Row>> {
    let mut list = List::default();
    watch.phase("passages", pairs.len() as u64, Unit::Documents, || {
        for start in (0..pairs.len()).step_by(BLOCK) {
            watch.check()?;
            let range = start..(start + BLOCK).min(pairs.len());
            watch.advance(range.len() as u64);
            list.extend(journal.piece(|| {
                let of_pair = |(at, pair): (usize, &Scored)| rows(signed, &passes[pair.pass as usize], (start + at) as u32, pair);
                let rows: Vec<Vec<Row>> = pairs.read(range)?.par_iter().enumerate().map(of_pair).collect::<Result<_>>()?;
                let mut found = List::default();
                found.append(pairs.store, &rows.concat()).map_err(neardup_core::Error::from)?;
                Ok(found)
            })?);
        }
        Ok(list)
    })
}

fn rows(signed: &Signed, pass: &Pass, number: u32, pair: &Scored) -> Result<Vec<Row>> {
    let (left, right) = (signed.read(pair.left)?, signed.read(pair.right)?);
    let (left_tokens, right_tokens) = (locate(pass.unit, pass.seed, &left), locate(pass.unit, pass.seed, &right));
    let found = find_passages(&left_tokens, &right_tokens, pass.features.passage());
    let row = |passage: &Passage| {
        let (left, right) = (Span::of(&left, &passage.left_bytes), Span::of(&right, &passage.right_bytes));
        let spans = [left.bytes, right.bytes, left.chars, right.chars].map(|span| span.map(|end| end as u32));
        let mut row = [number, passage.left_tokens.len() as u32, 0, 0, 0, 0, 0, 0, 0, 0];
        row[2..].copy_from_slice(spans.as_flattened());
        row
    };
    Ok(found.passages.iter().map(row).collect())
}

/// passages: one row a passage, in the order of the pairs and of the left text.
pub struct PassageRows<'a> {
    /// Names and places.
    pub names: &'a Names<'a>,
    /// The pairs they are of.
    pub pairs: Pairs<'a>,
    /// The passages.
    pub rows: &'a List<Row>,
}

impl Table for PassageRows<'_> {
    fn schema(&self) -> SchemaRef {
        let ids = [("left", DataType::Utf8, false), ("right", DataType::Utf8, false)];
        schema(&ids, &COLUMNS.map(|name| (name, DataType::UInt32, false)))
    }

    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn slice(&self, rows: Range<usize>) -> Result<RecordBatch> {
        let rows = self.rows.read(self.pairs.store, rows).map_err(neardup_core::Error::from)?;
        let first = rows.first().map_or(0, |row| row[0] as usize);
        let pairs = self.pairs.read(first..rows.last().map_or(0, |row| row[0] as usize + 1))?;
        let pair = |row: &Row| &pairs[row[0] as usize - first];
        let mut columns: Vec<ArrayRef> =
            vec![self.names.id(rows.iter().map(|row| pair(row).left)), self.names.id(rows.iter().map(|row| pair(row).right))];
        let column = |at: usize| -> ArrayRef { Arc::new(rows.iter().map(|row| row[at + 1]).collect::<UInt32Array>()) };
        columns.extend((0..COLUMNS.len()).map(column));
        batch(self.schema(), columns)
    }
}
