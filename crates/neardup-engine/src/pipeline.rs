//! The pipeline: what every verb shares, written once, and run once for every pass of a scheme.
//!
//! sign -> arrange -> lead (dedup, cluster) -> connect (cluster) -> score (wherever pairs are listed)

use crate::Result;
use crate::certifying::{Certifier, Drawn};
use crate::groups::Groups;
use crate::journal::Journal;
use crate::near_misses::NearMisses;
use crate::pairs::{Row, Scored, Star};
use crate::signed::CandidateTexts;
use crate::turn::Turn;
use crate::verdicts::{self, Dropped, decide};
use crate::watch::Unit;
use neardup_core::arrange::{Arranged, arrange};
use neardup_core::batches::{self, Weights, split};
use neardup_core::buckets::Buckets;
use neardup_core::candidates::Candidates;
use neardup_core::certificate::Drawing;
use neardup_core::compare::{Comparer, Texts};
use neardup_core::components::{Forest, connect};
use neardup_core::control::Control;
use neardup_core::copies::Copies;
use neardup_core::ignored::Ignored;
use neardup_core::leaders::{Follower, Pinned, lead};
use neardup_core::measures::Overlap;
use neardup_core::pairs::{score, starred};
use neardup_core::rearrange::rearrange;
use neardup_core::rekey::Rekey;
use neardup_core::rule::Rule;
use neardup_core::span::span;
use neardup_core::store::{Column, List};
use rayon::prelude::*;
use serde::de::DeserializeOwned;
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
            let takes_part = segments.column(|segment| segment.features)?;
            let takes_part: Vec<bool> = (takes_part.into_par_iter().zip(0..signed.len() as u32))
                .map(|(features, document)| features > 0 && counts(document) && !groups.copies.is_copy(document))
                .collect();
            let takes_part = |document: u32| takes_part[document as usize];
            let texts_of = |documents: &[u32]| {
                turn.watch.check()?;
                let texts = CandidateTexts::new(signed, documents).map_err(|error| neardup_core::Error::Text(Box::new(error)))?;
                Ok(Box::new(texts) as Box<dyn Texts>)
            };
            let late = pass.late();
            let rekey = Rekey { kinds: &late, segments, pass, takes_part: &takes_part, texts_of: &texts_of, counters: usize::MAX };
            budget.without(rekey.bytes()?, || "counting in how many documents each feature stands, a byte for each".to_owned())?;
            let rekeyed = rekey.run()?;
            let arranged = arrange(rekeyed.as_ref().unwrap_or(segments), pass, &takes_part, budget.room())?;
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
    turn: Turn<'a>,
    /// Batches that are done.
    journal: &'a Journal<'a>,
    /// The bytes of every document's sketch.
    sketches: Vec<u32>,
    buckets: &'a [neardup_core::buckets::Stored],
    ignored: Ignored,
    /// Exact copies.
    pub groups: Groups,
}

/// What a batch left.
#[derive(Serialize, Deserialize)]
struct Piece<T> {
    left: T,
    misses: NearMisses,
    /// What the certifier saw.
    drawn: Option<Drawn>,
}

/// What connects the documents of a batch.
#[derive(Serialize, Deserialize)]
enum Connected {
    /// Each that is connected with another, and the first of these.
    Linked(Column<[u32; 2]>),
    /// The edges of its spanning forest.
    Spanned(Column<Row>),
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
    pub fn new(turn: Turn<'a>, meeting: &'a Meeting, journal: &'a Journal<'a>) -> Result<Self> {
        let pairs = |column| {
            let rows: Vec<[u32; 2]> = turn.store().all(column).map_err(neardup_core::Error::from)?;
            Ok::<_, neardup_core::Error>(rows.into_iter().map(|[left, right]| (left, right)).collect::<Vec<_>>())
        };
        let groups = Groups { copies: Copies::new(pairs(meeting.copies)?, turn.signed.len()), classes: pairs(meeting.classes)? };
        let sketches = turn.segments().sketch_bytes(turn.pass)?;
        let (buckets, ignored) = (&meeting.arranged.parts, Ignored::new(turn.pass, &meeting.arranged.capped));
        Ok(Met { turn, journal, sketches, buckets, ignored, groups })
    }

