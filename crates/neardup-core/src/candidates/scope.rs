//! Scopes: which pairs of documents count.
//!
//! Without a scope every pair counts. A scope depends on the two documents only, never on their texts, so the leader rule and
//! components over the pairs that count are well-defined. Documents of one *class* count with the same others.

use crate::util::ids::DocId;

/// Which pairs count by the groups of their documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupScope {
    /// Documents of one group. A document without a group pairs with nothing.
    Within,
    /// Documents of different groups. A document without a group pairs with all.
    Across,
}

/// The group of a document without one.
pub const NO_GROUP: u32 = u32::MAX;

/// The pairs of a run that count.
#[derive(Clone, Debug)]
pub struct PairScope {
    /// Which groups make pairs, and the group of every document.
    pub groups: Option<(GroupScope, Vec<u32>)>,
    /// Number of the first document of the reference.
    pub reference: u32,
    /// Whether only pairs of a document of the input and one of the reference count.
    pub only_cross: bool,
    /// Whether each document pairs with nothing because it is too short; empty if none is.
    pub short: Vec<bool>,
}

impl PairScope {
    /// Whether a document pairs with nothing.
    pub fn is_alone(&self, document: DocId) -> bool {
        let within = matches!(&self.groups, Some((GroupScope::Within, groups)) if groups[document.index()] == NO_GROUP);
        within || self.short.get(document.index()).is_some_and(|&short| short)
    }

    /// Whether the pair of two documents counts. Neither is alone.
    pub fn counts(&self, left: DocId, right: DocId) -> bool {
        let by_groups = match &self.groups {
            None => true,
            Some((GroupScope::Within, groups)) => groups[left.index()] == groups[right.index()],
            Some((GroupScope::Across, groups)) => {
                let group = groups[left.index()];
                group == NO_GROUP || group != groups[right.index()]
            }
        };
        by_groups && (!self.only_cross || self.is_reference(left) != self.is_reference(right))
    }

    /// Whether a document of the input can be an original.
    pub fn has_leaders_in_input(&self) -> bool {
        !self.only_cross
    }

    /// Whether a document belongs to the reference.
    pub fn is_reference(&self, document: DocId) -> bool {
        document.0 >= self.reference
    }

    /// Whether all pairs of documents that are not alone count.
    pub fn is_whole(&self) -> bool {
        self.groups.is_none() && !self.only_cross
    }

    /// Returns the class of a document: its group and its side.
    pub fn class(&self, document: DocId) -> (u32, bool) {
        let group = self.groups.as_ref().map_or(NO_GROUP, |(_, groups)| groups[document.index()]);
        let splits_sides = self.only_cross || matches!(self.groups, Some((GroupScope::Across, _)));
        (group, splits_sides && self.is_reference(document))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn documents_of_one_class_count_with_the_same_others(
            groups in proptest::collection::vec(prop_oneof![Just(NO_GROUP), 0u32..3], 2..9),
            mode in prop_oneof![Just(None), Just(Some(GroupScope::Within)), Just(Some(GroupScope::Across))],
            only_cross: bool,
            reference in 0u32..9,
        ) {
            let documents: Vec<DocId> = DocId::first(groups.len()).collect();
            let scope = PairScope { groups: mode.map(|mode| (mode, groups)), reference, only_cross, short: Vec::new() };
            for &one in documents.iter().filter(|&&one| !scope.is_alone(one)) {
                for &other in documents.iter().filter(|&&other| !scope.is_alone(other)) {
                    prop_assert_eq!(scope.counts(one, other), scope.counts(other, one));
                    for &third in documents.iter().filter(|&&third| third != one && third != other && !scope.is_alone(third)) {
                        let is_equal = scope.class(one) == scope.class(other);
                        // Within a group, both sides are one class, and the reference leads.
                        prop_assert!(!is_equal || scope.counts(one, third) == scope.counts(other, third));
                    }
                }
            }
        }
    }
}
