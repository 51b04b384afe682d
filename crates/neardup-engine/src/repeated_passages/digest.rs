//! The digest of repeated passages.

use super::tables::RepeatTables;
use crate::Result;
use crate::results::digest::{TableSum, add_id};
use neardup_core::Error as Core;

/// Computes the digest of the tables of a run. Places are bytes.
///
/// The row of a passage has `passage`, id, start, end, tokens, original, and the original's start and end; the row of a cut has
/// `cut`, id, start, end, line feed.
pub fn digest(tables: &RepeatTables<'_>) -> Result<String> {
    let (store, found, ids) = (tables.store, tables.found, tables.names.ids);
    let mut sum = TableSum::default();
    let places = found.stretches.values(store).zip(found.homes.values(store));
    for (passage, (stretch, home)) in found.passages.values(store).zip(places) {
        let (passage, own, home) = (passage.map_err(Core::from)?, stretch.map_err(Core::from)?.span, home.map_err(Core::from)?);
        sum.add(|row| {
            row.text("passage");
            add_id(row, ids, passage.document);
            [own[0], own[1], passage.tokens].into_iter().for_each(|number| row.number(u64::from(number)));
            add_id(row, ids, passage.original);
            home.original.span.into_iter().for_each(|place| row.number(u64::from(place)));
        });
    }
    for gap in found.gaps.values(store) {
        let gap = gap.map_err(Core::from)?;
        sum.add(|row| {
            row.text("cut");
            add_id(row, ids, gap.document);
            [gap.span[0], gap.span[1], gap.feed].into_iter().for_each(|place| row.number(u64::from(place)));
        });
    }
    Ok(sum.digest("passages"))
}
