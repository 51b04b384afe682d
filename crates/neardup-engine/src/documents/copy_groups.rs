//! Groups of exact copies, with the rule that ties each copy to its first.

use crate::Result;
use crate::documents::signed::SignedCorpus;
use neardup_core::candidates::copies::Copies;
use neardup_core::pass::rule::Rule;
use neardup_core::signing::segments::Segments;
use neardup_core::util::ids::DocId;
use neardup_core::util::rank_bitmap::RankBitmap;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The lexically equal groups of a run, split into classes of identical texts.
pub struct CopyGroups {
    /// Copies by the first of their group.
    pub copies: Copies,
    /// Documents of groups whose digests differ, with the first of their class, ascending.
    pub classes: Vec<(DocId, DocId)>,
}

impl CopyGroups {
    /// Reads the texts of a group again if the digests of their stored bytes differ, because the same text may be escaped in
    /// two ways.
    pub fn new(signed: &SignedCorpus, segments: &Segments, copies: Copies) -> Result<Self> {
        let places = RankBitmap::new(segments.len(), copies.pairs.iter().flat_map(|pair| [pair.0.0, pair.1.0]));
        let members: Vec<DocId> = places.numbers().map(DocId).collect();
        let digests = segments.gather(|segment| segment.raw, &members)?;
        let raw = |document: DocId| places.rank(document.0).map(|at| digests[at]);
        let differs = |group: &&[(DocId, DocId)]| group.iter().any(|pair| raw(pair.0) != raw(pair.1));
        let unsure = copies.pairs.par_chunk_by(|left, right| left.0 == right.0).filter(differs);
        let unsure: Vec<DocId> = unsure.flat_map_iter(|group| std::iter::once(group[0].0).chain(group.iter().map(|pair| pair.1))).collect();
        let digests = signed.digests(&unsure)?;
        let mut firsts: BTreeMap<u128, DocId> = BTreeMap::new();
        let mut classes: Vec<(DocId, DocId)> =
            unsure.iter().zip(digests).map(|(&document, digest)| (document, *firsts.entry(digest).or_insert(document))).collect();
        classes.sort_unstable();
        Ok(CopyGroups { copies, classes })
    }

    /// Returns the rule that holds between two members of one group.
    pub fn rule(&self, first: DocId, left: DocId, right: DocId) -> Rule {
        let class = |document| self.classes.binary_search_by_key(&document, |class| class.0).map_or(first, |at| self.classes[at].1);
        if class(left) == class(right) { Rule::Identical } else { Rule::Lexical }
    }
}
