//! Compares two candidates on their true feature sets, which are extracted again from their texts.

use crate::candidates::numbered::Candidates;
use crate::candidates::scope::PairScope;
use crate::candidates::texts::TextAccess;
use crate::decide::effort::Effort;
use crate::decide::misses::{Miss, Misses};
use crate::decide::value::PairValue;
use crate::decide::verify::{ComparedPair, Verifier};
use crate::keys::KeyKind;
use crate::measures::{Overlap, ceiling};
use crate::pass::compiled::CompiledPass;
use crate::sets::sketch::SketchHeader;
use crate::util::ids::{BucketId, CandidateId, DocId};
use crate::util::scratch_pool::ScratchPool;
use crate::{Error, Result};
use neardup_text::Text;
use rayon::prelude::*;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of candidates that a thread takes at a time.
const GRAIN: usize = 32;

/// Compares candidates and caches the feature sets within a memory budget.
pub struct Comparer<'a> {
    candidates: &'a Candidates,
    pass: &'a CompiledPass,
    texts: &'a dyn TextAccess,
    sets: Vec<OnceLock<Box<[u64]>>>,
    cached: AtomicUsize,
    budget: usize,
    scratches: ScratchPool<CompareScratch>,
    scope: Option<CandidateScope<'a>>,
}

/// The pairs of candidates that count.
pub struct CandidateScope<'a> {
    /// The pairs of documents that count.
    pub pairs: &'a PairScope,
    /// Returns a number that documents with equal token sequences share; `None` for a document without such others.
    pub copies: &'a (dyn Fn(DocId) -> Option<DocId> + Sync),
}

/// One thread's scratch.
pub struct CompareScratch {
    verifier: Verifier,
    /// The candidate that is the left document of the verifier.
    left: Option<CandidateId>,
    seen: Vec<CandidateId>,
    misses: Misses,
    effort: Effort,
}

impl CompareScratch {
    /// Counts a look at `candidate` from `from`, and marks it as seen. Returns false if it was seen from there already.
    #[inline]
    pub fn first_sight(&mut self, from: CandidateId, candidate: CandidateId) -> bool {
        self.look();
        self.is_new(from, candidate)
    }

    /// Marks `candidate` as seen from `from`. Returns false if it was already.
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
    /// Creates a comparer that caches at most about `budget` bytes of sets.
    pub fn new(candidates: &'a Candidates, pass: &'a CompiledPass, texts: &'a dyn TextAccess, budget: usize) -> Self {
        let sets = (0..candidates.len()).map(|_| OnceLock::new()).collect();
        Comparer { candidates, pass, texts, sets, cached: AtomicUsize::new(0), budget, scratches: ScratchPool::default(), scope: None }
    }

    /// Compares only pairs in a scope. Documents with equal token sequences always meet, whatever their features.
    #[must_use]
    pub fn within(mut self, scope: Option<CandidateScope<'a>>) -> Self {
        self.scope = scope;
        self
    }

    /// Whether a candidate can be the original of others.
    #[inline]
    pub fn can_lead(&self, candidate: CandidateId) -> bool {
        self.scope.as_ref().is_none_or(|scope| scope.pairs.has_leaders_in_input() || scope.pairs.is_reference(self.document(candidate)))
    }

    fn document(&self, candidate: CandidateId) -> DocId {
        self.candidates.documents[candidate.index()]
    }

    /// Whether a pair counts, and whether its token sequences are equal.
    fn in_scope(&self, left: CandidateId, right: CandidateId) -> (bool, bool) {
        let Some(scope) = &self.scope else { return (true, false) };
        let (left, right) = (self.document(left), self.document(right));
        let counts = scope.pairs.counts(left, right);
        (counts, counts && (scope.copies)(left).is_some_and(|copies| (scope.copies)(right) == Some(copies)))
    }

    /// Runs `work` for each of `candidates` in parallel, each thread with its own scratch. Returns the results in the order
    /// of the input. An item may be a candidate, or a value about one.
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

    /// Forgets which candidates have seen each other, so that the same candidates can be compared for another purpose.
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

    /// Whether the bucket belongs to rarer keys that replaced common ones. There, any two documents that meet the measure
    /// share a bucket.
    #[inline]
    pub fn is_sure(&self, bucket: BucketId) -> bool {
        self.candidates.table_of(bucket) == self.kind_of(bucket).keys.tables()
    }

    /// Returns the maximum number of leaders of one key with which a document is compared: the first ones, however many
    /// documents contain the key.
    pub fn most_leaders(&self, bucket: BucketId) -> usize {
        self.kind_of(bucket).most_leaders()
    }

    /// Returns the kind of the keys of a bucket.
    #[inline]
    pub(super) fn kind_of(&self, bucket: BucketId) -> &KeyKind {
        &self.pass.kinds[self.candidates.kind_of(bucket)]
    }

