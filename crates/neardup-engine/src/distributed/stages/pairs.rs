//! The pairs of some families, with those of their copies.

use crate::distributed::message::{ClassMember, DocName, PairFound};
use crate::distributed::stages::compare::ComparedFamilies;
use crate::distributed::stages::gather::policy_order;
use crate::findings::pairs::ScoredPair;
use neardup_core::decide::value::PairValue;
use neardup_core::measures::Overlap;
use neardup_core::pass::rule::Rule;
use neardup_core::util::ids::DocId;
use std::collections::BTreeMap;

impl<'f> ComparedFamilies<'f> {
    /// Returns all pairs, each with its sides in order, and the classes of more than `max_family` copies, in which only pairs with the
    /// first count: the first, and the size.
    pub(super) fn pairs(&self, max_family: usize) -> (Vec<PairFound>, Vec<(DocName, u64)>) {
        let (mut pairs, mut stars) = (Vec::new(), Vec::new());
        for pair in &self.found.pairs {
            let [left, right] = [pair.left, pair.right].map(|document| self.class(document));
            if left.zip(right).is_some_and(|(left, right)| left.node == right.node) {
                continue;
            }
            for one in self.represented(pair.left, max_family) {
                for other in self.represented(pair.right, max_family) {
                    pairs.extend(self.oriented(one, other, pair));
                }
            }
        }
        for &(first, _) in &self.nodes {
            let Some(class) = self.class(first) else { continue };
            let (size, is_star) = (self.sizes.get(&first).copied().unwrap_or(0), class.members.len() > max_family);
            let overlap = Overlap { shared: size, left: size, right: size };
            for (at, one) in class.members.iter().enumerate() {
                for other in &class.members[at + 1..] {
                    if is_star && ![one, other].map(|member| member.name.number).contains(&self.name(first).number) {
                        continue;
                    }
                    let rule = if self.are_identical(class, one.raw, other.raw) { Rule::Identical } else { Rule::Lexical };
                    let pair = ScoredPair { left: first, right: first, rule, pass: 0, overlap, value: PairValue::NONE };
                    pairs.extend(self.oriented(&one.name, &other.name, &pair));
                }
            }
            if is_star {
                stars.push((self.name(first).clone(), class.members.len() as u64));
            }
        }
        (pairs, stars)
    }

    /// Returns the families that share a key and were compared with their first only, each once, with its size.
    pub(super) fn starred_keys(&self) -> Vec<(DocName, u64)> {
        let mut largest: BTreeMap<DocId, u64> = BTreeMap::new();
        for family in &self.found.starred_keys {
            let size = largest.entry(family.first).or_default();
            *size = (*size).max(family.size as u64);
        }
        largest.into_iter().map(|(first, size)| (self.name(first).clone(), size)).collect()
    }

    /// Returns the documents that a representative represents on its side: of a large class, only the first of all.
    fn represented(&self, document: DocId, max_family: usize) -> Vec<&'f DocName> {
        let Some(class) = self.class(document) else { return vec![self.name(document)] };
        let is_here = |member: &&'f ClassMember| self.plan.is_reference(member.name.number) == self.is_reference(document);
        if class.members.len() <= max_family {
            return class.members.iter().filter(is_here).map(|member| &member.name).collect();
        }
        let first = class.members.iter().min_by(|one, other| policy_order(self.plan, one, other));
        first.into_iter().filter(is_here).map(|member| &member.name).collect()
    }

    /// Returns a pair with its sides in order; `None` if it does not count, because there is a reference and both are of one side.
    fn oriented(&self, one: &DocName, other: &DocName, pair: &ScoredPair) -> Option<PairFound> {
        let sides = [one, other].map(|name| self.plan.is_reference(name.number));
        if self.plan.crosses && sides[0] == sides[1] {
            return None;
        }
        let is_turned = if self.plan.crosses { sides[0] } else { self.plan.order(one, other).is_gt() };
        let (left, right, overlap) = if is_turned { (other, one, pair.overlap.reversed()) } else { (one, other, pair.overlap) };
        Some(PairFound {
            left: left.clone(),
            right: right.clone(),
            rule: pair.rule,
            pass: self.plan.pass,
            overlap,
            value: pair.value.words(),
        })
    }
}
