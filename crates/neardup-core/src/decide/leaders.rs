//! Leaders: in policy order a document is dropped when it meets the measure with a document kept before it.
//!
//! Candidates are taken in blocks. A block is first compared with the leaders of earlier blocks, in parallel; one that
//! matches none is open, is compared in parallel with the open candidates most likely to lead it, and then the open
//! ones are settled one after another. Every candidate is compared with leaders only, so a family of n near-copies
//! costs about n comparisons, and the outcome is the definition's at any number of threads. By one key it is compared
//! with no more leaders than the cap, the first ones, so that n documents which share no more than a key cost no n^2; and as
//! the rule looks only at what came before, a document that comes later changes nothing.

use crate::Result;
use crate::candidates::numbered::Candidates;
use crate::decide::compare::{CompareScratch, Comparer};
use crate::measures::Overlap;
use crate::sets::sketch::SketchHeader;
use crate::util::control::PhaseControl;
use crate::util::ids::{BucketId, CandidateId};
use std::collections::HashMap;
use std::ops::Range;

const BLOCK: u32 = 4096;
/// The most likely leaders that an open candidate is compared with: more would often be followers themselves.
const GUESSES: usize = 4;

/// Leaders whose sketches are read at once: the memory answers several questions in the time of one.
const AT_ONCE: usize = 16;

/// A candidate that is dropped: its original, and what the two share (left is the dropped one).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Follower {
    /// The dropped candidate.
    pub candidate: CandidateId,
    /// The first kept candidate it meets the measure with.
    pub leader: CandidateId,
    /// What they share.
    pub overlap: Overlap,
}

/// The candidates that are kept unasked: those of a reference.
pub struct ReferenceLeaders<'a> {
    /// They are the first this many.
    pub count: u32,
    /// Which of them represent a document that is not pinned, so that its original must be found all the same.
    pub represents_others: &'a (dyn Fn(CandidateId) -> bool + Sync),
}

/// Applies the leader rule to all candidates, by the first leaders of every bucket ([`Comparer::most_leaders`]).
///
/// Returns the dropped ones in policy order; a pinned one among them represents documents that are dropped, but is
/// itself kept, and leads others.
pub fn lead(
    candidates: &Candidates,
    comparer: &Comparer<'_>,
    pinned: &ReferenceLeaders<'_>,
    control: &dyn PhaseControl,
) -> Result<Vec<Follower>> {
    let mut leaders = Leaders::new(candidates, comparer);
    CandidateId::first(pinned.count as usize).for_each(|candidate| leaders.admit(candidate));
    let asking: Vec<CandidateId> =
        CandidateId::first(pinned.count as usize).filter(|&candidate| (pinned.represents_others)(candidate)).collect();
    let found = comparer.each(&asking, |&candidate, scratch| leaders.first_leader(candidate, CandidateId::FIRST, &[], scratch))?;
    let mut dropped: Vec<Follower> = found.into_iter().flatten().collect();
    let mut start = pinned.count;
    let count = candidates.len() as u32;
    while start < count {
        control.check()?;
        let end = (start + BLOCK).min(count);
        leaders.block(start..end, &mut dropped)?;
        control.advance(u64::from(end - start));
        start = end;
    }
    Ok(dropped)
}

/// The first leaders of every bucket above the cap: all that its members meet by its key.
pub struct FirstLeaders(HashMap<BucketId, Vec<CandidateId>>);

impl FirstLeaders {
    /// Those of all buckets, when it is known of every candidate whether it follows another; ascending.
    pub fn new(candidates: &Candidates, comparer: &Comparer<'_>, follows: &[bool]) -> Self {
        let first = |bucket: BucketId| {
            let leading = candidates.bucket(bucket).iter().copied().filter(|&member| !follows[member.index()]);
            (bucket, leading.take(comparer.most_leaders(bucket)).collect())
        };
        FirstLeaders(candidates.bucket_ids().filter(|&bucket| comparer.is_capped(bucket)).map(first).collect())
    }