    /// Applies the leader rule.
    pub fn lead(&self, certifier: Option<&mut Certifier>) -> Result<(Vec<Dropped>, NearMisses)> {
        let mut dropped = Vec::new();
        let work = |batch: &Batch<'_>, comparer: &Comparer<'_>| batch.dropped(&batch.followers(comparer)?);
        let misses = self.each(certifier, work, |some| {
            dropped.append(&mut verdicts::load(self.turn.store(), &some)?);
            Ok(())
        })?;
        Ok((decide(&self.turn, &self.groups, dropped)?, misses))
    }

    /// Applies the leader rule, then connects everything that meets the measure, in `forest`; gives the maximum spanning
    /// forest of firsts along, when it is asked for.
    pub fn cluster(
        &self,
        forest: &mut Forest,
        spans: bool,
        certifier: Option<&mut Certifier>,
    ) -> Result<(Vec<Dropped>, NearMisses, List<Row>)> {
        let (mut dropped, mut spanning) = (Vec::new(), List::default());
        let (watch, store) = (self.turn.watch, self.turn.store());
        self.groups.copies.pairs.iter().for_each(|&(first, copy)| forest.union(first, copy));
        let work = |batch: &Batch<'_>, comparer: &Comparer<'_>| {
            let followers = batch.followers(comparer)?;
            let total = batch.candidates.len() as u64;
            let connected = watch.phase("connect", total, Unit::Documents, || {
                if spans {
                    let met = span(&batch.candidates, comparer, &followers, watch)?;
                    let rows: Vec<Row> = met.edges().map(|edge| batch.scored(edge.left, edge.right, edge.overlap).into()).collect();
                    return Ok(Connected::Spanned(store.append(&rows)?));
                }
                let mut met = connect(&batch.candidates, comparer, &followers, watch)?;
                let links = (0..batch.candidates.len() as u32).map(|candidate| [candidate, met.find(candidate)]);
                let links: Vec<[u32; 2]> =
                    links.filter(|[from, to]| from != to).map(|link| link.map(|candidate| batch.document(candidate))).collect();
                Ok::<_, neardup_core::Error>(Connected::Linked(store.append(&links)?))
            })?;
            Ok((batch.dropped(&followers)?, connected))
        };
        let misses = self.each(certifier, work, |(some, connected)| {
            match connected {
                Connected::Linked(links) => {
                    let links = store.all(links).map_err(neardup_core::Error::from)?;
                    links.into_iter().for_each(|[from, to]| forest.union(from, to));
                }
                Connected::Spanned(rows) => {
                    let rows = store.all(rows).map_err(neardup_core::Error::from)?;
                    rows.iter().for_each(|row| forest.union(row[0], row[1]));
                    spanning.append(store, &rows).map_err(neardup_core::Error::from)?;
                }
            }
            dropped.append(&mut verdicts::load(store, &some)?);
            Ok(())
        })?;
        Ok((decide(&self.turn, &self.groups, dropped)?, misses, spanning))
    }

