//! Keys above the cap: the pairs that they propose, and the list of capped keys.

use crate::support::texts::{Corpus, NONE, overlap, segments, sets, variants};
use crate::support::unwatched::Unwatched;
use neardup_core::candidates::arrange::arrange;
use neardup_core::candidates::buckets::Buckets;
use neardup_core::candidates::copies::Copies;
use neardup_core::candidates::numbered::Candidates;
use neardup_core::compile::compile;
use neardup_core::decide::compare::Comparer;
use neardup_core::decide::components::{LeaderOutcome, connect};
use neardup_core::decide::leaders::lead;
use neardup_core::decide::pairs::{Pair, score};
use neardup_core::signing::ignored_keys::Ignored;
use neardup_core::util::forest::Forest;
use neardup_core::util::ids::{BucketId, CandidateId, DocId, Rank};
use std::collections::BTreeSet;

/// The definition, pair by pair: which members of a bucket above `cap` are compared.
struct Definition<'a> {
    candidates: &'a Candidates,
    cap: usize,
    holds: &'a dyn Fn(CandidateId, CandidateId) -> bool,
}

impl Definition<'_> {
    /// Returns (follower, leader); only the first `cap` leaders of a capped bucket count.
    fn followers(&self) -> Vec<(CandidateId, CandidateId)> {
        let (mut kept, mut followers): (BTreeSet<CandidateId>, Vec<(CandidateId, CandidateId)>) = Default::default();
        for candidate in CandidateId::first(self.candidates.len()) {
            let leaders: BTreeSet<CandidateId> =
                self.candidates.buckets_of(candidate).iter().flat_map(|&bucket| self.leaders(bucket, &kept)).collect();
            match leaders.into_iter().find(|&leader| (self.holds)(candidate, leader)) {
                Some(leader) => followers.push((candidate, leader)),
                None => drop(kept.insert(candidate)),
            }
        }
        followers
    }

    fn leaders(&self, bucket: BucketId, kept: &BTreeSet<CandidateId>) -> Vec<CandidateId> {
        let members = self.candidates.bucket(bucket);
        let most = if members.len() > self.cap { self.cap } else { members.len() };
        members.iter().copied().filter(|member| kept.contains(member)).take(most).collect()
    }

    /// Returns the root of every candidate, after `followers` are connected with their leaders.
    fn components(&self, followers: &[(CandidateId, CandidateId)]) -> Vec<CandidateId> {
        let count = self.candidates.len();
        let kept: BTreeSet<CandidateId> =
            CandidateId::first(count).filter(|candidate| followers.iter().all(|(follower, _)| follower != candidate)).collect();
        let mut forest = Forest::new(count);
        followers.iter().for_each(|&(follower, leader)| forest.union(follower, leader));
        for bucket in self.candidates.bucket_ids() {
            let members = self.candidates.bucket(bucket);
            let others = if members.len() > self.cap { self.leaders(bucket, &kept) } else { members.to_vec() };
            for (&member, other) in members.iter().flat_map(|member| others.iter().map(move |&other| (member, other))) {
                if member != other && (self.holds)(member, other) {
                    forest.union(member, other);
                }
            }
        }
        CandidateId::first(count).map(|candidate| forest.find(candidate)).collect()
    }

    /// Returns the pairs; the members of a capped bucket are compared only with its first.
    fn pairs(&self) -> BTreeSet<(CandidateId, CandidateId)> {
        let mut pairs = BTreeSet::new();
        for bucket in self.candidates.bucket_ids() {
            let members = self.candidates.bucket(bucket);
            let lefts = if members.len() > self.cap { 1 } else { members.len() };
            for (at, &left) in members[..lefts].iter().enumerate() {
                pairs.extend(members[at + 1..].iter().filter(|&&right| (self.holds)(left, right)).map(|&right| (left, right)));
            }
        }
        pairs
    }
}

#[test]
fn capped_keys_follow_the_definition() {
    let mut changed = 0;
    for (seed, cap) in [(1, 2), (2, 3), (3, 5), (4, 8), (5, 13), (6, 40)] {
        let texts = variants(seed, 420);
        let line = format!("words | shingles:2 | minhash:24 | bands:24x1 cap={cap} | resemblance>=0.8");
        let pass = compile(&line.parse().unwrap()).unwrap();
        let (segments, sets) = (segments(&texts, &pass, 37), sets(&texts, &pass));
        // The first in policy order is not the first in the input.
        let position = |document: DocId| Rank((document.0 * 11) % 421);
        let copies = Copies::find(&segments, &|_| true, &position, 1 << 20).unwrap();
        let arranged = arrange(&segments, &pass, &|document| !copies.is_copy(document), 1 << 14).unwrap();
        let buckets = Buckets::load(segments.store(), &arranged.parts).unwrap();
        let mut large: Vec<usize> = buckets.iter().map(<[DocId]>::len).filter(|&len| len > cap).collect();
        let mut reported: Vec<usize> = arranged.capped.iter().map(|capped| capped.size).collect();
        large.sort_unstable();
        reported.sort_unstable();
        assert_eq!(reported, large);

        let candidates = Candidates::new(&segments, &buckets, &Ignored::default(), &position).unwrap();
        let set = |candidate: CandidateId| &sets[candidates.documents[candidate.index()].index()];
        let definition = Definition { candidates: &candidates, cap, holds: &|left, right| pass.holds(overlap(set(left), set(right))) };
        let corpus = Corpus { texts, candidates: &candidates };
        let comparer = Comparer::new(&candidates, &pass, &corpus, 1 << 16);
        let found = lead(&candidates, &comparer, &NONE, &Unwatched).unwrap();
        let followers: Vec<(CandidateId, CandidateId)> = found.iter().map(|follower| (follower.candidate, follower.leader)).collect();
        assert_eq!(followers, definition.followers());
        let free = Definition { cap: usize::MAX, ..definition };
        changed += usize::from(free.followers() != followers);

        let mut forest = connect(&candidates, &comparer, LeaderOutcome::new(candidates.len(), &found), &Unwatched).unwrap();
        let roots: Vec<CandidateId> = CandidateId::first(candidates.len()).map(|candidate| forest.find(candidate)).collect();
        let definition = Definition { cap, ..free };
        assert_eq!(roots, definition.components(&followers));

        comparer.forget_sights();
        let mut pairs = BTreeSet::new();
        let mut take = |found: Vec<Pair>| -> neardup_core::Result<()> {
            pairs.extend(found.iter().map(|pair| (pair.left, pair.right)));
            Ok(())
        };
        score(&candidates, &comparer, &|_, _| true, usize::MAX, &Unwatched, &mut take).unwrap();
        assert_eq!(pairs, definition.pairs());
    }
    assert!(changed > 0, "no cap changed what is found");
}
