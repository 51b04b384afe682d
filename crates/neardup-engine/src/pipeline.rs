//! The pipeline: what every verb shares, written once.
//!
//! sign -> arrange -> lead (dedup, cluster) -> connect (cluster) -> score (wherever pairs are listed)

use crate::Result;
use crate::budget::Budget;
use crate::clusters::Clusters;
use crate::groups::Groups;
use crate::pairs::{Row, Scored, Star};
use crate::rule::Rule;
use crate::signed::{CandidateTexts, Signed};
use crate::verdicts::{Dropped, Verdicts};
use crate::watch::{Unit, Watch};
use neardup_core::arrange::{Arranged, arrange};
use neardup_core::batches::{self, Weights, split};
use neardup_core::buckets::Buckets;
use neardup_core::candidates::Candidates;
use neardup_core::compare::{Comparer, Texts};
use neardup_core::components::{Forest, connect};
use neardup_core::copies::Copies;
use neardup_core::effort::Effort;
use neardup_core::ignored::Ignored;
use neardup_core::leaders::{Follower, Pinned, lead};
use neardup_core::measures::Overlap;
use neardup_core::misses::{NEAREST, millionths};
use neardup_core::pairs::{score, starred};
use neardup_core::pass::Pass;
use neardup_core::rearrange::rearrange;
use neardup_core::store::{Column, List};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Documents that may meet, in the store: exact copies set aside, the rest arranged by key.
#[derive(Serialize, Deserialize)]
pub struct Meeting {
    copies: Column<[u32; 2]>,
    classes: Column<[u32; 2]>,
    /// Buckets, and keys that were capped.
    pub arranged: Arranged,
}

impl Meeting {
    /// Sets exact copies aside and arranges the others; `positions` is policy order, None for input order.
    pub fn new(signed: &Signed, pass: &Pass, positions: Option<&[u32]>, budget: Budget, watch: &Watch) -> Result<Self> {
        watch.phase("arrange", signed.len() as u64, Unit::Documents, || {
            let (segments, store) = (&signed.segments, signed.segments.store());
            let counts = |document: u32| !signed.is_set_aside(document);
            let groups = Groups::new(signed, Copies::find(segments, &counts, &position_in(positions), budget.room())?)?;
            let features = segments.column(|segment| segment.features)?;
            let takes_part = |document: u32| counts(document) && features[document as usize] > 0 && !groups.copies.is_copy(document);
            let arranged = arrange(segments, pass, &takes_part, budget.room())?;
            let texts_of = |documents: &[u32]| {
                let texts = CandidateTexts::new(signed, documents).map_err(|error| neardup_core::Error::Text(Box::new(error)))?;
                Ok(Box::new(texts) as Box<dyn Texts>)
            };
            let arranged = rearrange(arranged, segments, pass, &texts_of, budget.room())?;
            let column = |pairs: &[(u32, u32)]| {
                let rows: Vec<[u32; 2]> = pairs.iter().map(|&(left, right)| [left, right]).collect();
                store.append(&rows).map_err(neardup_core::Error::from)
            };
            Ok(Meeting { copies: column(&groups.copies.pairs)?, classes: column(&groups.classes)?, arranged })
        })
    }
}

/// A meeting at work.
pub struct Met<'a> {
    signed: &'a Signed,
    pass: &'a Pass,
    positions: Option<&'a [u32]>,
    watch: &'a Watch,
    budget: Budget,
    /// The bytes of every document's sketch.
    sketches: Vec<u32>,
    buckets: &'a [neardup_core::buckets::Stored],
    ignored: Ignored,
    /// Exact copies.
    pub groups: Groups,
}

/// How much was compared, and what of it failed, in documents.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct NearMisses {
    /// By resemblance, in hundredths.
    pub histogram: Vec<u64>,
    /// The nearest pairs, best first within a batch.
    pub nearest: Vec<Scored>,
    /// How much was compared.
    pub effort: Effort,
}

/// Candidates that are in memory together.
struct Batch<'a> {
    candidates: Candidates,
    texts: CandidateTexts<'a>,
    met: &'a Met<'a>,
    /// Bytes that are left for their feature sets.
    room: usize,
}

