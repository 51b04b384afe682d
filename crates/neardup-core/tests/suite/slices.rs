//! Processing a component in slices gives the same results as processing it at once, wherever slices end.

use crate::support::texts::{Corpus, segments, variants};
use crate::support::unwatched::Unwatched;
use neardup_core::candidates::arrange::arrange;
use neardup_core::candidates::batches::MemoryWeights;
use neardup_core::candidates::buckets::{Buckets, StoredBuckets};
use neardup_core::candidates::numbered::Candidates;
use neardup_core::candidates::slices::{KeyScope, Slice, Slices};
use neardup_core::certificate::{DocumentDraw, DrawnCandidate, SampledPair};
use neardup_core::compile::compile;
use neardup_core::decide::compare::Comparer;
use neardup_core::decide::components::{LeaderOutcome, connect};
use neardup_core::decide::leaders::{ReferenceLeaders, lead};
use neardup_core::decide::pairs::{Pair, score, starred};
use neardup_core::measures::Overlap;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::signing::ignored_keys::Ignored;
use neardup_core::signing::segments::Segments;
use neardup_core::util::forest::Forest;
use neardup_core::util::ids::{CandidateId, DocId, Rank};
use neardup_core::util::splitmix::SplitMix;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Memory weight of a document.
const DOCUMENT: usize = 64;
/// Memory weight of a membership in a bucket.
const MEMBERSHIP: usize = 16;
/// Number of pinned documents, which are the first in policy order.
const PINNED: Rank = Rank(40);
/// Number of documents: a prime, so that a multiplication permutes them.
const COUNT: u32 = 401;

/// Arranged documents.
struct Arranged<'a> {
    texts: &'a [String],
    pass: &'a CompiledPass,
    segments: Segments,
    parts: Vec<StoredBuckets>,
    limit: usize,
    max_family: usize,
}

/// The results, by document.
#[derive(Debug, Default, PartialEq)]
struct Found {
    followers: BTreeMap<DocId, (DocId, Overlap)>,
    roots: Vec<DocId>,
    pairs: BTreeMap<(DocId, DocId), Overlap>,
    families: BTreeMap<DocId, usize>,
    sightings: Vec<SampledPair>,
}

impl Found {
    /// Applies the leader rule to the asking candidates.
    fn lead(&mut self, candidates: &Candidates, comparer: &Comparer<'_>) {
        let pinned = candidates.documents.iter().take_while(|&&document| position(document) < PINNED).count() as u32;
        let start = candidates.asking.start;
        let represents_others =
            |candidate: CandidateId| candidate.0 >= start && candidates.documents[candidate.index()].0.is_multiple_of(3);
        let pinned = ReferenceLeaders { count: pinned.max(start), represents_others: &represents_others };
        for follower in lead(candidates, comparer, &pinned, &Unwatched).unwrap() {
            let document = |candidate: CandidateId| candidates.documents[candidate.index()];
            self.followers.insert(document(follower.candidate), (document(follower.leader), follower.overlap));
        }
    }

    fn score(&mut self, candidates: &Candidates, comparer: &Comparer<'_>, max_family: usize) {
        comparer.forget_sights();
        let document = |candidate: CandidateId| candidates.documents[candidate.index()];
        let mut take = |pairs: Vec<Pair>| -> neardup_core::Result<()> {
            for pair in pairs {
                let before = self.pairs.insert((document(pair.left), document(pair.right)), pair.overlap);
                assert!(before.is_none(), "a pair was found twice");
            }
            Ok(())
        };
        score(candidates, comparer, &|_, _| true, max_family, &Unwatched, &mut take).unwrap();
        for (first, size) in starred(candidates, comparer, max_family) {
            let largest = self.families.entry(document(first)).or_default();
            *largest = size.max(*largest);
        }
    }

    fn sight(&mut self, candidates: &Candidates, comparer: &Comparer<'_>, drawing: &DocumentDraw, drawn: &[DrawnCandidate]) {
        let hash = |candidate: CandidateId| hash(candidates.documents[candidate.index()]);
        self.sightings.append(&mut drawing.sight(candidates, comparer, drawn, &hash, &|_, _| true).unwrap());
    }
}

/// Returns the place in policy order, which differs from the order of the input.
fn position(document: DocId) -> Rank {
    Rank((document.0 * 11) % COUNT)
}

