//! Passages of pairs: the text that the two documents of every listed pair share.

use crate::checkpoint::journal::StageJournal;
use crate::documents::side::PairSide;
use crate::documents::signed::SignedCorpus;
use crate::findings::pairs::{ScoredPair, StoredPairs};
use crate::progress::{ProgressUnit, Watch};
use crate::resources::budget::Budget;
use crate::resources::longest::{check_located, needed_located};
use crate::tables::names::TableNames;
use crate::tables::schema::{Column, record_batch, schema};
use crate::tables::table::Table;
use crate::{Error, Result};
use arrow_array::{ArrayRef, RecordBatch, UInt32Array};
use arrow_schema::DataType::{UInt32, Utf8};
use arrow_schema::SchemaRef;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::passages::{SharedPassage, find_passages};
use neardup_core::util::control::PhaseControl;
use neardup_core::util::ids::DocId;
use neardup_core::util::store::List;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// Number of pairs whose texts are compared together.
const BLOCK: usize = 1 << 10;

/// A passage as it is stored: the number of its pair, its length in tokens, and its spans.
pub type PassageRow = [u32; 10];

/// Some passages, with the documents of their pairs.
pub struct PassageSlice<'a> {
    names: &'a TableNames<'a>,
    rows: Vec<PassageRow>,
    documents: Vec<[DocId; 2]>,
}

/// Returns the columns. Spans are half open, in bytes of UTF-8 and in code points.
pub fn columns<'a>() -> [Column<PassageSlice<'a>>; 11] {
    [
        Column::new("left", Utf8, "id of the left document", id::<0>),
        Column::new("right", Utf8, "id of the right document", id::<1>),
        Column::new("tokens", UInt32, "number of tokens", number::<1>),
        Column::new("left_start", UInt32, "first byte in the left text", number::<2>),
        Column::new("left_end", UInt32, "one past its last byte", number::<3>),
        Column::new("right_start", UInt32, "first byte in the right text", number::<4>),
        Column::new("right_end", UInt32, "one past its last byte", number::<5>),
        Column::new("left_char_start", UInt32, "left_start in code points", number::<6>),
        Column::new("left_char_end", UInt32, "left_end in code points", number::<7>),
        Column::new("right_char_start", UInt32, "right_start in code points", number::<8>),
        Column::new("right_char_end", UInt32, "right_end in code points", number::<9>),
    ]
}

fn id<const SIDE: usize>(slice: &PassageSlice<'_>) -> ArrayRef {
    slice.names.id(slice.documents.iter().map(|documents| documents[SIDE]))
}

fn number<const AT: usize>(slice: &PassageSlice<'_>) -> ArrayRef {
    Arc::new(slice.rows.iter().map(|row| row[AT]).collect::<UInt32Array>())
}

/// Finds the passages of every pair, in order, by the tokens of the pass that found the pair. Uses about `room` bytes.
pub fn find(
    signed: &SignedCorpus,
    passes: &[CompiledPass],
    pairs: StoredPairs<'_>,
    room: usize,
    journal: &StageJournal<'_>,
    watch: &Watch,
) -> Result<List<PassageRow>> {
    let mut list = List::default();
    watch.phase("passages", pairs.len() as u64, ProgressUnit::Documents, || {
        for start in (0..pairs.len()).step_by(BLOCK) {
            watch.check()?;
            let range = start..(start + BLOCK).min(pairs.len());
            watch.advance(range.len() as u64);
            list.extend(journal.piece(|| {
                let numbered: Vec<(u32, ScoredPair)> = (start as u32..).zip(pairs.read(range)?).collect();
                let rows = signed.each_pair(&numbered, passes, room, |last, number, pair| rows(signed, passes, number, pair, last))?;
                let mut found = List::default();
                found.append(pairs.store, &rows.concat()).map_err(neardup_core::Error::from)?;
                Ok(found)
            })?);
        }
        Ok(list)
    })
}

fn rows(
    signed: &SignedCorpus,
    passes: &[CompiledPass],
    number: u32,
    pair: &ScoredPair,
    last: &mut PreviousSides,
) -> Result<Vec<PassageRow>> {
    let PreviousSides { left, right } = last;
    let left = PairSide::of(signed, passes, pair.left, pair.pass, left)?;
    let right = PairSide::of(signed, passes, pair.right, pair.pass, right)?;
    let found = find_passages(&left.tokens, &right.tokens, passes[pair.pass as usize].features.passage());
    let row = |passage: &SharedPassage| {
        let (left, right) = (left.span(&passage.left_bytes), right.span(&passage.right_bytes));
        let spans = [left.bytes, right.bytes, left.chars, right.chars].map(|span| span.map(|end| end as u32));
        let mut row = [number, passage.left_tokens.len() as u32, 0, 0, 0, 0, 0, 0, 0, 0];
        row[2..].copy_from_slice(spans.as_flattened());
        row
    };
    Ok(found.passages.iter().map(row).collect())
}

