//! The leader rule: in policy order, a document is dropped if it meets the measure with a document that was kept before it.
//!
//! Candidates are taken in blocks. The candidates of a block are first compared, in parallel, with the leaders of earlier
//! blocks. A candidate that matches none is open. It is compared, in parallel, with the open candidates most likely to lead
//! it. Then the open candidates are settled one after another.
//!
//! Every candidate is compared with leaders only, so a family of n near-copies costs about n comparisons, and the result
//! equals the definition for any number of threads. For one key, a candidate is compared with at most as many leaders as
//! the cap, the first ones. So n documents that share nothing but a key do not cost n^2 comparisons. The rule depends only
//! on earlier documents, so a later one changes nothing.

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
/// Maximum number of likely leaders with which an open candidate is compared. More of them would often be followers
/// themselves.
const GUESSES: usize = 4;

/// Number of leaders whose sketch headers are read at once, because reads of memory overlap.
const AT_ONCE: usize = 16;

/// A dropped candidate, its original, and their overlap (left is the dropped one).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Follower {
    /// The dropped candidate.
    pub candidate: CandidateId,
    /// The first kept candidate with which it meets the measure.
    pub leader: CandidateId,
    /// The features that both share.
    pub overlap: Overlap,
}

/// The candidates that are kept in any case: those of a reference and, for a slice, the leaders that precede it.
pub struct ReferenceLeaders<'a> {
    /// Number of these candidates. They are the first ones.
    pub count: u32,
    /// Whether such a candidate represents a document that is not pinned, so that its original must be found nevertheless.
    pub represents_others: &'a (dyn Fn(CandidateId) -> bool + Sync),
}

/// Applies the leader rule to all candidates, with the first leaders of every bucket ([`Comparer::most_leaders`]).
///
/// Returns the dropped candidates in policy order. A pinned one among them represents documents that are dropped, but is
/// itself kept and leads others.
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

/// The first leaders of every capped bucket: its members are compared with no others for its key.
pub struct FirstLeaders(HashMap<BucketId, Vec<CandidateId>>);

impl FirstLeaders {
    /// Finds the first leaders of all capped buckets, ascending. `follows` is whether each candidate follows another.
    pub fn new(candidates: &Candidates, comparer: &Comparer<'_>, follows: &[bool]) -> Self {
        let first = |bucket: BucketId| {
            let leading = candidates.bucket(bucket).iter().copied().filter(|&member| !follows[member.index()]);
            (bucket, leading.take(comparer.most_leaders(bucket)).collect())
        };
        FirstLeaders(candidates.bucket_ids().filter(|&bucket| comparer.is_capped(bucket)).map(first).collect())
    }

    /// Returns the first leaders of a bucket, or `None` if its members are all compared with each other.
    pub fn of(&self, bucket: BucketId) -> Option<&[CandidateId]> {
        self.0.get(&bucket).map(Vec::as_slice)
    }

    /// Sorts the leaders of every bucket by `key`.
    pub fn sort_by_key(&mut self, key: impl Fn(CandidateId) -> CandidateId) {
        self.0.values_mut().for_each(|leaders| leaders.sort_by_key(|&leader| key(leader)));
    }
}

struct Leaders<'a> {
    candidates: &'a Candidates,
    comparer: &'a Comparer<'a>,
    /// For each bucket its leaders, ascending, and after them the open candidates of the block, ascending. They are in the
    /// bucket's range.
    listed: Vec<CandidateId>,
    leaders: Vec<u32>,
    open: Vec<u32>,
}

/// An open candidate with which another was compared, and the result.
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

    /// Returns the leaders with which other members of the bucket are compared.
    fn leaders_of(&self, bucket: BucketId) -> &[CandidateId] {
        let start = self.candidates.room(bucket).start;
        &self.listed[start..start + (self.leaders[bucket.index()] as usize).min(self.comparer.most_leaders(bucket))]
    }

    /// Returns the open candidates that may become such leaders.
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

    /// Decides the open candidates one after another. Only leaders of this block remain to be compared.
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
                None if self.comparer.can_lead(candidate) => self.admit(candidate),
                None => {}
            }
        }
        Ok(dropped)
    }

    /// Returns the first leader with which `candidate` meets the measure, among those from `from` on and before
    /// `candidate`.
    fn first_leader(
        &self,
        candidate: CandidateId,
        from: CandidateId,
        guesses: &[OverlapGuess],
        scratch: &mut CompareScratch,
    ) -> Result<Option<Follower>> {
        let mut best: Option<Follower> = None;
        let own = self.comparer.header(candidate);
        for &bucket in self.candidates.buckets_of(candidate) {
            let leaders = self.leaders_of(bucket);
            // The leaders of this block are few and are the last.
            let start =
                if from == CandidateId::FIRST { 0 } else { leaders.iter().rposition(|&leader| leader < from).map_or(0, |last| last + 1) };
            'bucket: for some in leaders[start..].chunks(AT_ONCE) {
                // Only leaders before the best one so far count. All buckets of a family list the same leaders, so the
                // first bucket finds the first leader.
                let some = &some[..some.partition_point(|&leader| leader < best.map_or(candidate, |best| best.leader))];
                if some.is_empty() {
                    break;
                }
                let mut headers = [SketchHeader::default(); AT_ONCE];
                headers.iter_mut().zip(some).for_each(|(header, &leader)| *header = self.comparer.header(leader));
                for (&leader, header) in some.iter().zip(&headers) {
                    scratch.look();
                    if !self.comparer.plausible(&own, header) || !scratch.is_new(candidate, leader) {
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

    /// Compares an open candidate with its likely leaders, until one meets the measure. If that one becomes a leader, it
    /// leads this candidate.
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

    /// Returns the first open candidate from `from` on and before `candidate` that the sketches allow.
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
