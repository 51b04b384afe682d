//! The page of a run: its most repeated passages.

use super::summary::Summary;
use super::tables::Tables;
use crate::{Error, Result};
use neardup_report::{Phase, RepeatedPassage, Repeats, Work, render_repeats};
use std::collections::HashSet;

/// Passages that are shown.
const SHOWN: usize = 100;
/// Code points that are shown of each.
const EXCERPT: usize = 600;

/// The page.
pub fn page(tables: &Tables<'_>, summary: &Summary) -> Result<String> {
    let passages = chosen(tables).into_iter().map(|number| shown(tables, number)).collect::<Result<_>>()?;
    let counts = &summary.counts;
    let work = |unit: &str, amount| if unit == "bytes" { Work::Bytes(amount) } else { Work::Items(amount) };
    let repeats = Repeats {
        neardup: summary.neardup.to_owned(),
        command: summary.command.clone(),
        unit: summary.unit.to_owned(),
        tokens: summary.tokens as u64,
        cut: summary.cut.to_owned(),
        digest: summary.digest.clone(),
        documents: counts.documents,
        all_tokens: counts.tokens,
        repeated: counts.repeated,
        places: counts.passages,
        repeated_tokens: counts.repeated_tokens,
        repeated_documents: counts.repeated_documents,
        removed_tokens: counts.removed_tokens,
        changed: counts.cut,
        dropped: counts.dropped,
        passages,
        phases: summary
            .phases
            .iter()
            .map(|phase| Phase { name: phase.name.clone(), seconds: phase.seconds, work: work(phase.unit, phase.amount) })
            .collect(),
    };
    render_repeats(&repeats).map_err(|error| Error::Data(error.to_string()))
}

/// The most repeated passages; one that reaches into another that is shown already is left out.
fn chosen(tables: &Tables<'_>) -> Vec<u32> {
    let mut chosen: Vec<u32> = Vec::new();
    for &number in &tables.ranking {
        let own = &tables.originals[number as usize];
        let meets = |&other: &u32| {
            let other = &tables.originals[other as usize];
            other.document == own.document && other.start < own.end() && own.start < other.end()
        };
        if !chosen.iter().any(meets) {
            chosen.push(number);
        }
        if chosen.len() == SHOWN {
            break;
        }
    }
    chosen
}

fn shown(tables: &Tables<'_>, number: u32) -> Result<RepeatedPassage> {
    let (own, span) = (&tables.originals[number as usize], tables.spans[number as usize]);
    let text = tables.names.signed.read(own.document)?;
    let whole = text.get(span[0] as usize..span[1] as usize).unwrap_or_default();
    let contains = tables
        .passages
        .iter()
        .filter(|passage| passage.original == own.document && passage.original_start <= own.start && passage.original_end() >= own.end());
    let documents: HashSet<u32> = contains.map(|passage| passage.document).chain([own.document]).collect();
    Ok(RepeatedPassage {
        times: u64::from(own.times),
        documents: documents.len() as u64,
        tokens: u64::from(own.tokens),
        id: tables.names.ids.get(own.document).into_owned(),
        text: whole.chars().take(EXCERPT).collect(),
        is_whole: whole.chars().nth(EXCERPT).is_none(),
    })
}
