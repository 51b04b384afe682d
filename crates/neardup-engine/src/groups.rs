//! Groups of exact copies, with the rule that ties each copy to its first.

use crate::Result;
use crate::rule::Rule;
use crate::signed::Signed;
use neardup_core::copies::Copies;
use std::collections::BTreeMap;

/// The lexically equal groups of a run, split into classes of identical texts.
pub struct Groups {
    /// The copies by their first.
    pub copies: Copies,
    classes: BTreeMap<u32, u32>,
}

impl Groups {
    /// Reads the texts again wherever the digests of the texts as they stand differ: the same text may be escaped
    /// in two ways.
    pub fn new(signed: &Signed, copies: Copies) -> Result<Self> {
        let raw = signed.segments.column(|segment| segment.raw)?;
        let differs = |group: &&[(u32, u32)]| group.iter().any(|pair| raw[pair.0 as usize] != raw[pair.1 as usize]);
        let mut unsure: Vec<u32> = Vec::new();
        for group in copies.pairs.chunk_by(|left, right| left.0 == right.0).filter(differs) {
            unsure.push(group[0].0);
            unsure.extend(group.iter().map(|pair| pair.1));
        }
        let digests = signed.digests(&unsure)?;
        let mut firsts: BTreeMap<u128, u32> = BTreeMap::new();
        let classes = unsure.iter().zip(digests).map(|(&document, digest)| (document, *firsts.entry(digest).or_insert(document))).collect();
        Ok(Groups { copies, classes })
    }

    /// The rule that holds between two members of one group.
    pub fn rule(&self, first: u32, left: u32, right: u32) -> Rule {
        let class = |document| self.classes.get(&document).copied().unwrap_or(first);
        if class(left) == class(right) { Rule::Identical } else { Rule::Lexical }
    }
}
