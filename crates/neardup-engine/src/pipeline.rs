//! The pipeline: what every verb shares, written once, and run once for every pass of a scheme.
//!
//! sign -> arrange -> lead (dedup, cluster) -> connect (cluster) -> score (wherever pairs are listed)

use crate::Result;
use crate::batch::{Batch, Before, Step};
use crate::certifying::Certifier;
use crate::groups::Groups;
use crate::journal::Journal;
use crate::left::{All, Left};
use crate::near_misses::NearMisses;
use crate::pairs::{self, Row, Star};
use crate::signed::CandidateTexts;
use crate::turn::Turn;
use crate::verdicts::{Dropped, decide};
use crate::watch::Unit;
use neardup_core::arrange::{Arranged, arrange};
use neardup_core::batches::{Weights, split};
use neardup_core::buckets::{Buckets, Stored};
use neardup_core::candidates::Candidates;
use neardup_core::compare::Texts;
use neardup_core::components::Forest;
use neardup_core::control::Control;
use neardup_core::copies::Copies;
use neardup_core::ignored::Ignored;
use neardup_core::rearrange::rearrange;
use neardup_core::rekey::Rekey;
use neardup_core::slices::{Slice, Slices, Whom};
use neardup_core::store::{Column, List};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

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
            let takes_part: Vec<bool> = (features.into_par_iter().zip(0..signed.len() as u32))
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
            let rekeyed = match rekey.counted()? {
                None => None,
                Some(mut counted) => {
                    let keys = counted.sample()?;
                    turn.forecast.more("the keys of the exact join", keys + keys * BUCKETS_OF_KEYS.0 / BUCKETS_OF_KEYS.1, turn.watch)?;
                    Some(counted.cut()?)
                }
            };
            let arranged = arrange(rekeyed.as_ref().unwrap_or(segments), pass, &takes_part, budget.room())?;
            let arranged = rearrange(arranged, segments, pass, &takes_part, &texts_of, budget.room())?;
            segments.iter().for_each(|(_, segment)| segment.let_go_of_keys(store));
            let column = |pairs: &[(u32, u32)]| {
                let rows: Vec<[u32; 2]> = pairs.iter().map(|&(left, right)| [left, right]).collect();
                store.append(&rows).map_err(neardup_core::Error::from)
            };
            Ok(Meeting { copies: column(&groups.copies.pairs)?, classes: column(&groups.classes)?, arranged })
        })
    }
}

/// Bytes of buckets, arranged and split into batches, for those of keys that are cut late: numbers beside keys and how far they reach.
const BUCKETS_OF_KEYS: (u64, u64) = (1, 2);

/// What a batch or a slice weighs at most, however much memory there is: a stop loses minutes of work and no more.
const HEAVIEST: usize = 4 << 30;

