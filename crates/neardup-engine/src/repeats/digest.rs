//! The digest of repeated passages.

use super::found::Gap;
use super::tables::Tables;
use crate::Result;
use crate::digest::Rows;
use neardup_core::Error as Core;

/// Of passages: id, start, end, tokens, original, its start and end; then of what is cut: id, start, end, line feed. Places
/// are bytes; rows go by id, those of a document by their places.
pub fn digest(tables: &Tables<'_>, order: &[u32]) -> Result<String> {
    let mut rows = Rows::new("passages");
    let ids = tables.names.ids;
    let spans = tables.found.spans.all(tables.store).map_err(Core::from)?;
    let gaps: Vec<Gap> = tables.found.gaps.all(tables.store).map_err(Core::from)?;
    for &document in order {
        for number in tables.of(document) {
            let passage = &tables.passages[number];
            rows.text(&ids.get(document));
            [spans[number][0], spans[number][1], passage.tokens].into_iter().for_each(|place| rows.number(u64::from(place)));
            rows.text(&ids.get(passage.original));
            tables.original(number)[..2].iter().for_each(|&place| rows.number(u64::from(place)));
        }
    }
    for &document in order {
        let start = gaps.partition_point(|gap| gap.document < document);
        for gap in gaps[start..].iter().take_while(|gap| gap.document == document) {
            rows.text(&ids.get(document));
            [gap.span[0], gap.span[1], gap.feed].into_iter().for_each(|place| rows.number(u64::from(place)));
        }
    }
    Ok(rows.finish())
}