fn hash(document: DocId) -> u64 {
    SplitMix::new(u64::from(document.0)).draw()
}

impl Arranged<'_> {
    fn at_once(&self, drawing: &mut DocumentDraw) -> Found {
        let buckets = Buckets::load(self.segments.store(), &self.parts).unwrap();
        let candidates = Candidates::new(&self.segments, &buckets, &Ignored::default(), &position).unwrap();
        drawing.candidates = candidates.len() as u64;
        let corpus = Corpus { texts: self.texts.to_vec(), candidates: &candidates };
        let comparer = Comparer::new(&candidates, self.pass, &corpus, 1 << 20);
        let mut found = Found::default();
        found.lead(&candidates, &comparer);
        let number =
            |document: DocId| CandidateId::first(candidates.len()).zip(&candidates.documents).find(|entry| *entry.1 == document).unwrap().0;
        let mut led = LeaderOutcome::new(candidates.len(), &[]);
        for (&follower, &(leader, _)) in &found.followers {
            led.follows[number(follower).index()] = true;
            led.forest.union(number(follower), number(leader));
        }
        let mut met = connect(&candidates, &comparer, led, &Unwatched).unwrap();
        let mut forest = Forest::new(self.texts.len());
        CandidateId::first(candidates.len()).zip(&candidates.documents).for_each(|(candidate, &document)| {
            forest.union(document, candidates.documents[met.find(candidate).index()]);
        });
        found.roots = DocId::first(self.texts.len()).map(|document| forest.find(document)).collect();
        found.score(&candidates, &comparer, self.max_family);
        let drawn = drawing.draw(&candidates, &comparer, &|candidate| hash(candidates.documents[candidate.index()]));
        found.sight(&candidates, &comparer, drawing, &drawn);
        found.sightings.sort_unstable();
        found
    }

    fn slices<'s>(&'s self, weights: &'s MemoryWeights<'s>) -> Slices<'s> {
        Slices {
            store: self.segments.store(),
            parts: &self.parts,
            kinds: &self.pass.kinds,
            documents: self.texts.len(),
            position: &position,
            weights,
            limit: self.limit,
        }
    }

    /// Returns the slice after checking its weight: it is within the limit, or at most one asking document `meets` earlier ones.
    fn bounded(&self, slice: Slice, meets: &dyn Fn(DocId, DocId) -> bool) -> Slice {
        let mut meeting = BTreeSet::new();
        for bucket in slice.buckets.iter() {
            for &document in bucket.iter().filter(|&&document| slice.positions.contains(&position(document))) {
                if bucket.iter().any(|&other| position(other) < position(document) && meets(other, document)) {
                    meeting.insert(document);
                }
            }
        }
        assert!(slice.weight <= 2 * self.limit || meeting.len() <= 1, "{} bytes for {meeting:?}", slice.weight);
        slice
    }

    /// Runs `work` on the candidates of a slice; returns the end of the slice.
    fn at(&self, slice: Slice, work: impl FnOnce(&Candidates, &Comparer<'_>)) -> Rank {
        let mut candidates = Candidates::new(&self.segments, &slice.buckets, &Ignored::default(), &position).unwrap();
        let place = |end: Rank| candidates.documents.partition_point(|&document| position(document) < end) as u32;
        candidates.asking = place(slice.positions.start)..place(slice.positions.end);
        assert!(slice.weight >= candidates.len() * DOCUMENT + slice.buckets.documents().len() * MEMBERSHIP);
        let corpus = Corpus { texts: self.texts.to_vec(), candidates: &candidates };
        work(&candidates, &Comparer::new(&candidates, self.pass, &corpus, 1 << 20));
        slice.positions.end
    }

    fn in_slices(&self, drawing: &DocumentDraw) -> (Found, usize) {
        let weights = MemoryWeights { document: &|_| DOCUMENT, membership: MEMBERSHIP };
        let (slices, count) = (self.slices(&weights), Rank(self.texts.len() as u32));
        let (mut found, mut start, mut steps) = (Found::default(), Rank::FIRST, 0);
        while start < count {
            let slice = {
                let leads = |document: DocId| position(document) < PINNED || !found.followers.contains_key(&document);
                slices.next(start, &KeyScope::Leaders { leads: &leads }).unwrap()
            };
            start = self.at(self.bounded(slice, &|_, _| true), |candidates, comparer| found.lead(candidates, comparer));
            steps += 1;
        }
        let (mut forest, mut start) = (Forest::new(self.texts.len()), Rank::FIRST);
        found.followers.iter().for_each(|(&follower, &(leader, _))| forest.union(follower, leader));
        while start < count {
            let follows = |document: DocId| found.followers.contains_key(&document);
            let slice = slices.next(start, &KeyScope::Unconnected { follows: &follows, root: &|document| forest.root(document) }).unwrap();
            let slice = self.bounded(slice, &|one, other| forest.root(one) != forest.root(other));
            start = self.at(slice, |candidates, comparer| {
                let mut led = LeaderOutcome::new(candidates.len(), &[]);
                for (one, &document) in candidates.documents.iter().enumerate() {
                    led.follows[one] = follows(document);
                    for other in 0..one {
                        if forest.root(document) == forest.root(candidates.documents[other]) {
                            led.forest.union(CandidateId(one as u32), CandidateId(other as u32));
                        }
                    }
                }
                let mut met = connect(candidates, comparer, led, &Unwatched).unwrap();
                CandidateId::first(candidates.len()).for_each(|candidate| {
                    let [one, other] = [candidate, met.find(candidate)].map(|number| candidates.documents[number.index()]);
                    forest.union(one, other);
                });
            });
        }
        found.roots = DocId::first(self.texts.len()).map(|document| forest.find(document)).collect();
        let mut start = Rank::FIRST;
        while start < count {
            let slice = slices.next(start, &KeyScope::Earlier { max_family: self.max_family }).unwrap();
            let slice = self.bounded(slice, &|_, _| true);
            start = self.at(slice, |candidates, comparer| found.score(candidates, comparer, self.max_family));
        }
        let mut members = slices.members(&|document| drawing.can_draw(hash(document))).unwrap();
        members.retain(|&document, members| drawing.draws(hash(document), *members));
        let is_drawn = |document: DocId| members.contains_key(&document);
        let compares = |one: DocId, other: DocId| drawing.compares(hash(one), members[&one], || hash(other));
        let mut start = Rank::FIRST;
        while start < count {
            let slice = slices.next(start, &KeyScope::Certified { drawn: &is_drawn, compares: &compares }).unwrap();
            start = self.at(slice, |candidates, comparer| {
                let members = |candidate: CandidateId| members.get(&candidates.documents[candidate.index()]).copied();
                let drawn = |candidate: CandidateId| Some(DrawnCandidate { candidate, members: members(candidate)? });
                let drawn: Vec<DrawnCandidate> = candidates.asking_ids().filter_map(drawn).collect();
                found.sight(candidates, comparer, drawing, &drawn);
            });
        }
        found.sightings.sort_unstable();
        (found, steps)
    }
}