/// The sides of the previous pair. They are cached, because the next pair often has the same document.
#[derive(Default)]
pub struct PreviousSides {
    left: Option<PairSide>,
    right: Option<PairSide>,
}

impl SignedCorpus {
    /// Calls `work` with each of some numbered pairs, in parallel. Pairs of long texts, which do not fit into the share of
    /// `room` of one thread, follow one after another.
    pub fn each_pair<R: Send>(
        &self,
        pairs: &[(u32, ScoredPair)],
        passes: &[CompiledPass],
        room: usize,
        work: impl Fn(&mut PreviousSides, u32, &ScoredPair) -> Result<R> + Sync + Send,
    ) -> Result<Vec<R>> {
        let share = room / rayon::current_num_threads();
        let long: Vec<bool> = pairs.iter().map(|(_, pair)| Ok(self.needed(pair, passes)? > share)).collect::<Result<_>>()?;
        let on = |last: &mut PreviousSides, (number, pair): &(u32, ScoredPair)| work(last, *number, pair);
        let short =
            pairs.par_iter().zip(&long).map_init(PreviousSides::default, |last, (pair, &long)| (!long).then(|| on(last, pair)).transpose());
        let results: Vec<Option<R>> = short.collect::<Result<_>>()?;
        let mut last = PreviousSides::default();
        results.into_iter().zip(pairs).map(|(result, pair)| result.map_or_else(|| on(&mut last, pair), Ok)).collect()
    }

    /// Refuses a budget that is too small for the passages of one of the pairs.
    pub fn check_pairs(&self, pairs: StoredPairs<'_>, passes: &[CompiledPass], budget: Budget) -> Result<()> {
        for start in (0..pairs.len()).step_by(BLOCK) {
            for pair in pairs.read(start..(start + BLOCK).min(pairs.len()))? {
                let texts = || Ok(format!("{} and {}", self.catalogue.name(pair.left)?, self.catalogue.name(pair.right)?));
                check_located(self.needed(&pair, passes)?, budget, texts)?;
            }
        }
        Ok(())
    }

    /// Estimates the number of bytes of memory that finding the passages of a pair takes.
    fn needed(&self, pair: &ScoredPair, passes: &[CompiledPass]) -> Result<usize> {
        let rules = passes[pair.pass as usize].rules;
        let of = |document: DocId| Ok::<_, Error>(needed_located(self.catalogue.place(document)?.1.len(), rules));
        Ok(of(pair.left)? + of(pair.right)?)
    }
}

/// The table passages: one row for every passage, in the order of the pairs and of the left text.
pub struct PassageRows<'a> {
    /// Ids and places of the documents.
    pub names: &'a TableNames<'a>,
    /// The pairs that have these passages.
    pub pairs: StoredPairs<'a>,
    /// The passages.
    pub rows: &'a List<PassageRow>,
}

impl PassageRows<'_> {
    /// Calls `work` with every passage: both ids, and the numbers after them.
    pub fn each(&self, mut work: impl FnMut(&str, &str, &[u32])) -> Result<()> {
        for range in self.slices() {
            let rows = self.rows.read(self.pairs.store, range).map_err(neardup_core::Error::from)?;
            let (first, pairs) = self.pairs_of(&rows)?;
            for row in &rows {
                let pair = &pairs[row[0] as usize - first];
                work(&self.names.ids.get(pair.left), &self.names.ids.get(pair.right), &row[1..]);
            }
        }
        Ok(())
    }

    /// Returns the number of the first pair of some rows, and their pairs.
    fn pairs_of(&self, rows: &[PassageRow]) -> Result<(usize, Vec<ScoredPair>)> {
        let first = rows.first().map_or(0, |row| row[0] as usize);
        Ok((first, self.pairs.read(first..rows.last().map_or(first, |row| row[0] as usize + 1))?))
    }
}

impl Table for PassageRows<'_> {
    fn schema(&self) -> SchemaRef {
        schema(&columns(), self.names)
    }

    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn slice(&self, rows: Range<usize>) -> Result<RecordBatch> {
        let rows = self.rows.read(self.pairs.store, rows).map_err(neardup_core::Error::from)?;
        let (first, pairs) = self.pairs_of(&rows)?;
        let of = |row: &PassageRow| {
            let pair = &pairs[row[0] as usize - first];
            [pair.left, pair.right]
        };
        let documents = rows.iter().map(of).collect();
        record_batch(&columns(), self.names, &PassageSlice { names: self.names, rows, documents })
    }
}
