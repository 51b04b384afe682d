//! One pass over its candidate documents.

use crate::Result;
use crate::checkpoint::journal::StageJournal;
use crate::documents::copy_groups::CopyGroups;
use crate::findings::pass_context::PassContext;
use crate::pipeline::candidate_set::CandidateSet;
use neardup_core::candidates::buckets::StoredBuckets;
use neardup_core::candidates::copies::Copies;
use neardup_core::signing::ignored_keys::Ignored;
use neardup_core::util::ids::DocId;

/// A pass that runs over its candidate set.
pub struct PassRun<'a> {
    /// Context of the pass.
    pub turn: PassContext<'a>,
    /// Journal of the finished pieces.
    pub(crate) journal: &'a StageJournal<'a>,
    /// Bytes of the sketch of every document.
    pub(crate) sketches: Vec<u32>,
    pub(crate) buckets: &'a [StoredBuckets],
    pub(crate) ignored: Ignored,
    /// Groups of exact copies.
    pub groups: CopyGroups,
}

impl<'a> PassRun<'a> {
    /// Creates the run of a pass over its candidate set, `meeting`.
    pub fn new(turn: PassContext<'a>, meeting: &'a CandidateSet, journal: &'a StageJournal<'a>) -> Result<Self> {
        let pairs = |column| {
            let rows: Vec<[DocId; 2]> = turn.store().all(column).map_err(neardup_core::Error::from)?;
            Ok::<_, neardup_core::Error>(rows.into_iter().map(|[left, right]| (left, right)).collect::<Vec<_>>())
        };
        let groups = CopyGroups { copies: Copies::new(pairs(meeting.copies)?, turn.signed.len()), classes: pairs(meeting.classes)? };
        let sketches = turn.segments().sketch_bytes(turn.pass)?;
        let (buckets, ignored) = (&meeting.arranged.parts, Ignored::new(turn.pass, &meeting.arranged.capped));
        Ok(PassRun { turn, journal, sketches, buckets, ignored, groups })
    }

    /// Returns whether a first represents a document of the input, and whether it represents one of the reference.
    pub fn sides(&self, first: DocId) -> (bool, bool) {
        let members = || std::iter::once(first).chain(self.groups.copies.of(first).iter().map(|pair| pair.1));
        let signed = self.turn.signed;
        (members().any(|document| !signed.is_reference(document)), members().any(|document| signed.is_reference(document)))
    }
}