/// Schemes whose keys connect nearly all documents, so that they are one component.
const LINES: [&str; 3] = [
    "words | shingles:2 | minhash:24 | bands:24x1 | resemblance>=0.6",
    "words | shingles:2 | minhash:24 | bands:24x1 cap=4 | resemblance>=0.6",
    "words | shingles:2 | minhash:24 | bands:12x2 cap=13 | resemblance>=0.4",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5))]

    #[test]
    fn slices_give_the_same_results_as_the_whole(seed in 0u64..1 << 20, line in prop::sample::select(&LINES[..]), limit in 0usize..40_000, max_family in 2usize..60) {
        let texts = variants(seed, COUNT.into());
        let pass = compile(&line.parse().unwrap()).unwrap();
        let segments = segments(&texts, &pass, 37);
        let parts = arrange(&segments, &pass, &|_| true, 1 << 14).unwrap().parts;
        let arranged = Arranged { texts: &texts, pass: &pass, segments, parts, limit, max_family };
        let mut drawing = DocumentDraw { candidates: 0 };
        let whole = arranged.at_once(&mut drawing);
        let (found, steps) = arranged.in_slices(&drawing);
        prop_assert_eq!(&found, &whole);
        prop_assert!(!whole.sightings.is_empty() && !whole.pairs.is_empty());
        prop_assert!(steps > 1, "nothing was cut");
    }
}