/// A meeting at work.
pub struct Met<'a> {
    /// The pass whose turn it is.
    pub turn: Turn<'a>,
    /// Pieces that are done.
    journal: &'a Journal<'a>,
    /// The bytes of every document's sketch.
    sketches: Vec<u32>,
    buckets: &'a [Stored],
    ignored: Ignored,
    /// Exact copies.
    pub groups: Groups,
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
        let all = self.each(&[Step::Lead], None, certifier)?;
        Ok((decide(&self.turn, &self.groups, all.dropped)?, all.misses))
    }

    /// Applies the leader rule, then connects everything that meets the measure, in `forest`; gives the maximum spanning
    /// forest of firsts along, when it is asked for.
    pub fn cluster(
        &self,
        forest: &mut Forest,
        spans: bool,
        certifier: Option<&mut Certifier>,
    ) -> Result<(Vec<Dropped>, NearMisses, List<Row>)> {
        self.groups.copies.pairs.iter().for_each(|&(first, copy)| forest.union(first, copy));
        let all = self.each(&[Step::Lead, Step::Connect { spans }], Some(forest), certifier)?;
        Ok((decide(&self.turn, &self.groups, all.dropped)?, all.misses, all.edges))
    }

    /// Scores every pair of firsts that can stand for a wanted pair; of a family of more than `max_family` that share a
    /// key only those with its first.
    pub fn score(&self, max_family: usize, certifier: Option<&mut Certifier>) -> Result<(List<Row>, Vec<Star>, NearMisses)> {
        let all = self.each(&[Step::Score { max_family }], None, certifier)?;
        Ok((all.scored, all.families.into_iter().map(|(first, size)| Star { first, size }).collect(), all.misses))
    }

    /// Whether a first stands for a document of the input, and for one of the reference.
    pub fn sides(&self, first: u32) -> (bool, bool) {
        let members = || std::iter::once(first).chain(self.groups.copies.of(first).iter().map(|pair| pair.1));
        let signed = self.turn.signed;
        (members().any(|document| !signed.is_reference(document)), members().any(|document| signed.is_reference(document)))
    }

    /// Takes `steps` with one batch after another, each within the memory budget, and lets the certifier look at it. A component
    /// that is too heavy takes each step by itself, slice by slice. What stands in the journal is done.
    fn each<'f>(&self, steps: &[Step], forest: Option<&'f mut Forest>, mut certifier: Option<&mut Certifier>) -> Result<All<'f>> {
        let Turn { signed, budget, .. } = self.turn;
        let (store, documents) = (self.turn.store(), signed.len());
        let candidate = Candidates::weight(rayon::current_num_threads());
        let document = |document: u32| candidate + self.sketches[document as usize] as usize;
        let weights = Weights { document: &document, membership: Candidates::BYTES_PER_MEMBERSHIP };
        // Half of the room is for feature sets.
        let limit = (budget.room() / 2).min(HEAVIEST);
        let split = split(store, self.buckets, documents, &weights, limit)?;
        let certify = certifier.as_mut().and_then(|certifier| {
            let cross = certifier.cross;
            certifier.drawing(split.candidates).map(|drawing| Step::Certify { drawing, cross })
        });
        let steps: Vec<Step> = steps.iter().copied().chain(certify).collect();
        // A forest is spanned at once.
        let spans = steps.iter().any(|step| matches!(step, Step::Connect { spans: true }));
        if spans {
            let most = (split.candidates + self.groups.copies.pairs.len()) as u64;
            // Its edges are stored before they are sorted, too.
            let edges = most * size_of::<Row>() as u64;
            self.turn.forecast.more("the forest", edges + pairs::disk(most, budget.room() / 2), self.turn.watch)?;
        }
        let mut all = All { forest, ..All::default() };
        for batch in &split.batches {
            let whole = 0..documents as u32;
            if spans || batch.weight <= limit {
                let left = self.journal.piece(|| {
                    let buckets = Buckets::load(store, &batch.parts)?;
                    self.work(Slice { buckets, positions: whole, weight: batch.weight }, &steps, None)
                })?;
                all.take(store, left, certifier.as_deref_mut())?;
                continue;
            }
            all.follows.resize(documents, false);
            let position = |document: u32| self.turn.position(document);
            let slices = Slices {
                store,
                parts: &batch.parts,
                kinds: &self.turn.pass.kinds,
                documents,
                position: &position,
                weights: &weights,
                limit,
            };
            for &step in &steps {
                let drawn = self.drawn(&slices, step)?;
                let mut start = whole.start;
                while start < whole.end {
                    let left = self.journal.piece(|| {
                        let before = Before { follows: &all.follows, forest: all.forest.as_deref(), drawn: &drawn };
                        self.work(self.slice(&slices, start, step, &before)?, &[step], Some(before))
                    })?;
                    start = left.end;
                    all.take(store, left, certifier.as_deref_mut())?;
                }
            }
        }
        Ok(all)
    }

    /// The next slice for a step.
    fn slice(&self, slices: &Slices<'_>, start: u32, step: Step, before: &Before<'_>) -> Result<Slice> {
        let follows = |document: u32| before.follows[document as usize];
        let leads = |document: u32| !follows(document) || self.turn.signed.is_reference(document);
        let root = |document: u32| before.forest.map_or(document, |forest| forest.root(document));
        let members = |document: u32| before.drawn.get(&document).copied();
        let hash = |document: u32| self.turn.ids.hash(document);
        let drawn = |document: u32| members(document).is_some();
        let looks_at = |one: u32, other: u32| match step {
            Step::Certify { drawing, .. } => members(one).is_some_and(|members| drawing.looks_at(hash(one), members, || hash(other))),
            _ => false,
        };
        let whom = match step {
            Step::Lead => Whom::Leaders { leads: &leads },
            Step::Connect { .. } => Whom::Unconnected { follows: &follows, root: &root },
            Step::Score { max_family } => Whom::Earlier { max_family },
            Step::Certify { .. } => Whom::Looked { drawn: &drawn, looks_at: &looks_at },
        };
        Ok(slices.next(start, &whom)?)
    }

    /// What a step of certifying draws of the documents of a component; nothing for other steps.
    fn drawn(&self, slices: &Slices<'_>, step: Step) -> Result<HashMap<u32, u64>> {
        let Step::Certify { drawing, .. } = step else { return Ok(HashMap::new()) };
        let hash = |document: u32| self.turn.ids.hash(document);
        let mut drawn = slices.members(&|document| drawing.can_draw(hash(document)))?;
        drawn.retain(|&document, members| drawing.draws(hash(document), *members));
        Ok(drawn)
    }

    /// Takes steps with what is in memory together.
    fn work(&self, slice: Slice, steps: &[Step], before: Option<Before<'_>>) -> Result<Left> {
        let Slice { buckets, positions, weight } = slice;
        let Turn { signed, budget, .. } = self.turn;
        let room = budget.without(weight, || {
            let what = match steps {
                [Step::Certify { .. }] => "a document that is drawn for the certificate, and those it looks at",
                [_] => "a document and all that it is compared with",
                _ => "the forest of the largest family of documents that keys connect, which is spanned at once",
            };
            what.to_owned()
        })?;
        let position = |document: u32| self.turn.position(document);
        let mut candidates = Candidates::new(self.turn.segments(), &buckets, &self.ignored, &position)?;
        drop(buckets);
        let place = |end: u32| candidates.documents.partition_point(|&document| position(document) < end) as u32;
        candidates.asking = place(positions.start)..place(positions.end);
        let texts = CandidateTexts::new(signed, &candidates.documents)?;
        let left = Batch { candidates, texts, met: self, before, room }.take(steps)?;
        Ok(Left { end: positions.end, ..left })
    }
}