    /// Scores every pair of firsts that can stand for a wanted pair; of a family of more than `max_family` that share a
    /// key only those with its first.
    pub fn score(&self, max_family: usize, certifier: Option<&mut Certifier>) -> Result<(List<Row>, Vec<Star>, NearMisses)> {
        let watch = self.turn.watch;
        let (mut scored, mut families) = (List::default(), BTreeMap::new());
        let work = |batch: &Batch<'_>, comparer: &Comparer<'_>| {
            let wanted = batch.wanted(true);
            let mut scored = List::default();
            let mut take = |pairs: Vec<neardup_core::pairs::Pair>| {
                let rows: Vec<Row> = pairs.iter().map(|pair| batch.scored(pair.left, pair.right, pair.overlap).into()).collect();
                scored.append(self.turn.store(), &rows).map_err(neardup_core::Error::from)
            };
            let total = batch.candidates.len() as u64;
            watch.phase("score", total, Unit::Documents, || score(&batch.candidates, comparer, &wanted, max_family, watch, &mut take))?;
            let families = starred(&batch.candidates, comparer, max_family);
            let families: Vec<(u32, usize)> = families.into_iter().map(|(first, size)| (batch.document(first), size)).collect();
            Ok((scored, families))
        };
        let misses = self.each(certifier, work, |(some, starred)| {
            scored.extend(some);
            // Near-copies share many keys: one line for all that have the same first.
            for (first, size) in starred {
                let largest = families.entry(first).or_insert(size);
                *largest = size.max(*largest);
            }
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

    /// Works on one batch after another, each within the memory budget, lets the certifier look at it, and takes what it left;
    /// of those in the journal only the latter. Returns what was compared and failed.
    fn each<T: Serialize + DeserializeOwned>(
        &self,
        mut certifier: Option<&mut Certifier>,
        mut work: impl FnMut(&Batch<'_>, &Comparer<'_>) -> Result<T>,
        mut take: impl FnMut(T) -> Result<()>,
    ) -> Result<NearMisses> {
        let mut misses = NearMisses::default();
        let Turn { signed, budget, .. } = self.turn;
        let (segments, store) = (self.turn.segments(), self.turn.store());
        let candidate = Candidates::BYTES + size_of::<u32>() * rayon::current_num_threads();
        let document = |document: u32| candidate + self.sketches[document as usize] as usize;
        let weights = Weights { document: &document, membership: Candidates::BYTES_PER_MEMBERSHIP };
        // Half of the room is for feature sets, unless one component takes more.
        let split = split(store, self.buckets, signed.len(), &weights, budget.room() / 2)?;
        for batches::Batch { parts, weight } in split.batches {
            let room =
                budget.without(weight, || "the largest family of documents that keys connect, which is compared at once".to_owned())?;
            let drawing = certifier.as_mut().and_then(|certifier| certifier.drawing(split.candidates));
            let cross = certifier.as_ref().is_some_and(|certifier| certifier.cross);
            let piece = self.journal.piece(|| {
                let buckets = Buckets::load(store, &parts)?;
                let candidates = Candidates::new(segments, &buckets, &self.ignored, &|document| self.turn.position(document))?;
                drop(buckets);
                let texts = CandidateTexts::new(signed, &candidates.documents)?;
                let batch = Batch { candidates, texts, met: self, room };
                let comparer = batch.comparer();
                let left = work(&batch, &comparer)?;
                let misses = batch.misses(&comparer);
                let drawn = drawing.map(|drawing| batch.certify(&comparer, &drawing, cross)).transpose()?;
                Ok(Piece { left, misses, drawn })
            })?;
            take(piece.left)?;
            misses.append(piece.misses);
            if let (Some(certifier), Some(drawn)) = (&mut certifier, piece.drawn) {
                certifier.take(drawn);
            }
        }
        Ok(misses)
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

    /// Which pairs of candidates can stand for one that is asked for: with a reference those of both sides, unless `cross`
    /// does not ask for them alone.
    fn wanted(&self, cross: bool) -> impl Fn(u32, u32) -> bool + Sync {
        let signed = self.met.turn.signed;
        let against = (signed.reference as usize) < signed.len();
        let documents = if against { &self.candidates.documents[..] } else { &[] };
        let sides: Vec<(bool, bool)> = documents.iter().map(|&document| self.met.sides(document)).collect();
        move |left: u32, right: u32| {
            !against || {
                let (left, right) = (sides[left as usize], sides[right as usize]);
                (left.0 && right.1) || (left.1 && right.0) || (!cross && left.0 && right.0)
            }
        }
    }

    /// What a certifier sees of the pairs of the documents that it draws.
    fn certify(&self, comparer: &Comparer<'_>, drawing: &Drawing, cross: bool) -> Result<Drawn> {
        let hash = |candidate: u32| self.met.turn.ids.hash(self.document(candidate));
        let wanted = self.wanted(cross);
        let watch = self.met.turn.watch;
        Ok(watch.phase("certify", 0, Unit::Documents, || drawing.sight(&self.candidates, comparer, &hash, &wanted))?)
    }

    fn dropped(&self, followers: &[Follower]) -> Result<List<Row>> {
        let pass = self.met.turn.number as u32;
        let dropped = |&Follower { candidate, leader, overlap }: &Follower| {
            let (document, original) = (self.document(candidate), self.document(leader));
            Dropped { document, original, rule: Rule::of(overlap), pass, overlap }
        };
        verdicts::store(&followers.iter().map(dropped).collect::<Vec<_>>(), self.met.turn.store())
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
