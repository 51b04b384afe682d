//! Verdicts: whether a document is kept, and the evidence if it is not.

use crate::decide::comparer::TextComparer;
use crate::decide::index_state::IndexState;
use crate::documents::document::unnamed;
use crate::documents::row::DocumentRow;
use neardup_core::measures::Overlap;
use neardup_core::pass::rule::Rule;
use neardup_core::util::ids::DocId;

/// The verdict on a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The id of the document.
    pub id: String,
    /// The document for which it is dropped, with the evidence; `None` if it is kept.
    pub dropped: Option<DropReason>,
}

/// The reason why a document is dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DropReason {
    /// The id of the kept document.
    pub original: String,
    /// The first rule that holds.
    pub rule: Rule,
    /// Features shared by the two; the dropped document is left.
    pub overlap: Overlap,
    /// Whether it was decided on all features.
    pub verified: bool,
}

/// The result of adding a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admission {
    /// The verdict on the document.
    pub verdict: Verdict,
    /// The document of the same URL that it replaced.
    pub replaced: Option<String>,
    /// Whether exactly this document was in the index already, under its URL or its id. Then that document stays, and `replaced`
    /// names it.
    pub unchanged: bool,
    /// Documents that were removed because of their age, or because there were too many.
    pub expired: Vec<String>,
    /// Verdicts on earlier documents that changed.
    pub changed: Vec<Verdict>,
}

/// The result of removing documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Removal {
    /// The ids of the removed documents.
    pub removed: Vec<String>,
    /// Verdicts on remaining documents that changed.
    pub changed: Vec<Verdict>,
}

impl Removal {
    /// Adds the result of the next step.
    pub fn add(&mut self, next: Removal) {
        self.changed.retain(|old| !next.removed.contains(&old.id) && !next.changed.iter().any(|new| new.id == old.id));
        self.removed.extend(next.removed);
        self.changed.extend(next.changed);
    }
}

/// Returns the id of a document, or its name if it has none.
pub fn name(row: &DocumentRow<'_>) -> String {
    if row.id.is_empty() { unnamed(row.serial) } else { String::from_utf8_lossy(row.id).into_owned() }
}

/// Returns the verdict on a living document.
pub fn verdict(index_state: &IndexState, number: DocId, comparer: &mut TextComparer) -> Verdict {
    let row = index_state.document_table.row(number);
    let original = index_state.state.original(number);
    let dropped = (original != number).then(|| evidence(index_state, &row, original, comparer));
    Verdict { id: name(&row), dropped }
}

/// Returns the evidence for dropping a document in favour of `original`.
pub fn evidence(index_state: &IndexState, row: &DocumentRow<'_>, original: DocId, comparer: &mut TextComparer) -> DropReason {
    let other = index_state.document_table.row(original);
    let is_whole = row.is_whole() && other.is_whole();
    let own = is_whole.then(|| comparer.take(row.text, row.sketch()).overlap(other.text));
    let overlap = index_state.shards.overlap(own);
    let rule = rule(row, &other, overlap);
    DropReason { original: name(&other), rule, overlap, verified: rule.is_certain() || index_state.passes.is_verified }
}

/// Returns the first rule that holds for two texts that match.
pub fn rule(row: &DocumentRow<'_>, other: &DocumentRow<'_>, overlap: Overlap) -> Rule {
    match () {
        () if row.raw == other.raw => Rule::Identical,
        () if row.lexical == other.lexical => Rule::Lexical,
        () => Rule::of(overlap),
    }
}
