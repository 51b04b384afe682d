//! The digest of repeated passages.

use super::tables::RepeatTables;
use crate::Result;
use crate::results::digest::ResultRows;
use neardup_core::Error as Core;
use neardup_core::util::external_sort::Sorter;
use neardup_core::util::ids::DocId;

/// Computes the digest of the tables of a run.
///
/// It covers, for each passage: id, start, end, tokens, original, and the original's start and end. Then, for each cut: id,
/// start, end, line feed. Places are bytes. Rows are ordered by id, those of a document by place. `order` lists the documents by
/// id. Takes about `memory` bytes, and four for every document.
pub fn digest(tables: &RepeatTables<'_>, order: &[DocId], memory: usize) -> Result<String> {
    let (store, found, ids) = (tables.store, tables.found, tables.names.ids);
    let mut ranks = vec![0; order.len()];
    (0..).zip(order).for_each(|(rank, &document)| ranks[document.index()] = rank);
    let id = |rank: u32| ids.get(order[rank as usize]);
    let mut rows = ResultRows::new("passages");
    let mut sorter = Sorter::new(store, |row: &[u32; 8]| (row[0], row[1]), memory);
    let places = found.stretches.values(store).zip(found.homes.values(store));
    for (passage, (stretch, home)) in found.passages.values(store).zip(places) {
        let (passage, own, home) = (passage.map_err(Core::from)?, stretch.map_err(Core::from)?.span, home.map_err(Core::from)?);
        let first = home.original.span;
        let rank = ranks[passage.document.index()];
        sorter.push([rank, home.passage, own[0], own[1], passage.tokens, passage.original.0, first[0], first[1]])?;
    }
    for row in sorter.finish()?.values(store) {
        let [rank, _, start, end, tokens, original, original_start, original_end] = row.map_err(Core::from)?;
        rows.text(&id(rank));
        [start, end, tokens].into_iter().for_each(|place| rows.number(u64::from(place)));
        rows.text(&ids.get(DocId(original)));
        [original_start, original_end].into_iter().for_each(|place| rows.number(u64::from(place)));
    }
    let mut sorter = Sorter::new(store, |row: &[u32; 4]| (row[0], row[1]), memory);
    for gap in found.gaps.values(store) {
        let gap = gap.map_err(Core::from)?;
        sorter.push([ranks[gap.document.index()], gap.span[0], gap.span[1], gap.feed])?;
    }
    for row in sorter.finish()?.values(store) {
        let [rank, places @ ..] = row.map_err(Core::from)?;
        rows.text(&id(rank));
        places.into_iter().for_each(|place| rows.number(u64::from(place)));
    }
    Ok(rows.finish())
}
