//! Verdicts: whether a document is kept, and the evidence when it is not.

use crate::decide::comparer::TextComparer;
use crate::decide::index_state::IndexState;
use crate::documents::document::unnamed;
use crate::documents::row::DocumentRow;
use neardup_core::measures::Overlap;
use neardup_core::pass::rule::Rule;

/// The verdict on a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The document.
    pub id: String,
    /// For which it is dropped, and why; None when it is kept.
    pub dropped: Option<DropReason>,
}

/// Why a document is dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DropReason {
    /// The kept document.
    pub original: String,
    /// The first rule that holds.
    pub rule: Rule,
    /// What the two share; the dropped document is left.
    pub overlap: Overlap,
    /// Whether it was decided on all features.
    pub verified: bool,
}

/// What came of a document that was added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admission {
    /// The verdict.
    pub verdict: Verdict,
    /// The document of the same URL whose place it took.
    pub replaced: Option<String>,
    /// Whether it is there already, to the letter, under its URL or its id: that one stays, and `replaced` names it.
    pub unchanged: bool,
    /// Those that had to go for their age, or because there would be too many.
    pub expired: Vec<String>,
    /// Documents that were there before and whose verdict is another now.
    pub changed: Vec<Verdict>,
}

/// What came of documents that were removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Removal {
    /// Those that were removed.
    pub removed: Vec<String>,
    /// Documents whose verdict is another now.
    pub changed: Vec<Verdict>,
}

impl Removal {
    /// Adds what came of the next step.
    pub fn add(&mut self, next: Removal) {
        self.changed.retain(|old| !next.removed.contains(&old.id) && !next.changed.iter().any(|new| new.id == old.id));
        self.removed.extend(next.removed);
        self.changed.extend(next.changed);
    }
}

/// The name of a document.
pub fn name(row: &DocumentRow<'_>) -> String {
    if row.id.is_empty() { unnamed(row.serial) } else { String::from_utf8_lossy(row.id).into_owned() }
}

/// The verdict on a living document.
pub fn verdict(index_state: &IndexState, number: u32, comparer: &mut TextComparer) -> Verdict {
    let row = index_state.document_table.row(number);
    let original = index_state.state.original(number);
    let dropped = (original != number).then(|| evidence(index_state, &row, original, comparer));
    Verdict { id: name(&row), dropped }
}

/// The evidence that a text falls to a kept document.
pub fn evidence(index_state: &IndexState, row: &DocumentRow<'_>, original: u32, comparer: &mut TextComparer) -> DropReason {
    let other = index_state.document_table.row(original);
    let is_whole = row.is_whole() && other.is_whole();
    let own = is_whole.then(|| comparer.take(row.text, row.sketch()).overlap(other.text));
    let overlap = index_state.shards.overlap(own);
    let rule = rule(row, &other, overlap);
    DropReason { original: name(&other), rule, overlap, verified: rule.is_certain() || index_state.passes.is_verified }
}

/// The first rule that holds of two texts that meet.
pub fn rule(row: &DocumentRow<'_>, other: &DocumentRow<'_>, overlap: Overlap) -> Rule {
    match () {
        () if row.raw == other.raw => Rule::Identical,
        () if row.lexical == other.lexical => Rule::Lexical,
        () => Rule::of(overlap),
    }
}
