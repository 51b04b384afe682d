//! Digests: one number that two runs share exactly when their results are equal.
//!
//! A digest is that of a [sum of rows](RowSum), so it does not depend on their order.

use crate::Result;
use crate::digests::row_bytes::RowBytes;
use crate::digests::row_sum::RowSum;
use crate::documents::ids::Ids;
use crate::findings::clusters::Clusters;
use crate::findings::decisions::DroppedDocuments;
use crate::findings::pairs::{ScoredPair, StoredPairs};
use crate::findings::passages::PassageRows;
use crate::results::sketches::{SketchRow, SketchRows};
use crate::tables::names::TableNames;
use crate::tables::table::Table;
use neardup_core::util::ids::DocId;
use rayon::prelude::*;

/// Number of documents whose rows one thread makes at a time.
const SOME: usize = 1 << 12;
/// Number of bytes of rows that are hashed at a time.
const MUCH: usize = 1 << 16;

/// The sum of the rows of a table, which follow one another.
#[derive(Default)]
pub struct TableSum {
    sum: RowSum,
    rows: RowBytes,
}

impl TableSum {
    /// Adds a row.
    pub fn add(&mut self, make: impl FnOnce(&mut RowBytes)) {
        make(&mut self.rows);
        self.rows.end();
        if self.rows.len() > MUCH {
            self.flush();
        }
    }

    fn flush(&mut self) {
        self.sum = self.sum.merge(RowSum::of(&self.rows));
        self.rows.clear();
    }

    /// Returns the sum.
    pub fn finish(mut self) -> RowSum {
        self.flush();
        self.sum
    }

    /// Returns the digest of the table `name`.
    pub fn digest(self, name: &str) -> String {
        self.finish().digest(name)
    }
}

/// Returns the sum of a row for each of the listed documents. All threads make rows.
fn sum_documents(names: &TableNames<'_>, make: impl Fn(&mut RowBytes, DocId) + Sync) -> RowSum {
    let sum = |some: &[DocId]| {
        let mut rows = RowBytes::default();
        for &document in some {
            make(&mut rows, document);
            rows.end();
        }
        RowSum::of(&rows)
    };
    names.documents.par_chunks(SOME).map(sum).reduce(RowSum::default, RowSum::merge)
}

/// Adds the id of a document to a row.
pub fn add_id(row: &mut RowBytes, ids: &Ids, document: DocId) {
    row.text_of(|bytes| ids.append(document, bytes));
}

/// Returns the digest of decisions: id, original, rule, shared, id_size, original_size, group_size. If another number of documents
/// than one stays of each group, 1 follows for a dropped document and 0 for a kept one.
pub fn decisions(names: &TableNames<'_>, verdicts: &DroppedDocuments) -> String {
    sum_decisions(names, verdicts).digest("decisions")
}

/// Returns the sum of the rows of decisions.
pub fn sum_decisions(names: &TableNames<'_>, verdicts: &DroppedDocuments) -> RowSum {
    sum_documents(names, |row, document| {
        let dropped = verdicts.get(document);
        add_id(row, names.ids, document);
        add_id(row, names.ids, dropped.map_or(document, |dropped| dropped.original));
        match dropped {
            Some(dropped) => row.number(dropped.rule as u64),
            None => row.none(),
        }
        row.overlap(dropped.map(|dropped| dropped.overlap));
        row.number(u64::from(verdicts.group_size(dropped.map_or(document, |dropped| verdicts.leader_of(dropped)))));
        if verdicts.exceptions().is_some() {
            row.number(u64::from(verdicts.is_dropped(document)));
        }
    })
}

/// Returns the digest of clusters: id, cluster, leader, size, shared, id_size, leader_size.
pub fn clusters(names: &TableNames<'_>, verdicts: &DroppedDocuments, clusters: &Clusters) -> String {
    sum_clusters(names, verdicts, clusters).digest("clusters")
}

/// Returns the sum of the rows of clusters.
pub fn sum_clusters(names: &TableNames<'_>, verdicts: &DroppedDocuments, clusters: &Clusters) -> RowSum {
    sum_documents(names, |row, document| {
        let dropped = verdicts.get(document);
        add_id(row, names.ids, document);
        add_id(row, names.ids, clusters.of(document));
        add_id(row, names.ids, dropped.map_or(document, |dropped| verdicts.leader_of(dropped)));
        row.number(u64::from(clusters.size(document)));
        row.overlap(dropped.and_then(|dropped| verdicts.met_leader(dropped)));
    })
}

/// Returns the digest of sketches: id, and BLAKE3's first 16 bytes over features, level, number of values, and values.
pub fn sketches(names: &TableNames<'_>, sketches: &SketchRows<'_>) -> Result<String> {
    let mut sum = TableSum::default();
    for range in sketches.slices() {
        for (&document, sketch) in names.documents[range.clone()].iter().zip(sketches.read(range)?) {
            let SketchRow { features, level, values } = sketch;
            let numbers = [u64::from(features), u64::from(level), values.len() as u64].into_iter().chain(values);
            let digest = blake3::hash(&numbers.flat_map(u64::to_le_bytes).collect::<Vec<u8>>());
            let words = digest.as_bytes().as_chunks::<8>().0;
            sum.add(|row| {
                add_id(row, names.ids, document);
                words[..2].iter().for_each(|&half| row.number(u64::from_le_bytes(half)));
            });
        }
    }
    Ok(sum.digest("sketches"))
}

/// Adds a pair to a row.
pub fn add_pair(row: &mut RowBytes, ids: &Ids, pair: &ScoredPair) {
    add_id(row, ids, pair.left);
    add_id(row, ids, pair.right);
    row.number(pair.rule as u64);
    row.overlap(Some(pair.overlap));
}

/// Returns the digest of pairs: left, right, rule, shared, left_size, right_size.
pub fn pairs(ids: &Ids, pairs: StoredPairs<'_>) -> Result<String> {
    let mut sum = TableSum::default();
    pairs.each(|pair| {
        sum.add(|row| {
            add_pair(row, ids, &pair);
        });
    })?;
    Ok(sum.digest("pairs"))
}

/// Returns the digest of passages of pairs: left, right, and the numbers that follow in the table.
pub fn passages(table: &PassageRows<'_>) -> Result<String> {
    let mut sum = TableSum::default();
    table.each(|left, right, numbers| {
        sum.add(|row| {
            row.text("passage");
            row.text(left);
            row.text(right);
            numbers.iter().for_each(|&number| row.number(u64::from(number)));
        });
    })?;
    Ok(sum.digest("passages"))
}