    /// Returns the sketch header of a candidate.
    #[inline]
    pub fn header(&self, candidate: CandidateId) -> SketchHeader {
        self.candidates.sketches.header(candidate.0)
    }

    /// Returns false only if the sketch headers prove that the pair fails.
    #[inline]
    pub fn plausible(&self, left: &SketchHeader, right: &SketchHeader) -> bool {
        self.pass.plausible(left, right)
    }

    /// Returns false only if the pair does not count, or if the sketches prove that it fails.
    #[inline]
    pub fn possible(&self, left: CandidateId, right: CandidateId) -> bool {
        let sketches = &self.candidates.sketches;
        let passes =
            || self.plausible(&self.header(left), &self.header(right)) && self.pass.possible(sketches.get(left.0), sketches.get(right.0));
        match self.in_scope(left, right) {
            (counts, false) => counts && passes(),
            (_, true) => true,
        }
    }

    /// Returns an upper bound on the resemblance of a pair, from the sketches.
    #[inline]
    pub fn ceiling(&self, left: CandidateId, right: CandidateId) -> (u64, u64) {
        let sketches = &self.candidates.sketches;
        ceiling(sketches.get(left.0), sketches.get(right.0))
    }

    /// Returns the overlap of a pair if it meets every condition, otherwise `None`.
    pub fn compare(&self, left: CandidateId, right: CandidateId, scratch: &mut CompareScratch) -> Result<Option<Overlap>> {
        scratch.effort.compared += 1;
        let pair = self.pair(left, right, scratch);
        let had_features = pair.right_features().is_some();
        let (overlap, holds) = scratch.verifier.verify(self.pass, &pair)?;
        if !had_features {
            self.hold(right, scratch.verifier.right());
        }
        let holds = holds || self.in_scope(left, right).1;
        if !holds {
            scratch.misses.note(Miss { left, right, overlap });
        }
        Ok(holds.then_some(overlap))
    }

    /// Returns the value by which a pair was decided.
    pub fn value(&self, left: CandidateId, right: CandidateId, scratch: &mut CompareScratch) -> Result<PairValue> {
        let (sketches, pair) = (&self.candidates.sketches, self.pair(left, right, scratch));
        scratch.verifier.value(self.pass, sketches.get(left.0), sketches.get(right.0), &pair)
    }

    /// Returns a pair whose left candidate is the left document of the verifier.
    fn pair(&self, left: CandidateId, right: CandidateId, scratch: &mut CompareScratch) -> CandidatePair<'_> {
        if scratch.left != Some(left) {
            scratch.verifier.forget_left();
            scratch.left = Some(left);
        }
        CandidatePair { texts: self.texts, sets: &self.sets, left, right }
    }

    /// Returns the pairs that were compared in full and failed, from all threads so far.
    pub fn misses(&self) -> Misses {
        let mut misses = Misses::default();
        self.scratches.idle().iter().for_each(|scratch| misses.merge(&scratch.misses));
        misses
    }

    /// Returns the effort of all threads so far.
    pub fn effort(&self) -> Effort {
        let mut effort = Effort::default();
        self.scratches.idle().iter().for_each(|scratch| effort += scratch.effort);
        effort
    }

    /// Caches the set of `candidate`, if the scratch has it and the budget allows.
    pub fn keep(&self, candidate: CandidateId, scratch: &CompareScratch) {
        if let Some(features) = scratch.verifier.left().filter(|_| scratch.left == Some(candidate)) {
            self.hold(candidate, features);
        }
    }

    /// Returns the distinct features of a candidate, in no particular order.
    pub fn features<'b>(&'b self, candidate: CandidateId, scratch: &'b mut CompareScratch) -> Result<&'b [u64]> {
        if let Some(set) = self.sets[candidate.index()].get() {
            return Ok(set);
        }
        let pair = CandidatePair { texts: self.texts, sets: &self.sets, left: candidate, right: candidate };
        scratch.verifier.make_right(&pair)?;
        self.hold(candidate, scratch.verifier.right());
        Ok(scratch.verifier.right())
    }

    /// Reserves bytes of the budget for sets. Returns false if not enough is left.
    pub fn reserve(&self, bytes: usize) -> bool {
        let fits = self.cached.load(Ordering::Relaxed) + bytes <= self.budget;
        if fits {
            self.cached.fetch_add(bytes, Ordering::Relaxed);
        }
        fits
    }

    // Which sets are cached depends on the threads; the result of a comparison does not.
    fn hold(&self, candidate: CandidateId, set: &[u64]) {
        let (cached, bytes) = (&self.sets[candidate.index()], size_of_val(set));
        if cached.get().is_none() && self.reserve(bytes) && cached.set(set.into()).is_err() {
            // Another thread was first.
            self.cached.fetch_sub(bytes, Ordering::Relaxed);
        }
    }
}

/// Two candidates, with the cached sets.
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