impl<'a> Met<'a> {
    /// Takes up what `meeting` left.
    pub fn new(
        signed: &'a Signed,
        pass: &'a Pass,
        positions: Option<&'a [u32]>,
        budget: Budget,
        watch: &'a Watch,
        meeting: &'a Meeting,
    ) -> Result<Self> {
        let store = signed.segments.store();
        let pairs = |column| {
            let rows: Vec<[u32; 2]> = store.all(column).map_err(neardup_core::Error::from)?;
            Ok::<_, neardup_core::Error>(rows.into_iter().map(|[left, right]| (left, right)).collect::<Vec<_>>())
        };
        let groups = Groups { copies: Copies::new(pairs(meeting.copies)?, signed.len()), classes: pairs(meeting.classes)? };
        let sketches = signed.segments.sketch_bytes(pass)?;
        let (buckets, ignored) = (&meeting.arranged.parts, Ignored::new(pass, &meeting.arranged.capped));
        Ok(Met { signed, pass, positions, watch, budget, sketches, buckets, ignored, groups })
    }

    /// Applies the leader rule.
    pub fn lead(&self) -> Result<(Verdicts, NearMisses)> {
        let (mut dropped, mut misses) = (Vec::new(), NearMisses::default());
        self.each(|batch| {
            let comparer = batch.comparer();
            dropped.extend(batch.followers(&comparer)?.iter().map(|follower| batch.dropped(follower)));
            misses.add(&batch, &comparer);
            Ok(())
        })?;
        Ok((Verdicts::new(self.signed, self.pass, &self.groups, dropped)?, misses))
    }

    /// Applies the leader rule, then connects everything that meets the measure; `id_rank` names the components.
    pub fn cluster(&self, id_rank: &[u32]) -> Result<(Verdicts, Clusters, NearMisses)> {
        let (mut dropped, mut misses) = (Vec::new(), NearMisses::default());
        let mut forest = Forest::new(self.signed.len());
        self.groups.copies.pairs.iter().for_each(|&(first, copy)| forest.union(first, copy));
        self.each(|batch| {
            let comparer = batch.comparer();
            let followers = batch.followers(&comparer)?;
            let total = batch.candidates.len() as u64;
            let mut met =
                self.watch.phase("connect", total, Unit::Documents, || connect(&batch.candidates, &comparer, &followers, self.watch))?;
            for candidate in 0..batch.candidates.len() as u32 {
                forest.union(batch.document(candidate), batch.document(met.find(candidate)));
            }
            dropped.extend(followers.iter().map(|follower| batch.dropped(follower)));
            misses.add(&batch, &comparer);
            Ok(())
        })?;
        let verdicts = Verdicts::new(self.signed, self.pass, &self.groups, dropped)?;
        Ok((verdicts, Clusters::new(&mut forest, id_rank), misses))
    }

    /// Scores every pair of firsts that can stand for a wanted pair; of a family of more than `max_family` that share a
    /// key only those with its first.
    pub fn score(&self, max_family: usize) -> Result<(List<Row>, Vec<Star>, NearMisses)> {
        let against = (self.signed.reference as usize) < self.signed.len();
        let (mut scored, mut families, mut misses) = (List::default(), BTreeMap::new(), NearMisses::default());
        self.each(|batch| {
            let comparer = batch.comparer();
            let sides: Vec<(bool, bool)> = batch.candidates.documents.iter().map(|&document| self.sides(document)).collect();
            let wanted = |left: u32, right: u32| {
                let (left, right) = (sides[left as usize], sides[right as usize]);
                !against || (left.0 && right.1) || (left.1 && right.0)
            };
            let mut take = |pairs: Vec<neardup_core::pairs::Pair>| {
                let rows: Vec<Row> = pairs.iter().map(|pair| batch.scored(pair.left, pair.right, pair.overlap).into()).collect();
                scored.append(self.signed.segments.store(), &rows).map_err(neardup_core::Error::from)
            };
            let total = batch.candidates.len() as u64;
            self.watch.phase("score", total, Unit::Documents, || {
                score(&batch.candidates, &comparer, &wanted, max_family, self.watch, &mut take)
            })?;
            // Near-copies share many keys: one line for all that have the same first.
            for (first, size) in starred(&batch.candidates, &comparer, max_family) {
                let largest = families.entry(batch.document(first)).or_insert(size);
                *largest = size.max(*largest);
            }
            misses.add(&batch, &comparer);
            Ok(())
        })?;
        Ok((scored, families.into_iter().map(|(first, size)| Star { first, size }).collect(), misses))
    }

