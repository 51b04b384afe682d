//! The pipeline: what every verb shares, written once, and run once for every pass of a scheme.
//!
//! sign -> arrange -> lead (dedup, cluster) -> connect (cluster) -> score (wherever pairs are listed)

use crate::Result;
use crate::groups::Groups;
use crate::near_misses::NearMisses;
use crate::pairs::{Row, Scored, Star};
use crate::signed::CandidateTexts;
use crate::turn::Turn;
use crate::verdicts::{Dropped, decide};
use crate::watch::Unit;
use neardup_core::arrange::{Arranged, arrange};
use neardup_core::batches::{self, Weights, split};
use neardup_core::buckets::Buckets;
use neardup_core::candidates::Candidates;
use neardup_core::compare::{Comparer, Texts};
use neardup_core::components::{Forest, connect};
use neardup_core::control::Control;
use neardup_core::copies::Copies;
use neardup_core::ignored::Ignored;
use neardup_core::leaders::{Follower, Pinned, lead};
use neardup_core::measures::Overlap;
use neardup_core::pairs::{score, starred};
use neardup_core::rekey::Rekey;
use neardup_core::rule::Rule;
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
    /// Sets exact copies aside and arranges the others.
    pub fn new(turn: &Turn<'_>) -> Result<Self> {
        let Turn { signed, pass, budget, .. } = *turn;
        turn.watch.phase("arrange", signed.len() as u64, Unit::Documents, || {
            let (segments, store) = (turn.segments(), turn.store());
            let counts = |document: u32| !signed.is_set_aside(document);
            let copies = Copies::find(segments, &counts, &|document| turn.position(document), budget.room())?;
            let groups = Groups::new(signed, segments, copies)?;
            let features = segments.column(|segment| segment.features)?;
            let takes_part = |document: u32| counts(document) && features[document as usize] > 0 && !groups.copies.is_copy(document);
            let texts_of = |documents: &[u32]| {
                turn.watch.check()?;
                let texts = CandidateTexts::new(signed, documents).map_err(|error| neardup_core::Error::Text(Box::new(error)))?;
                Ok(Box::new(texts) as Box<dyn Texts>)
            };
            let late = pass.late();
            let rekey = Rekey { kinds: &late, segments, pass, takes_part: &takes_part, texts_of: &texts_of };
            budget.without(rekey.bytes()?, || "counting in how many documents each feature stands, a byte for each".to_owned())?;
            let rekeyed = rekey.run()?;
            let arranged = arrange(rekeyed.as_ref().unwrap_or(segments), pass, &takes_part, budget.room())?;
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
    turn: Turn<'a>,
    /// The bytes of every document's sketch.
    sketches: Vec<u32>,
    buckets: &'a [neardup_core::buckets::Stored],
    ignored: Ignored,
    /// Exact copies.
    pub groups: Groups,
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
    pub fn new(turn: Turn<'a>, meeting: &'a Meeting) -> Result<Self> {
        let pairs = |column| {
            let rows: Vec<[u32; 2]> = turn.store().all(column).map_err(neardup_core::Error::from)?;
            Ok::<_, neardup_core::Error>(rows.into_iter().map(|[left, right]| (left, right)).collect::<Vec<_>>())
        };
        let groups = Groups { copies: Copies::new(pairs(meeting.copies)?, turn.signed.len()), classes: pairs(meeting.classes)? };
        let sketches = turn.segments().sketch_bytes(turn.pass)?;
        let (buckets, ignored) = (&meeting.arranged.parts, Ignored::new(turn.pass, &meeting.arranged.capped));
        Ok(Met { turn, sketches, buckets, ignored, groups })
    }

    /// Applies the leader rule.
    pub fn lead(&self) -> Result<(Vec<Dropped>, NearMisses)> {
        let (mut dropped, mut misses) = (Vec::new(), NearMisses::default());
        self.each(|batch| {
            let comparer = batch.comparer();
            dropped.extend(batch.followers(&comparer)?.iter().map(|follower| batch.dropped(follower)));
            misses.append(batch.misses(&comparer));
            Ok(())
        })?;
        Ok((decide(&self.turn, &self.groups, dropped)?, misses))
    }

    /// Applies the leader rule, then connects everything that meets the measure, in `forest`.
    pub fn cluster(&self, forest: &mut Forest) -> Result<(Vec<Dropped>, NearMisses)> {
        let (mut dropped, mut misses) = (Vec::new(), NearMisses::default());
        let watch = self.turn.watch;
        self.groups.copies.pairs.iter().for_each(|&(first, copy)| forest.union(first, copy));
        self.each(|batch| {
            let comparer = batch.comparer();
            let followers = batch.followers(&comparer)?;
            let total = batch.candidates.len() as u64;
            let mut met = watch.phase("connect", total, Unit::Documents, || connect(&batch.candidates, &comparer, &followers, watch))?;
            for candidate in 0..batch.candidates.len() as u32 {
                forest.union(batch.document(candidate), batch.document(met.find(candidate)));
            }
            dropped.extend(followers.iter().map(|follower| batch.dropped(follower)));
            misses.append(batch.misses(&comparer));
            Ok(())
        })?;
        Ok((decide(&self.turn, &self.groups, dropped)?, misses))
    }

    /// Scores every pair of firsts that can stand for a wanted pair; of a family of more than `max_family` that share a
    /// key only those with its first.
    pub fn score(&self, max_family: usize) -> Result<(List<Row>, Vec<Star>, NearMisses)> {
        let Turn { signed, watch, .. } = self.turn;
        let against = (signed.reference as usize) < signed.len();
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
                scored.append(self.turn.store(), &rows).map_err(neardup_core::Error::from)
            };
            let total = batch.candidates.len() as u64;
            watch.phase("score", total, Unit::Documents, || score(&batch.candidates, &comparer, &wanted, max_family, watch, &mut take))?;
            // Near-copies share many keys: one line for all that have the same first.
            for (first, size) in starred(&batch.candidates, &comparer, max_family) {
                let largest = families.entry(batch.document(first)).or_insert(size);
                *largest = size.max(*largest);
            }
            misses.append(batch.misses(&comparer));
            Ok(())
        })?;
        Ok((scored, families.into_iter().map(|(first, size)| Star { first, size }).collect(), misses))
    }

    /// Whether a first stands for a document of the input, and for one of the reference.
    fn sides(&self, first: u32) -> (bool, bool) {
        let members = || std::iter::once(first).chain(self.groups.copies.of(first).iter().map(|pair| pair.1));
        let signed = self.turn.signed;
        (members().any(|document| !signed.is_reference(document)), members().any(|document| signed.is_reference(document)))
    }

    /// Works on one batch after another, each within the memory budget.
    fn each(&self, mut work: impl FnMut(Batch<'_>) -> Result<()>) -> Result<()> {
        let Turn { signed, budget, .. } = self.turn;
        let (segments, store) = (self.turn.segments(), self.turn.store());
        let candidate = Candidates::BYTES + size_of::<u32>() * rayon::current_num_threads();
        let document = |document: u32| candidate + self.sketches[document as usize] as usize;
        let weights = Weights { document: &document, membership: Candidates::BYTES_PER_MEMBERSHIP };
        // Half of the room is for feature sets, unless one component takes more.
        for batches::Batch { parts, weight } in split(store, self.buckets, signed.len(), &weights, budget.room() / 2)? {
            let room =
                budget.without(weight, || "the largest family of documents that keys connect, which is compared at once".to_owned())?;
            let buckets = Buckets::load(store, &parts)?;
            let candidates = Candidates::new(segments, &buckets, &self.ignored, &|document| self.turn.position(document))?;
            drop(buckets);
            let texts = CandidateTexts::new(signed, &candidates.documents)?;
            work(Batch { candidates, texts, met: self, room })?;
        }
        Ok(())
    }
}

