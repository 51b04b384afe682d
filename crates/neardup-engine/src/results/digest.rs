//! Digests: one number that two runs share exactly when their results are equal.
//!
//! BLAKE3 over the rows in the order of their ids. A text is written as its length (u64) and its bytes, a number as u64, and a
//! missing number as 2^64 - 1; all are little-endian.

use crate::Result;
use crate::documents::ids::Ids;
use crate::findings::clusters::Clusters;
use crate::findings::decisions::DroppedDocuments;
use crate::findings::pairs::StoredPairs;
use crate::findings::passages::PassageRows;
use crate::results::sketches::{SketchRow, SketchRows};
use crate::tables::names::TableNames;
use crate::tables::table::Table;
use blake3::Hasher;
use neardup_core::measures::Overlap;
use neardup_core::util::ids::DocId;
use rayon::prelude::*;

const NONE: u64 = u64::MAX;

/// Number of documents whose rows one thread makes at a time.
const SOME: usize = 1 << 12;

/// Rows as bytes.
#[derive(Default)]
pub struct RowBytes(Vec<u8>);

impl RowBytes {
    /// Adds a number.
    pub fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    /// Adds a missing number.
    pub fn none(&mut self) {
        self.number(NONE);
    }

    /// Returns the bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Adds a text.
    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    fn id(&mut self, ids: &Ids, document: DocId) {
        let start = self.0.len();
        self.number(0);
        ids.append(document, &mut self.0);
        let len = (self.0.len() - start - size_of::<u64>()) as u64;
        self.0[start..start + size_of::<u64>()].copy_from_slice(&len.to_le_bytes());
    }

    fn overlap(&mut self, overlap: Option<Overlap>) {
        let [shared, left, right] = overlap.map_or([NONE; 3], |overlap| [overlap.shared, overlap.left, overlap.right].map(u64::from));
        [shared, left, right].into_iter().for_each(|number| self.number(number));
    }
}

/// The rows of a result, one after another.
pub struct ResultRows(Hasher, RowBytes);

impl ResultRows {
    /// Creates the rows of a kind of result, with none in it yet.
    pub fn new(kind: &str) -> Self {
        let mut rows = ResultRows(Hasher::new(), RowBytes::default());
        rows.text(kind);
        rows
    }

    /// Adds a number.
    pub fn number(&mut self, number: u64) {
        self.1.number(number);
        self.flush_much();
    }

    /// Adds a text.
    pub fn text(&mut self, text: &str) {
        self.1.text(text);
        self.flush_much();
    }

    /// Adds rows that are already bytes.
    pub fn append(&mut self, rows: &[u8]) {
        self.flush();
        self.0.update(rows);
    }

    fn overlap(&mut self, overlap: Option<Overlap>) {
        self.1.overlap(overlap);
        self.flush_much();
    }

    /// Adds a row for each of `documents`. All threads make rows.
    fn each(&mut self, documents: &[DocId], make: impl Fn(&mut RowBytes, DocId) + Sync) {
        self.flush();
        let rows = |some: &[DocId]| {
            let mut row = RowBytes::default();
            some.iter().for_each(|&document| make(&mut row, document));
            row
        };
        for many in documents.chunks(SOME * rayon::current_num_threads()) {
            let made: Vec<RowBytes> = many.par_chunks(SOME).map(rows).collect();
            made.iter().for_each(|row| _ = self.0.update(&row.0));
        }
    }

    fn flush_much(&mut self) {
        if self.1.0.len() > 1 << 16 {
            self.flush();
        }
    }

    fn flush(&mut self) {
        self.0.update(&self.1.0);
        self.1.0.clear();
    }

    /// Returns the digest of the rows.
    pub fn finish(mut self) -> String {
        self.flush();
        self.0.finalize().to_hex().to_string()
    }
}

