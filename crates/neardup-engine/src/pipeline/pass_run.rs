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
    pub context: PassContext<'a>,
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
    /// Creates the run of a pass over its candidate set, `candidate_set`.
    pub fn new(context: PassContext<'a>, candidate_set: &'a CandidateSet, journal: &'a StageJournal<'a>) -> Result<Self> {
        let pairs = |column| {
            let rows: Vec<[DocId; 2]> = context.store().all(column).map_err(neardup_core::Error::from)?;
            Ok::<_, neardup_core::Error>(rows.into_iter().map(|[left, right]| (left, right)).collect::<Vec<_>>())
        };
        let copies = Copies::new(pairs(candidate_set.copies)?, context.signed.len());
        let groups = CopyGroups { copies, classes: pairs(candidate_set.classes)?, kin: pairs(candidate_set.kin)? };
        let sketches = context.segments().sketch_bytes(context.pass)?;
        let (buckets, ignored) = (&candidate_set.arranged.parts, Ignored::new(context.pass, &candidate_set.arranged.capped));
        Ok(PassRun { context, journal, sketches, buckets, ignored, groups })
    }

    /// Returns whether a first represents a document of the input, and whether it represents one of the reference.
    pub fn sides(&self, first: DocId) -> (bool, bool) {
        let members = || std::iter::once(first).chain(self.groups.copies.of(first).iter().map(|pair| pair.1));
        let signed = self.context.signed;
        (members().any(|document| !signed.is_reference(document)), members().any(|document| signed.is_reference(document)))
    }
}
