//! Comparing two candidates on their true feature sets, made again from their texts.

use crate::candidates::numbered::Candidates;
use crate::candidates::texts::TextAccess;
use crate::decide::effort::Effort;
use crate::decide::misses::{Miss, Misses};
use crate::decide::value::PairValue;
use crate::decide::verify::{ComparedPair, Verifier};
use crate::keys::KeyKind;
use crate::measures::{Overlap, ceiling};
use crate::pass::compiled::CompiledPass;
use crate::sets::sketch::SketchHeader;
use crate::util::ids::{BucketId, CandidateId};
use crate::util::scratch_pool::ScratchPool;
use crate::{Error, Result};
use neardup_text::Text;
use rayon::prelude::*;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Candidates a thread takes at a time.
const GRAIN: usize = 32;

/// Compares candidates; keeps the sets it made within a budget.
pub struct Comparer<'a> {
    candidates: &'a Candidates,
    pass: &'a CompiledPass,
    texts: &'a dyn TextAccess,
    sets: Vec<OnceLock<Box<[u64]>>>,
    held: AtomicUsize,
    budget: usize,
    scratches: ScratchPool<CompareScratch>,
}

/// One thread's scratch.
pub struct CompareScratch {
    verifier: Verifier,
    /// The left candidate of the verifier.
    left: Option<CandidateId>,
    seen: Vec<CandidateId>,
    misses: Misses,
    effort: Effort,
}

impl CompareScratch {
    /// Looks at `candidate` from `from`; false when it was seen from there already.
    #[inline]
    pub fn first_sight(&mut self, from: CandidateId, candidate: CandidateId) -> bool {
        self.look();
        self.is_new(from, candidate)
    }

    /// Marks `candidate` as seen from `from`; false when it was already.
    #[inline]
    pub fn is_new(&mut self, from: CandidateId, candidate: CandidateId) -> bool {
        std::mem::replace(&mut self.seen[candidate.index()], from) != from
    }

    /// Counts one look at a candidate.
    #[inline]
    pub fn look(&mut self) {
        self.effort.proposed += 1;
    }
}

impl<'a> Comparer<'a> {
    /// A comparer that keeps at most about `budget` bytes of sets.
    pub fn new(candidates: &'a Candidates, pass: &'a CompiledPass, texts: &'a dyn TextAccess, budget: usize) -> Self {
        let sets = (0..candidates.len()).map(|_| OnceLock::new()).collect();
        Comparer { candidates, pass, texts, sets, held: AtomicUsize::new(0), budget, scratches: ScratchPool::default() }
    }

    /// Runs `work` over `candidates`, or what is known of them, in parallel, each thread with scratch of its own; results in
    /// the order given.
    pub fn each<C: Sync, R: Send>(&self, candidates: &[C], work: impl Fn(&C, &mut CompareScratch) -> Result<R> + Sync) -> Result<Vec<R>> {
        let part = |part: &[C]| self.with_scratch(|scratch| part.iter().map(|candidate| work(candidate, scratch)).collect());
        let parts: Vec<Result<Vec<R>>> = candidates.par_chunks(GRAIN).map(part).collect();
        let mut results = Vec::with_capacity(candidates.len());
        for part in parts {
            results.extend(part?);
        }
        Ok(results)
    }

    /// Runs `work` with scratch that is used again afterwards.
    pub fn with_scratch<R>(&self, work: impl FnOnce(&mut CompareScratch) -> R) -> R {
        self.scratches.with(|| self.scratch(), work)
    }

    /// Forgets which candidates have seen each other: a new question is asked of the same candidates.
    pub fn forget_sights(&self) {
        self.scratches.idle().iter_mut().for_each(|scratch| scratch.seen.fill(CandidateId::NONE));
    }

    fn scratch(&self) -> CompareScratch {
        CompareScratch {
            verifier: Verifier::new(self.pass),
            left: None,
            seen: vec![CandidateId::NONE; self.candidates.len()],
            misses: Misses::default(),
            effort: Effort::default(),
        }
    }

    /// Whether the key of a bucket is capped.
    #[inline]
    pub fn is_capped(&self, bucket: BucketId) -> bool {
        self.kind_of(bucket).caps(self.candidates.size(bucket))
    }

    /// Whether any two documents that meet the measure are in a bucket together: one of common keys that gave way.
    #[inline]
    pub fn is_sure(&self, bucket: BucketId) -> bool {
        self.candidates.table_of(bucket) == self.kind_of(bucket).keys.tables()
    }

    /// With how many leaders of one key a document is compared: the first this many, however many documents hold the key.
    pub fn most_leaders(&self, bucket: BucketId) -> usize {
        self.kind_of(bucket).cap.map_or(usize::MAX, |cap| cap as usize)
    }

    #[inline]
    fn kind_of(&self, bucket: BucketId) -> &KeyKind {
        &self.pass.kinds[self.candidates.kind_of(bucket)]
    }

    /// The sketch of a candidate in brief.
    #[inline]
    pub fn brief(&self, candidate: CandidateId) -> SketchHeader {
        self.candidates.sketches.brief(candidate.0)
    }