/// Returns the digest of decisions: id, original, rule, shared, id_size, original_size, group_size. If another number of documents
/// than one stays of each group, 1 follows for a dropped document and 0 for a kept one.
pub fn decisions(names: &TableNames<'_>, order: &[DocId], verdicts: &DroppedDocuments) -> String {
    let mut rows = ResultRows::new("decisions");
    rows.each(order, |row, document| {
        if !names.signed.is_listed(document) {
            return;
        }
        let dropped = verdicts.get(document);
        row.id(names.ids, document);
        row.id(names.ids, dropped.map_or(document, |dropped| dropped.original));
        row.number(dropped.map_or(NONE, |dropped| dropped.rule as u64));
        row.overlap(dropped.map(|dropped| dropped.overlap));
        row.number(u64::from(verdicts.group_size(dropped.map_or(document, |dropped| verdicts.leader_of(dropped)))));
        if verdicts.exceptions().is_some() {
            row.number(u64::from(verdicts.is_dropped(document)));
        }
    });
    rows.finish()
}

/// Returns the digest of clusters: id, cluster, leader, size, shared, id_size, leader_size.
pub fn clusters(names: &TableNames<'_>, order: &[DocId], verdicts: &DroppedDocuments, clusters: &Clusters) -> String {
    let mut rows = ResultRows::new("clusters");
    rows.each(order, |row, document| {
        if !names.signed.is_listed(document) {
            return;
        }
        let dropped = verdicts.get(document);
        row.id(names.ids, document);
        row.id(names.ids, clusters.of(document));
        row.id(names.ids, dropped.map_or(document, |dropped| verdicts.leader_of(dropped)));
        row.number(u64::from(clusters.size(document)));
        row.overlap(dropped.and_then(|dropped| verdicts.met_leader(dropped)));
    });
    rows.finish()
}

/// Returns the digest of sketches: id, and BLAKE3's first 16 bytes over features, level, number of values, and values.
pub fn sketches(names: &TableNames<'_>, order: &[DocId], sketches: &SketchRows<'_>) -> Result<String> {
    // Sketches are in input order and may not all fit in memory, so digests of them are put into the order of ids.
    let mut digests = vec![[0; 2]; names.signed.len()];
    for range in sketches.slices() {
        for (&document, sketch) in names.documents[range.clone()].iter().zip(sketches.read(range)?) {
            let SketchRow { features, level, values } = sketch;
            let numbers = [u64::from(features), u64::from(level), values.len() as u64].into_iter().chain(values);
            let digest = blake3::hash(&numbers.flat_map(u64::to_le_bytes).collect::<Vec<u8>>());
            let words = digest.as_bytes().as_chunks::<8>().0;
            digests[document.index()] = [words[0], words[1]].map(u64::from_le_bytes);
        }
    }
    let mut rows = ResultRows::new("sketches");
    for &document in order.iter().filter(|&&document| names.signed.is_listed(document)) {
        rows.text(&names.ids.get(document));
        digests[document.index()].into_iter().for_each(|half| rows.number(half));
    }
    Ok(rows.finish())
}

/// Returns the digest of pairs: left, right, rule, shared, left_size, right_size.
pub fn pairs(ids: &Ids, pairs: StoredPairs<'_>) -> Result<String> {
    let mut rows = ResultRows::new("pairs");
    pairs.each(|pair| {
        rows.text(&ids.get(pair.left));
        rows.text(&ids.get(pair.right));
        rows.number(pair.rule as u64);
        rows.overlap(Some(pair.overlap));
    })?;
    Ok(rows.finish())
}

/// Returns the digest of passages: left, right, and the numbers that follow in the table.
pub fn passages(table: &PassageRows<'_>) -> Result<String> {
    let mut rows = ResultRows::new("passages");
    table.each(|left, right, numbers| {
        rows.text(left);
        rows.text(right);
        numbers.iter().for_each(|&number| rows.number(u64::from(number)));
    })?;
    Ok(rows.finish())
}
