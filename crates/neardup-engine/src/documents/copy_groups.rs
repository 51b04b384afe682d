//! Groups of exact copies, with the rule that ties each copy to its first.

use crate::Result;
use crate::documents::signed::SignedCorpus;
use neardup_core::candidates::copies::Copies;
use neardup_core::candidates::scope::PairScope;
use neardup_core::pass::rule::Rule;
use neardup_core::signing::segments::Segments;
use neardup_core::util::ids::{DocId, Rank};
use neardup_core::util::rank_bitmap::RankBitmap;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The lexically equal groups of a run, split into classes of identical texts.
pub struct CopyGroups {
    /// Copies by the first of their group.
    pub copies: Copies,
    /// Documents of groups whose digests differ, with the first of their class, ascending.
    pub classes: Vec<(DocId, DocId)>,
    /// Firsts of groups with equal token sequences that are kept apart because not all their pairs count. Each has the first of
    /// all of them. Ascending.
    pub kin: Vec<(DocId, DocId)>,
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
        Ok(CopyGroups { copies, classes, kin: Vec::new() })
    }

    /// Splits every group into groups of documents that count with the same others. The documents of such a group share one fate:
    /// either the pairs among them count, or all are kept or dropped together.
    #[must_use]
    pub fn split(self, scope: &PairScope, documents: usize, position: &dyn Fn(DocId) -> Rank) -> Self {
        let (mut pairs, mut kin) = (Vec::new(), Vec::new());
        for group in self.copies.pairs.chunk_by(|left, right| left.0 == right.0) {
            let mut members: Vec<DocId> = std::iter::once(group[0].0).chain(group.iter().map(|pair| pair.1)).collect();
            members.sort_unstable_by_key(|&member| (scope.class(member), position(member)));
            let before = kin.len();
            for class in members.chunk_by(|one, other| scope.class(*one) == scope.class(*other)) {
                pairs.extend(class[1..].iter().map(|&copy| (class[0], copy)));
                kin.push((class[0], group[0].0));
            }
            if kin.len() == before + 1 {
                kin.pop();
            }
        }
        pairs.sort_unstable();
        kin.sort_unstable();
        CopyGroups { copies: Copies::new(pairs, documents), classes: self.classes, kin }
    }

    /// Returns the number that firsts with equal token sequences share.
    pub fn kin_of(&self, first: DocId) -> Option<DocId> {
        self.kin.binary_search_by_key(&first, |kin| kin.0).ok().map(|at| self.kin[at].1)
    }

    /// Returns the rule between members of two groups with the firsts `left.0` and `right.0`, if their token sequences are equal.
    pub fn rule_of_kin(&self, left: (DocId, DocId), right: (DocId, DocId)) -> Option<Rule> {
        let kin = self.kin_of(left.0)?;
        (self.kin_of(right.0) == Some(kin)).then(|| self.rule(kin, left.1, right.1))
    }

    /// Returns the rule that holds between two members of one group.
    pub fn rule(&self, first: DocId, left: DocId, right: DocId) -> Rule {
        let class = |document| self.classes.binary_search_by_key(&document, |class| class.0).map_or(first, |at| self.classes[at].1);
        if class(left) == class(right) { Rule::Identical } else { Rule::Lexical }
    }
}