impl Batch<'_> {
    fn comparer(&self) -> Comparer<'_> {
        Comparer::new(&self.candidates, self.met.turn.pass, &self.texts, self.room)
    }

    fn document(&self, candidate: u32) -> u32 {
        self.candidates.documents[candidate as usize]
    }

    fn followers(&self, comparer: &Comparer<'_>) -> Result<Vec<Follower>> {
        let pinned = self.candidates.documents.iter().take_while(|&&document| self.met.turn.signed.is_reference(document)).count();
        let total = (self.candidates.len() - pinned) as u64;
        let stands_for_others = |candidate: u32| self.met.sides(self.document(candidate)).0;
        let pinned = Pinned { count: pinned as u32, stands_for_others: &stands_for_others };
        let watch = self.met.turn.watch;
        Ok(watch.phase("lead", total, Unit::Documents, || lead(&self.candidates, comparer, &pinned, watch))?)
    }

    fn dropped(&self, follower: &Follower) -> Dropped {
        let (document, original) = (self.document(follower.candidate), self.document(follower.leader));
        Dropped { document, original, rule: Rule::of(follower.overlap), pass: self.met.turn.number as u32, overlap: follower.overlap }
    }

    fn misses(&self, comparer: &Comparer<'_>) -> NearMisses {
        let misses = comparer.misses();
        let nearest = misses.nearest.iter().map(|miss| self.scored(miss.left, miss.right, miss.overlap)).collect();
        NearMisses { histogram: misses.histogram.to_vec(), nearest, effort: comparer.effort() }
    }

    fn scored(&self, left: u32, right: u32, overlap: Overlap) -> Scored {
        Scored {
            left: self.document(left),
            right: self.document(right),
            rule: Rule::of(overlap),
            pass: self.met.turn.number as u32,
            overlap,
        }
    }
}