    /// Whether a first stands for a document of the input, and for one of the reference.
    fn sides(&self, first: u32) -> (bool, bool) {
        let members = || std::iter::once(first).chain(self.groups.copies.of(first).iter().map(|pair| pair.1));
        (members().any(|document| !self.signed.is_reference(document)), members().any(|document| self.signed.is_reference(document)))
    }

    /// Works on one batch after another, each within the memory budget.
    fn each(&self, mut work: impl FnMut(Batch<'_>) -> Result<()>) -> Result<()> {
        let store = self.signed.segments.store();
        let candidate = Candidates::BYTES + size_of::<u32>() * rayon::current_num_threads();
        let document = |document: u32| candidate + self.sketches[document as usize] as usize;
        let weights = Weights { document: &document, membership: Candidates::BYTES_PER_MEMBERSHIP };
        // Half of the room is for feature sets, unless one component takes more.
        for batches::Batch { parts, weight } in split(store, self.buckets, self.signed.len(), &weights, self.budget.room() / 2)? {
            let room = self
                .budget
                .without(weight, || "the largest family of documents that keys connect, which is compared at once".to_owned())?;
            let buckets = Buckets::load(store, &parts)?;
            let candidates = Candidates::new(&self.signed.segments, &buckets, &self.ignored, &position_in(self.positions))?;
            drop(buckets);
            let texts = CandidateTexts::new(self.signed, &candidates.documents)?;
            work(Batch { candidates, texts, met: self, room })?;
        }
        Ok(())
    }
}

fn position_in(positions: Option<&[u32]>) -> impl Fn(u32) -> u32 + Sync {
    move |document| positions.map_or(document, |positions| positions[document as usize])
}

impl Batch<'_> {
    fn comparer(&self) -> Comparer<'_> {
        Comparer::new(&self.candidates, self.met.pass, &self.texts, self.room)
    }

    fn document(&self, candidate: u32) -> u32 {
        self.candidates.documents[candidate as usize]
    }

    fn followers(&self, comparer: &Comparer<'_>) -> Result<Vec<Follower>> {
        let pinned = self.candidates.documents.iter().take_while(|&&document| self.met.signed.is_reference(document)).count();
        let total = (self.candidates.len() - pinned) as u64;
        let stands_for_others = |candidate: u32| self.met.sides(self.document(candidate)).0;
        let pinned = Pinned { count: pinned as u32, stands_for_others: &stands_for_others };
        let watch = self.met.watch;
        Ok(watch.phase("lead", total, Unit::Documents, || lead(&self.candidates, comparer, &pinned, watch))?)
    }

    fn dropped(&self, follower: &Follower) -> Dropped {
        let (document, original) = (self.document(follower.candidate), self.document(follower.leader));
        Dropped { document, original, rule: Rule::of(follower.overlap), overlap: follower.overlap }
    }

    fn scored(&self, left: u32, right: u32, overlap: Overlap) -> Scored {
        Scored { left: self.document(left), right: self.document(right), rule: Rule::of(overlap), overlap }
    }
}

impl NearMisses {
    fn add(&mut self, batch: &Batch<'_>, comparer: &Comparer<'_>) {
        self.effort += comparer.effort();
        let misses = comparer.misses();
        self.histogram.resize(misses.histogram.len(), 0);
        self.histogram.iter_mut().zip(misses.histogram).for_each(|(count, more)| *count += more);
        self.nearest.extend(misses.nearest.iter().map(|miss| batch.scored(miss.left, miss.right, miss.overlap)));
        self.nearest.sort_by_key(|miss| std::cmp::Reverse(millionths(miss.overlap)));
        self.nearest.truncate(NEAREST);
    }
}