    /// False only when sketches in brief prove that the pair fails.
    #[inline]
    pub fn plausible(&self, left: &SketchHeader, right: &SketchHeader) -> bool {
        self.pass.plausible(left, right)
    }

    /// False only when the sketches prove that the pair fails.
    #[inline]
    pub fn possible(&self, left: CandidateId, right: CandidateId) -> bool {
        let sketches = &self.candidates.sketches;
        self.plausible(&self.brief(left), &self.brief(right)) && self.pass.possible(sketches.get(left.0), sketches.get(right.0))
    }

    /// What the resemblance of a pair cannot exceed, by the sketches.
    #[inline]
    pub fn ceiling(&self, left: CandidateId, right: CandidateId) -> (u64, u64) {
        let sketches = &self.candidates.sketches;
        ceiling(sketches.get(left.0), sketches.get(right.0))
    }

    /// The overlap of a pair that meets every condition, else None.
    pub fn compare(&self, left: CandidateId, right: CandidateId, scratch: &mut CompareScratch) -> Result<Option<Overlap>> {
        scratch.effort.compared += 1;
        let pair = self.pair(left, right, scratch);
        let had_features = pair.right_features().is_some();
        let (overlap, holds) = scratch.verifier.verify(self.pass, &pair)?;
        if !had_features {
            self.hold(right, scratch.verifier.right());
        }
        if !holds {
            scratch.misses.note(Miss { left, right, overlap });
        }
        Ok(holds.then_some(overlap))
    }

    /// The number that decided about a pair.
    pub fn value(&self, left: CandidateId, right: CandidateId, scratch: &mut CompareScratch) -> Result<PairValue> {
        let (sketches, pair) = (&self.candidates.sketches, self.pair(left, right, scratch));
        scratch.verifier.value(self.pass, sketches.get(left.0), sketches.get(right.0), &pair)
    }

    /// A pair of which the left candidate is that of the verifier.
    fn pair(&self, left: CandidateId, right: CandidateId, scratch: &mut CompareScratch) -> CandidatePair<'_> {
        if scratch.left != Some(left) {
            scratch.verifier.turn();
            scratch.left = Some(left);
        }
        CandidatePair { texts: self.texts, sets: &self.sets, left, right }
    }

    /// What was compared in full and failed, of all threads so far.
    pub fn misses(&self) -> Misses {
        let mut misses = Misses::default();
        self.scratches.idle().iter().for_each(|scratch| misses.merge(&scratch.misses));
        misses
    }

    /// How much was compared, by all threads so far.
    pub fn effort(&self) -> Effort {
        let mut effort = Effort::default();
        self.scratches.idle().iter().for_each(|scratch| effort += scratch.effort);
        effort
    }

    /// Keeps the set of `candidate`, if it is at hand and the budget allows.
    pub fn keep(&self, candidate: CandidateId, scratch: &CompareScratch) {
        if let Some(features) = scratch.verifier.left().filter(|_| scratch.left == Some(candidate)) {
            self.hold(candidate, features);
        }
    }

    /// The features of a candidate, distinct, in no order.
    pub fn features<'b>(&'b self, candidate: CandidateId, scratch: &'b mut CompareScratch) -> Result<&'b [u64]> {
        if let Some(set) = self.sets[candidate.index()].get() {
            return Ok(set);
        }
        let pair = CandidatePair { texts: self.texts, sets: &self.sets, left: candidate, right: candidate };
        scratch.verifier.make_right(&pair)?;
        self.hold(candidate, scratch.verifier.right());
        Ok(scratch.verifier.right())
    }

    /// Takes bytes out of the room for sets; false when they are not there.
    pub fn take_room(&self, bytes: usize) -> bool {
        let fits = self.held.load(Ordering::Relaxed) + bytes <= self.budget;
        if fits {
            self.held.fetch_add(bytes, Ordering::Relaxed);
        }
        fits
    }

    // Which sets are held depends on threads; what a comparison answers does not.
    fn hold(&self, candidate: CandidateId, set: &[u64]) {
        let (held, bytes) = (&self.sets[candidate.index()], size_of_val(set));
        if held.get().is_none() && self.take_room(bytes) && held.set(set.into()).is_err() {
            // Another thread was first.
            self.held.fetch_sub(bytes, Ordering::Relaxed);
        }
    }
}

/// Two candidates, with what sets are held of them.
struct CandidatePair<'a> {
    texts: &'a dyn TextAccess,
    sets: &'a [OnceLock<Box<[u64]>>],
    left: CandidateId,
    right: CandidateId,
}

impl ComparedPair for CandidatePair<'_> {
    type Error = Error;

    fn left_text<'b>(&'b self, buffer: &'b mut Vec<u8>) -> Result<Text<'b>> {
        self.texts.text(self.left.0, buffer)
    }

    fn right_text<'b>(&'b self, buffer: &'b mut Vec<u8>) -> Result<Text<'b>> {
        self.texts.text(self.right.0, buffer)
    }

    fn left_features(&self) -> Option<&[u64]> {
        self.sets[self.left.index()].get().map(|set| &**set)
    }

    fn right_features(&self) -> Option<&[u64]> {
        self.sets[self.right.index()].get().map(|set| &**set)
    }
}