    /// Those of a bucket; None when its members all meet.
    pub fn of(&self, bucket: BucketId) -> Option<&[CandidateId]> {
        self.0.get(&bucket).map(Vec::as_slice)
    }

    /// Puts those of every bucket in another order.
    pub fn sort_by_key(&mut self, key: impl Fn(CandidateId) -> CandidateId) {
        self.0.values_mut().for_each(|leaders| leaders.sort_by_key(|&leader| key(leader)));
    }
}

struct Leaders<'a> {
    candidates: &'a Candidates,
    comparer: &'a Comparer<'a>,
    /// Per bucket its leaders, ascending, and behind them the open candidates of the block, ascending, in its room.
    listed: Vec<CandidateId>,
    leaders: Vec<u32>,
    open: Vec<u32>,
}

/// An open candidate that another was compared with, and what came out.
type OverlapGuess = (CandidateId, Option<Overlap>);

impl<'a> Leaders<'a> {
    fn new(candidates: &'a Candidates, comparer: &'a Comparer<'a>) -> Self {
        let buckets = candidates.buckets();
        Leaders {
            candidates,
            comparer,
            listed: vec![CandidateId::default(); candidates.members()],
            leaders: vec![0; buckets],
            open: vec![0; buckets],
        }
    }

    fn admit(&mut self, candidate: CandidateId) {
        for &bucket in self.candidates.buckets_of(candidate) {
            let count = &mut self.leaders[bucket.index()];
            self.listed[self.candidates.room(bucket).start + *count as usize] = candidate;
            *count += 1;
        }
    }

    /// The leaders that others of the bucket are compared with.
    fn leaders_of(&self, bucket: BucketId) -> &[CandidateId] {
        let start = self.candidates.room(bucket).start;
        &self.listed[start..start + (self.leaders[bucket.index()] as usize).min(self.comparer.most_leaders(bucket))]
    }

    /// The open candidates that may become such leaders.
    fn open_of(&self, bucket: BucketId) -> &[CandidateId] {
        let leaders = self.leaders[bucket.index()] as usize;
        let start = self.candidates.room(bucket).start + leaders;
        &self.listed[start..start + (self.open[bucket.index()] as usize).min(self.comparer.most_leaders(bucket).saturating_sub(leaders))]
    }

    fn block(&mut self, block: Range<u32>, dropped: &mut Vec<Follower>) -> Result<()> {
        let numbers: Vec<CandidateId> = block.clone().map(CandidateId).collect();
        let matches: Vec<Option<Follower>> = self.comparer.each(&numbers, |&candidate, scratch| {
            let found = self.first_leader(candidate, CandidateId::FIRST, &[], scratch)?;
            if found.is_none() {
                self.comparer.keep(candidate, scratch);
            }
            Ok(found)
        })?;
        let open: Vec<CandidateId> =
            numbers.iter().zip(&matches).filter(|(_, found)| found.is_none()).map(|(&candidate, _)| candidate).collect();
        self.list_open(&open);
        let guesses: Vec<Vec<OverlapGuess>> = self.comparer.each(&open, |&candidate, scratch| self.guess(candidate, scratch))?;
        self.forget_open(&open);
        let settled = self.comparer.with_scratch(|scratch| self.settle(CandidateId(block.start), &open, &guesses, scratch))?;
        let before = dropped.len();
        dropped.extend(matches.into_iter().flatten().chain(settled));
        dropped[before..].sort_unstable_by_key(|follower| follower.candidate);
        Ok(())
    }

    /// Decides the open candidates one after another; only leaders of this block are left to compare with.
    fn settle(
        &mut self,
        from: CandidateId,
        open: &[CandidateId],
        guesses: &[Vec<OverlapGuess>],
        scratch: &mut CompareScratch,
    ) -> Result<Vec<Follower>> {
        let mut dropped = Vec::new();
        for (&candidate, guesses) in open.iter().zip(guesses) {
            match self.first_leader(candidate, from, guesses, scratch)? {
                Some(follower) => dropped.push(follower),
                None => self.admit(candidate),
            }
        }
        Ok(dropped)
    }

