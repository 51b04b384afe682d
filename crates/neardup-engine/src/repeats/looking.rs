//! Looking at texts again: where passages stand in bytes and code points, and what is cut.

use super::cutting::{Cutting, gaps};
use super::found::{Change, Found, Gap, Span};
use crate::Result;
use crate::signed::Signed;
use crate::span::Ruler;
use crate::watch::Watch;
use neardup_core::control::Control;
use neardup_core::repeats::originals::{Original, originals};
use neardup_core::repeats::passages::Passage;
use neardup_text::{Unit, places};
use rayon::prelude::*;
use std::ops::Range;

/// Documents whose results are in memory together.
const BLOCK: usize = 1 << 12;

/// The spans and cuts of all passages, which are in order.
pub fn look(signed: &Signed, unit: Unit, passages: &[Passage], cutting: Cutting, watch: &Watch) -> Result<Found> {
    let store = signed.catalogue.store();
    let (originals, _) = originals(passages);
    let wanted = documents(passages, &originals);
    let store_failed = |error| crate::Error::from(neardup_core::Error::from(error));
    let counts = signed.segments[0].column(|segment| segment.tokens)?;
    let mut found = Found { tokens: counts.into_iter().map(u64::from).sum(), ..Found::default() };
    found.passages.append(store, passages).map_err(store_failed)?;
    for block in wanted.chunks(BLOCK) {
        watch.check()?;
        let looked: Vec<Looked> = block
            .par_iter()
            .map(|&document| {
                let here = range(passages, document, |passage| passage.document);
                let first_here = range(&originals, document, |original| original.document);
                look_at(signed, document, unit, &passages[here], &originals[first_here], cutting)
            })
            .collect::<Result<_>>()?;
        let mut append = |looked: Vec<Looked>| -> std::io::Result<()> {
            let all = |pick: fn(&Looked) -> &[Span]| looked.iter().flat_map(pick).copied().collect::<Vec<_>>();
            found.spans.append(store, &all(|looked| &looked.spans))?;
            found.originals.append(store, &all(|looked| &looked.originals))?;
            found.gaps.append(store, &looked.iter().flat_map(|looked| &looked.gaps).copied().collect::<Vec<_>>())?;
            found.changes.append(store, &looked.iter().filter_map(|looked| looked.change).collect::<Vec<_>>())?;
            found.repeated += looked.iter().map(|looked| looked.repeated).sum::<u64>();
            Ok(())
        };
        append(looked).map_err(store_failed)?;
        watch.advance(block.len() as u64);
    }
    Ok(found)
}

/// What was seen in one text.
struct Looked {
    spans: Vec<Span>,
    originals: Vec<Span>,
    gaps: Vec<Gap>,
    change: Option<Change>,
    repeated: u64,
}

/// The documents with a passage or an original, in order.
fn documents(passages: &[Passage], originals: &[Original]) -> Vec<u32> {
    let mut documents: Vec<u32> =
        passages.iter().map(|passage| passage.document).chain(originals.iter().map(|original| original.document)).collect();
    documents.par_sort_unstable();
    documents.dedup();
    documents
}

fn range<T>(rows: &[T], document: u32, of: impl Fn(&T) -> u32) -> Range<usize> {
    let start = rows.partition_point(|row| of(row) < document);
    start..start + rows[start..].partition_point(|row| of(row) == document)
}

fn look_at(signed: &Signed, document: u32, unit: Unit, passages: &[Passage], originals: &[Original], cutting: Cutting) -> Result<Looked> {
    let text = signed.read(document)?;
    let tokens = places(unit, &text);
    let ruler = Ruler::new(&text);
    let of_bytes = |bytes: &Range<usize>| {
        let span = ruler.span(&text, bytes);
        [span.bytes[0], span.bytes[1], span.chars[0], span.chars[1]].map(|place| place as u32)
    };
    let span = |run: &Range<usize>| of_bytes(&(tokens[run.start].start..tokens[run.end - 1].end));
    let runs: Vec<Range<usize>> = passages.iter().map(|passage| passage.start as usize..passage.end() as usize).collect();
    let firsts: Vec<Range<usize>> = originals.iter().map(|original| original.start as usize..original.end() as usize).collect();
    let cut = gaps(cutting.cut, &text, &tokens, &runs, &firsts);
    let gone: usize = cut.iter().map(|gap| gap.tokens).sum();
    let left = tokens.len() - gone;
    let change = (!cut.is_empty()).then(|| Change {
        document,
        tokens: tokens.len() as u32,
        left: left as u32,
        goes: u32::from(left < cutting.least && originals.is_empty()),
    });
    let gap =
        |gap: &super::cutting::Gap| Gap { document, span: of_bytes(&gap.bytes), tokens: gap.tokens as u32, feed: u32::from(gap.feed) };
    // Passages begin and end in order, and may overlap.
    let covered = runs.iter().fold((0, 0), |(sum, reach), run| (sum + run.end - run.start.max(reach).min(run.end), run.end));
    Ok(Looked {
        spans: runs.iter().map(span).collect(),
        originals: firsts.iter().map(span).collect(),
        gaps: cut.iter().map(gap).collect(),
        change,
        repeated: covered.0 as u64,
    })
}
