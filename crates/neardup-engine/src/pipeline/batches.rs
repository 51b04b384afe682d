//! The pipeline that all verbs share. It runs once for every pass of a scheme.
//!
//! sign -> arrange -> lead (dedup, cluster) -> connect (cluster) -> score (wherever pairs are listed)

use crate::Result;
use crate::documents::signed::CandidateTexts;
use crate::findings::decisions::{DroppedDocument, decide};
use crate::findings::near_misses::NearMisses;
use crate::findings::pairs::{self, PairFamily, PairRow};
use crate::findings::pass_context::PassContext;
use crate::pipeline::batch::{Batch, BatchStep, EarlierSlices};
use crate::pipeline::batch_result::{BatchResult, RunResult};
use crate::pipeline::certifier::Certifier;
use crate::pipeline::pass_run::PassRun;
use neardup_core::candidates::batches::{MemoryWeights, split};
use neardup_core::candidates::buckets::Buckets;
use neardup_core::candidates::numbered::Candidates;
use neardup_core::candidates::slices::{KeyScope, Slice, Slices};
use neardup_core::util::forest::Forest;
use neardup_core::util::ids::{DocId, Rank};
use neardup_core::util::store::List;
use std::collections::HashMap;

/// Upper bound on the weight of a batch or slice in bytes, however much memory there is. A stop then loses only minutes of work.
const HEAVIEST: usize = 4 << 30;

