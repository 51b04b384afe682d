//! Differences: the features in which the members of a large family differ from its leader. They determine how two members
//! differ.
//!
//! A feature in which two members A and B differ is one in which exactly one of them differs from the leader L:
//! |A d B| = |A d L| + |B d L| - 2 |(A d L) n (B d L)|, where d is the symmetric difference. Near-copies differ in few
//! features, so this is cheaper than a comparison. It is as exact as 32 bits of a feature: if two features collide in
//! these, two members seem more similar than they are.

use crate::Result;
use crate::decide::compare::{CompareScratch, Comparer};
use crate::decide::leaders::Follower;
use crate::util::ids::CandidateId;
use std::cmp::Ordering;

/// Number of followers from which a family counts as large. All pairs of a smaller one are compared as fast.
const LARGE: usize = 32;

/// Differences of the members of large families from their leaders, as far as the memory budget allows.
pub struct Differences {
    /// Index of every candidate in `members`, or `NOBODY` for one without differences.
    numbers: Vec<u32>,
    members: Vec<FamilyMember>,
}

/// One member of a family.
struct FamilyMember {
    leader: CandidateId,
    /// Number of its features.
    size: u32,
    /// Low halves of the features in which it differs from the leader, ascending.
    features: Box<[u32]>,
}

const NOBODY: u32 = u32::MAX;

impl Differences {
    /// Computes the differences of `followers`. `candidates` is the number of all candidates.
    pub fn new(candidates: usize, comparer: &Comparer<'_>, followers: &[Follower]) -> Result<Self> {
        let mut differences = Differences { numbers: vec![NOBODY; candidates], members: Vec::new() };
        let mut by_leader: Vec<&Follower> = followers.iter().collect();
        by_leader.sort_unstable_by_key(|follower| (follower.leader, follower.candidate));
        for family in by_leader.chunk_by(|one, other| one.leader == other.leader).filter(|family| family.len() >= LARGE) {
            let leader = family[0].leader;
            let own = comparer.with_scratch(|scratch| sorted(comparer, leader, scratch))?;
            differences.add(leader, FamilyMember { leader, size: own.len() as u32, features: Box::default() });
            let members: Vec<CandidateId> = family.iter().map(|follower| follower.candidate).collect();
            let found = comparer.each(&members, |&candidate, scratch| {
                let features = sorted(comparer, candidate, scratch)?;
                let differing = differing(&own, &features);
                let fits = comparer.reserve(size_of::<FamilyMember>() + size_of_val(&*differing));
                Ok(fits.then_some(FamilyMember { leader, size: features.len() as u32, features: differing }))
            })?;
            members.into_iter().zip(found).for_each(|(candidate, member)| {
                member.into_iter().for_each(|member| differences.add(candidate, member));
            });
        }
        Ok(differences)
    }

    fn add(&mut self, candidate: CandidateId, member: FamilyMember) {
        self.numbers[candidate.index()] = self.members.len() as u32;
        self.members.push(member);
    }

    /// Returns an upper bound on the resemblance of two members of one family, or `None` for other candidates.
    #[inline]
    pub fn ceiling(&self, one: CandidateId, other: CandidateId) -> Option<(u64, u64)> {
        let member = |candidate: CandidateId| self.members.get(self.numbers[candidate.index()] as usize);
        let (one, other) = (member(one)?, member(other)?);
        if one.leader != other.leader {
            return None;
        }
        let both = u64::from(one.size) + u64::from(other.size);
        let differing = (one.features.len() + other.features.len() - 2 * shared(&one.features, &other.features)) as u64;
        Some((both - differing.min(both), both + differing))
    }
}

/// Returns the features of a candidate, ascending.
fn sorted(comparer: &Comparer<'_>, candidate: CandidateId, scratch: &mut CompareScratch) -> Result<Vec<u64>> {
    let mut features = comparer.features(candidate, scratch)?.to_vec();
    features.sort_unstable();
    Ok(features)
}

/// Returns the low halves of the features that only one of two ascending sets contains, ascending.
fn differing(left: &[u64], right: &[u64]) -> Box<[u32]> {
    let (mut l, mut r, mut found) = (0, 0, Vec::new());
    while l < left.len() || r < right.len() {
        let order = match (left.get(l), right.get(r)) {
            (Some(left), Some(right)) => left.cmp(right),
            (Some(_), None) => Ordering::Less,
            _ => Ordering::Greater,
        };
        match order {
            Ordering::Less => found.push(left[l] as u32),
            Ordering::Greater => found.push(right[r] as u32),
            Ordering::Equal => {}
        }
        l += usize::from(order.is_le());
        r += usize::from(order.is_ge());
    }
    found.sort_unstable();
    found.into_boxed_slice()
}

/// Returns the number of values that two ascending lists have in common.
fn shared(left: &[u32], right: &[u32]) -> usize {
    let (mut l, mut r, mut count) = (0, 0, 0);
    while let (Some(left), Some(right)) = (left.get(l), right.get(r)) {
        count += usize::from(left == right);
        l += usize::from(left <= right);
        r += usize::from(left >= right);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn two_differences_tell_a_third(sets in proptest::collection::vec(proptest::collection::btree_set(any::<u64>(), 0..9), 4)) {
            // All sets include the last one.
            let set = |at: usize| sets[at].union(&sets[3]).copied().collect::<BTreeSet<u64>>();
            let list = |at: usize| set(at).into_iter().collect::<Vec<u64>>();
            let (one, other) = (differing(&list(2), &list(0)), differing(&list(2), &list(1)));
            prop_assert_eq!(one.len(), set(0).symmetric_difference(&set(2)).count());
            let between = one.len() + other.len() - 2 * shared(&one, &other);
            prop_assert!(between <= set(0).symmetric_difference(&set(1)).count());
            let low = sets.iter().flatten().map(|&feature| feature as u32).collect::<BTreeSet<u32>>().len();
            let all_differ = low == sets.iter().flatten().collect::<BTreeSet<_>>().len();
            prop_assert!(!all_differ || between == set(0).symmetric_difference(&set(1)).count());
        }
    }
}
