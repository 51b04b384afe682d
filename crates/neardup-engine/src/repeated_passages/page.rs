//! The page of a run: its most repeated passages.

use super::found::DistinctPassage;
use super::summary::RepeatSummary;
use super::tables::RepeatTables;
use crate::{Error, Result};
use neardup_core::Error as Core;
use neardup_core::util::ids::DocId;
use neardup_report::{Phase, PhaseWork, RepeatedPassage, RepeatedStudy, render_repeats};
use std::collections::HashMap;

/// Number of passages that are shown.
const SHOWN: usize = 100;
/// Number of code points that are shown of each.
const EXCERPT: usize = 600;

/// Renders the page of a run.
pub fn page(tables: &RepeatTables<'_>, summary: &RepeatSummary) -> Result<String> {
    let chosen = chosen(tables)?;
    let passages =
        chosen.iter().zip(documents(tables, &chosen)?).map(|(own, documents)| shown(tables, own, documents)).collect::<Result<_>>()?;
    let counts = &summary.counts;
    let work = |unit: &str, amount| if unit == "bytes" { PhaseWork::Bytes(amount) } else { PhaseWork::Items(amount) };
    let repeats = RepeatedStudy {
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

/// Returns the most repeated passages. A passage that overlaps with one already chosen is left out.
fn chosen(tables: &RepeatTables<'_>) -> Result<Vec<DistinctPassage>> {
    let mut chosen: Vec<DistinctPassage> = Vec::new();
    for own in tables.found.repeated.values(tables.store) {
        let own = own.map_err(Core::from)?;
        let meets = |other: &DistinctPassage| other.document == own.document && other.start < own.end() && own.start < other.end();
        if !chosen.iter().any(meets) {
            chosen.push(own);
        }
        if chosen.len() == SHOWN {
            break;
        }
    }
    Ok(chosen)
}

/// Returns the number of documents in which each of some passages occurs.
fn documents(tables: &RepeatTables<'_>, chosen: &[DistinctPassage]) -> Result<Vec<u64>> {
    let mut of: HashMap<DocId, Vec<usize>> = HashMap::new();
    (0..).zip(chosen).for_each(|(at, own)| of.entry(own.document).or_default().push(at));
    // Per passage: the number of its documents, the last of these, and whether the document of the first place is among them.
    // Passages come document by document.
    let mut found: Vec<(u64, Option<DocId>, bool)> = vec![(0, None, false); chosen.len()];
    for passage in tables.found.passages.values(tables.store) {
        let passage = passage.map_err(Core::from)?;
        for &at in of.get(&passage.original).into_iter().flatten() {
            let (own, (count, last, again)) = (&chosen[at], &mut found[at]);
            let contains = passage.original_start <= own.start && passage.original_end() >= own.end();
            if contains && *last != Some(passage.document) {
                (*count, *last) = (*count + 1, Some(passage.document));
                *again |= passage.document == own.document;
            }
        }
    }
    Ok(found.into_iter().map(|(count, _, again)| count + u64::from(!again)).collect())
}

fn shown(tables: &RepeatTables<'_>, own: &DistinctPassage, documents: u64) -> Result<RepeatedPassage> {
    let text = tables.names.signed.read(own.document)?;
    let whole = text.get(own.span[0] as usize..own.span[1] as usize).unwrap_or_default();
    Ok(RepeatedPassage {
        times: u64::from(own.times),
        documents,
        tokens: u64::from(own.tokens),
        id: tables.names.ids.get(own.document).into_owned(),
        text: whole.chars().take(EXCERPT).collect(),
        is_whole: whole.chars().nth(EXCERPT).is_none(),
    })
}