impl PassRun<'_> {
    /// Applies the leader rule.
    pub fn lead(&self, certifier: Option<&mut Certifier>) -> Result<(Vec<DroppedDocument>, NearMisses)> {
        let all = self.each(&[BatchStep::Lead], None, certifier)?;
        Ok((decide(&self.context, &self.groups, all.dropped)?, all.misses))
    }

    /// Applies the leader rule, then connects all documents that meet the measure, in `forest`. Also returns the maximum spanning
    /// forest of the firsts if it `spans`.
    pub fn cluster(
        &self,
        forest: &mut Forest<DocId>,
        spans: bool,
        certifier: Option<&mut Certifier>,
    ) -> Result<(Vec<DroppedDocument>, NearMisses, List<PairRow>)> {
        let signed = self.context.signed;
        let (copies, apart): (Vec<_>, Vec<_>) = self.groups.copies.pairs.iter().partition(|pair| signed.counts(pair.0, pair.1));
        copies.into_iter().for_each(|&(first, copy)| forest.union(first, copy));
        let steps = [BatchStep::Lead, BatchStep::Connect { spans }];
        let RunResult { dropped, misses, edges, .. } = self.each(&steps, Some(&mut *forest), certifier)?;
        // Copies whose pairs do not count are connected with the same others.
        let mut sizes = HashMap::new();
        DocId::first(signed.len()).filter(|_| !apart.is_empty()).for_each(|document| *sizes.entry(forest.find(document)).or_insert(0) += 1);
        for &(first, copy) in apart {
            if sizes.get(&forest.find(first)).is_some_and(|&size| size > 1) {
                forest.union(first, copy);
            }
        }
        Ok((decide(&self.context, &self.groups, dropped)?, misses, edges))
    }

    /// Scores every pair of firsts that can represent a wanted pair. If more than `max_family` documents share a key, only pairs
    /// with the first of them are scored.
    pub fn score(&self, max_family: usize, certifier: Option<&mut Certifier>) -> Result<(List<PairRow>, Vec<PairFamily>, NearMisses)> {
        let all = self.each(&[BatchStep::Score { max_family }], None, certifier)?;
        Ok((all.scored, all.families.into_iter().map(|(first, size)| PairFamily { first, size }).collect(), all.misses))
    }

    /// Applies `steps` to one batch after another, each within the memory budget, and samples each for the certificate. A
    /// component that is too heavy is processed one step at a time, slice by slice. Pieces that are in the journal are not
    /// repeated.
    fn each<'f>(
        &self,
        steps: &[BatchStep],
        forest: Option<&'f mut Forest<DocId>>,
        mut certifier: Option<&mut Certifier>,
    ) -> Result<RunResult<'f>> {
        let PassContext { signed, budget, .. } = self.context;
        let (store, documents) = (self.context.store(), signed.len());
        let candidate = Candidates::weight(rayon::current_num_threads());
        let document = |document: DocId| candidate + self.sketches[document.index()] as usize;
        let weights = MemoryWeights { document: &document, membership: Candidates::BYTES_PER_MEMBERSHIP };
        // Half of the room is for feature sets.
        let limit = (budget.room() / 2).min(HEAVIEST);
        let split = split(store, self.buckets, documents, &weights, limit)?;
        let certify = certifier.as_mut().and_then(|certifier| {
            let cross = certifier.cross;
            certifier.drawing(split.candidates).map(|drawing| BatchStep::Certify { drawing, cross })
        });
        let steps: Vec<BatchStep> = steps.iter().copied().chain(certify).collect();
        // A forest spans a whole component at once, never slice by slice.
        let spans = steps.iter().any(|step| matches!(step, BatchStep::Connect { spans: true }));
        if spans {
            let most = (split.candidates + self.groups.copies.pairs.len()) as u64;
            // Its edges are stored once more before they are sorted.
            let edges = most * size_of::<PairRow>() as u64;
            self.context.forecast.more("the forest", edges + pairs::disk(most, budget.room() / 2), self.context.watch)?;
        }
        let mut all = RunResult { forest, ..RunResult::default() };
        for batch in &split.batches {
            let whole = Rank::FIRST..Rank(documents as u32);
            if spans || batch.weight <= limit {
                let left = self.journal.piece(|| {
                    let buckets = Buckets::load(store, &batch.parts)?;
                    self.work(Slice { buckets, positions: whole, weight: batch.weight }, &steps, None)
                })?;
                all.take(store, left, certifier.as_deref_mut())?;
                continue;
            }
            all.follows.resize(documents, false);
            let position = |document: DocId| self.context.position(document);
            let slices = Slices {
                store,
                parts: &batch.parts,
                kinds: &self.context.pass.kinds,
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
                        let before = EarlierSlices { follows: &all.follows, forest: all.forest.as_deref(), drawn: &drawn };
                        self.work(self.slice(&slices, start, step, &before)?, &[step], Some(before))
                    })?;
                    start = left.end;
                    all.take(store, left, certifier.as_deref_mut())?;
                }
            }
        }
        Ok(all)
    }

    /// Returns the slice for a step that begins at the place `start`.
    fn slice(&self, slices: &Slices<'_>, start: Rank, step: BatchStep, before: &EarlierSlices<'_>) -> Result<Slice> {
        let follows = |document: DocId| before.follows[document.index()];
        let leads = |document: DocId| !follows(document) || self.context.signed.is_reference(document);
        let root = |document: DocId| before.forest.map_or(document, |forest| forest.root(document));
        let members = |document: DocId| before.drawn.get(&document).copied();
        let hash = |document: DocId| self.context.ids.hash(document);
        let drawn = |document: DocId| members(document).is_some();
        let compares = |one: DocId, other: DocId| match step {
            BatchStep::Certify { drawing, .. } => members(one).is_some_and(|members| drawing.compares(hash(one), members, || hash(other))),
            _ => false,
        };
        let scope = match step {
            BatchStep::Lead => KeyScope::Leaders { leads: &leads },
            BatchStep::Connect { .. } => KeyScope::Unconnected { follows: &follows, root: &root },
            BatchStep::Score { max_family } => KeyScope::Earlier { max_family },
            BatchStep::Certify { .. } => KeyScope::Certified { drawn: &drawn, compares: &compares },
        };
        Ok(slices.next(start, &scope)?)
    }

    /// Returns the documents of a component that a certify step draws, each with its number of members; nothing for other steps.
    fn drawn(&self, slices: &Slices<'_>, step: BatchStep) -> Result<HashMap<DocId, u64>> {
        let BatchStep::Certify { drawing, .. } = step else { return Ok(HashMap::new()) };
        let hash = |document: DocId| self.context.ids.hash(document);
        let mut drawn = slices.members(&|document| drawing.can_draw(hash(document)))?;
        drawn.retain(|&document, members| drawing.draws(hash(document), *members));
        Ok(drawn)
    }

    /// Applies `steps` to the documents of a slice, which are in memory together.
    fn work(&self, slice: Slice, steps: &[BatchStep], before: Option<EarlierSlices<'_>>) -> Result<BatchResult> {
        let Slice { buckets, positions, weight } = slice;
        let PassContext { signed, budget, .. } = self.context;
        let room = budget.without(weight, || {
            let what = match steps {
                [BatchStep::Certify { .. }] => "a document that is drawn for the certificate, and those it looks at",
                [_] => "a document and all that it is compared with",
                _ => "the forest of the largest family of documents that keys connect, which is spanned at once",
            };
            what.to_owned()
        })?;
        let position = |document: DocId| self.context.position(document);
        let mut candidates = Candidates::new(self.context.segments(), &buckets, &self.ignored, &position)?;
        drop(buckets);
        let place = |end: Rank| candidates.documents.partition_point(|&document| position(document) < end) as u32;
        candidates.asking = place(positions.start)..place(positions.end);
        let texts = CandidateTexts::new(signed, &candidates.documents)?;
        let left = Batch { candidates, texts, pass_run: self, before, room }.take(steps)?;
        Ok(BatchResult { end: positions.end, ..left })
    }
}