    /// The first leader, not before `from` and before the candidate, that it meets the measure with.
    fn first_leader(
        &self,
        candidate: CandidateId,
        from: CandidateId,
        guesses: &[OverlapGuess],
        scratch: &mut CompareScratch,
    ) -> Result<Option<Follower>> {
        let mut best: Option<Follower> = None;
        let own = self.comparer.brief(candidate);
        for &bucket in self.candidates.buckets_of(candidate) {
            let leaders = self.leaders_of(bucket);
            // Leaders of this block are few and are last.
            let start =
                if from == CandidateId::FIRST { 0 } else { leaders.iter().rposition(|&leader| leader < from).map_or(0, |last| last + 1) };
            'bucket: for some in leaders[start..].chunks(AT_ONCE) {
                // Of a family all buckets hold the same leaders, and the first of them is found by the first.
                let some = &some[..some.partition_point(|&leader| leader < best.map_or(candidate, |best| best.leader))];
                if some.is_empty() {
                    break;
                }
                let mut briefs = [SketchHeader::default(); AT_ONCE];
                briefs.iter_mut().zip(some).for_each(|(brief, &leader)| *brief = self.comparer.brief(leader));
                for (&leader, brief) in some.iter().zip(&briefs) {
                    scratch.look();
                    if !self.comparer.plausible(&own, brief) || !scratch.is_new(candidate, leader) {
                        continue;
                    }
                    let overlap = match guesses.iter().find(|guess| guess.0 == leader) {
                        Some(guess) => guess.1,
                        None if self.comparer.possible(candidate, leader) => self.comparer.compare(candidate, leader, scratch)?,
                        None => None,
                    };
                    if let Some(overlap) = overlap {
                        best = Some(Follower { candidate, leader, overlap });
                        break 'bucket;
                    }
                }
            }
        }
        Ok(best)
    }

    /// Compares an open candidate with its likely leaders, until one meets the measure: that one leads it, should it turn
    /// out a leader.
    fn guess(&self, candidate: CandidateId, scratch: &mut CompareScratch) -> Result<Vec<OverlapGuess>> {
        let mut guesses = Vec::new();
        let mut from = CandidateId::FIRST;
        while guesses.len() < GUESSES
            && let Some(likely) = self.likely(candidate, from, scratch)
        {
            let overlap = self.comparer.compare(candidate, likely, scratch)?;
            guesses.push((likely, overlap));
            if overlap.is_some() {
                break;
            }
            from = likely.next();
        }
        Ok(guesses)
    }

    /// The first open candidate, not before `from` and before this one, that the sketches allow.
    fn likely(&self, candidate: CandidateId, from: CandidateId, scratch: &mut CompareScratch) -> Option<CandidateId> {
        let mut likely = candidate;
        for &bucket in self.candidates.buckets_of(candidate) {
            let open = self.open_of(bucket);
            for &earlier in &open[open.partition_point(|&open| open < from)..] {
                if earlier >= likely {
                    break;
                }
                scratch.look();
                if self.comparer.possible(candidate, earlier) {
                    likely = earlier;
                    break;
                }
            }
        }
        (likely < candidate).then_some(likely)
    }

    fn list_open(&mut self, open: &[CandidateId]) {
        for &candidate in open {
            for &bucket in self.candidates.buckets_of(candidate) {
                let (leaders, open) = (self.leaders[bucket.index()], &mut self.open[bucket.index()]);
                self.listed[self.candidates.room(bucket).start + (leaders + *open) as usize] = candidate;
                *open += 1;
            }
        }
    }

    fn forget_open(&mut self, open: &[CandidateId]) {
        for &candidate in open {
            self.candidates.buckets_of(candidate).iter().for_each(|&bucket| self.open[bucket.index()] = 0);
        }
    }
}
