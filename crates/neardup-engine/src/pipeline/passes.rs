//! Passes: one after another, each over the documents that the earlier ones keep.

use crate::Result;
use crate::checkpoint::journal::StageJournal;
use crate::checkpoint::ledger::Ledger;
use crate::checkpoint::stage::LedgerStage;
use crate::documents::ids::Ids;
use crate::documents::order::positions;
use crate::documents::signed::SignedCorpus;
use crate::findings::clusters::Clusters;
use crate::findings::pairs::{self, StoredPairs, expand};
use crate::findings::pass_context::PassContext;
use crate::findings::stored::Findings;
use crate::findings::{components, forest, passages};
use crate::job::{Job, Verb, lexicons};
use crate::pipeline::candidate_set::CandidateSet;
use crate::pipeline::certifier::Certifier;
use crate::pipeline::pass_run::PassRun;
use crate::progress::Watch;
use crate::resources::budget::Budget;
use crate::resources::forecast::Forecast;
use crate::signing::count;
use crate::signing::reread::Reread;
use crate::signing::worker::TextTask;
use neardup_core::keys::KeyKind;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::scheme;
use neardup_core::signing::segments::Segments;
use neardup_core::terms::lexicon::Lexicon;
use neardup_core::util::forest::Forest;
use neardup_core::util::ids::{DocId, Rank};
use std::sync::Arc;

/// Compiles a pass of a job.
///
/// A key for which the scheme states no cap is capped above `max_family` documents. Two kinds of keys are capped only if pairs or
/// a forest of them are asked for: keys of whole sets, which are cut from the rarest features of the run, and keys that are
/// replaced by such keys.
pub fn compiled(job: &Job<'_>, pass: &scheme::Pass, corpus: Option<&Arc<Lexicon>>) -> Result<CompiledPass> {
    let mut pass = lexicons::compiled_for(pass, corpus)?;
    if job.verb == Verb::Sketch {
        return Ok(pass.to_keep());
    }
    for kind in pass.kinds.iter_mut().filter(|kind| kind.cap.is_none()) {
        kind.keys = kind.keys.clone().of_run();
        kind.cap = default_cap(job, kind);
    }
    Ok(pass)
}

/// Returns the cap of a kind of keys for which the scheme states none.
pub fn default_cap(job: &Job<'_>, kind: &KeyKind) -> Option<u32> {
    let is_capped = job.verb == Verb::Pairs || job.options.forest || kind.keys.complete_from().is_none() && kind.common.is_none();
    is_capped.then(|| u32::try_from(job.options.max_family).unwrap_or(u32::MAX))
}

impl Job<'_> {
    /// Returns the place of every document in policy order; `None` if that is input order. `order` has the documents in the order
    /// of their ids.
    pub fn positions(&self, signed: &SignedCorpus, order: &[DocId]) -> Result<Option<Vec<Rank>>> {
        let prefers = !self.fields.prefer.is_empty();
        positions(&self.keep(), &signed.catalogue, &signed.segments[0], &|| id_rank(order), signed.reference, prefers)
    }
}

/// Returns the place of every document in the order of ids.
fn id_rank(order: &[DocId]) -> Vec<u32> {
    let mut rank = vec![0; order.len()];
    (0..).zip(order).for_each(|(place, &document)| rank[document.index()] = place);
    rank
}

/// The passes of a job, with the documents that they run over.
pub struct Passes<'a, 'j> {
    /// The job.
    pub job: &'a Job<'j>,
    /// Compiled passes. A pass that counts the documents it sees gets its lexicon after the count.
    pub compiled: &'a mut [CompiledPass],
    /// The documents, signed for the first pass.
    pub signed: &'a mut SignedCorpus,
    /// Ids of the documents.
    pub ids: &'a Ids,
    /// The documents in the order of their ids.
    pub order: &'a [DocId],
    /// Forecast of the disk space that the run takes.
    pub forecast: &'a Forecast,
    /// Ledger of the finished stages.
    pub ledger: &'a Ledger<'a>,
    /// Receives the progress, and may stop the run.
    pub watch: &'a Watch,
}

impl Passes<'_, '_> {
    /// Runs all passes.
    pub fn run(&mut self, mut budget: Budget) -> Result<Findings> {
        let mut found = Findings::default();
        if self.job.verb == Verb::Sketch {
            return Ok(found);
        }
        for number in 0..self.compiled.len() {
            self.watch.start_pass(number);
            if number > 0 {
                budget = self.sign(number, &found, budget)?;
            }
            let store = Arc::clone(self.signed.catalogue.store());
            found = self.ledger.once(LedgerStage::Found(number), &store, || self.find(number, budget, found))?;
        }
        self.watch.start_pass(0);
        Ok(found)
    }

    /// Signs the documents that a later pass sees, after counting their terms if the pass asks for that. Returns the remaining
    /// budget.
    fn sign(&mut self, number: usize, found: &Findings, budget: Budget) -> Result<Budget> {
        let (ledger, watch, store) = (self.ledger, self.watch, Arc::clone(self.signed.catalogue.store()));
        let seen = found.seen(self.signed)?;
        let seen = |document: DocId| seen[document.index()];
        let again = Reread { catalogue_chunks: self.signed.catalogue.catalogue_chunks(), readings: &self.signed.readings, seen: &seen };
        let written = &self.job.scheme.passes()[number];
        let lexicon = count::counted_again(number, written, &again, budget, &store, ledger, watch)?;
        let terms = lexicon.as_ref().map_or(0, |lexicon| lexicon.terms().len());
        if lexicon.is_some() {
            self.compiled[number] = compiled(self.job, written, lexicon.as_ref())?;
        }
        let doing = TextTask::Sign(&self.compiled[number]);
        let segments = ledger.once(LedgerStage::Signed(number), &store, || {
            let journal = ledger.journal(LedgerStage::Signed(number), "chunks of the first pass".to_owned(), &store)?;
            again.read("sign", &doing, &store, Some(&journal), watch)
        })?;
        self.signed.segments.push(Segments::new(store, segments));
        budget.beside_terms(terms)
    }

    /// Runs the pass `number` and adds its findings to `found`, the findings of the earlier passes.
    pub fn find(&self, number: usize, budget: Budget, mut found: Findings) -> Result<Findings> {
        let (signed, store) = (&*self.signed, self.signed.catalogue.store());
        let id_rank = || id_rank(self.order);
        let positions = self.job.positions(signed, self.order)?;
        let context = PassContext {
            number,
            pass: &self.compiled[number],
            signed,
            ids: self.ids,
            positions: positions.as_deref(),
            budget,
            forecast: self.forecast,
            watch: self.watch,
        };
        let candidate_set = self.ledger.once(LedgerStage::Arranged(number), store, || CandidateSet::new(&context))?;
        // The split into batches depends on the room and on the number of threads that share it.
        let cut = format!("room of {} for {} threads", budget.room(), rayon::current_num_threads());
        let journal = self.ledger.journal(LedgerStage::Found(number), cut, store)?;
        let pass_run = PassRun::new(context, &candidate_set, &journal)?;
        let mut certifier = Certifier::new(self.job);
        match self.job.verb {
            Verb::Dedup if self.job.keeps_one_per_component() => {
                let mut forest = Forest::new(signed.len());
                let (_, near_misses, edges) = pass_run.cluster(&mut forest, true, Some(&mut certifier))?;
                found.drop(store, components::decide(&context, &pass_run.groups, &edges)?)?;
                found.near_misses.append(near_misses);
            }
            Verb::Dedup => {
                let (dropped, near_misses) = pass_run.lead(Some(&mut certifier))?;
                found.drop(store, dropped)?;
                found.near_misses.append(near_misses);
            }
            Verb::Cluster => {
                let mut forest = found.clusters(store)?.map_or_else(|| Forest::new(signed.len()), |clusters| clusters.forest());
                let (dropped, near_misses, firsts) = pass_run.cluster(&mut forest, self.job.options.forest, Some(&mut certifier))?;
                let id_rank = id_rank();
                if self.job.options.forest {
                    found.forest = Some(forest::of_documents(&context, &pass_run.groups, &firsts, &dropped, &id_rank)?);
                }
                found.drop(store, dropped)?;
                found.connect(store, &Clusters::new(&mut forest, &id_rank))?;
                if self.job.lists() {
                    // Scoring rejects and reports the same pairs again, so only the effort is added.
                    found.near_misses.effort += near_misses.effort;
                } else {
                    found.near_misses.append(near_misses);
                }
            }
            Verb::Pairs if number + 1 < self.compiled.len() => {
                // The result has no dropped documents. They only decide which documents the next pass sees.
                let (dropped, near_misses) = pass_run.lead(None)?;
                found.drop(store, dropped)?;
                found.near_misses.effort += near_misses.effort;
            }
            Verb::Pairs | Verb::Sketch | Verb::Passages => {}
        }
        if self.job.lists() {
            let certifier = (self.job.verb == Verb::Pairs).then_some(&mut certifier);
            self.list(&pass_run, &journal, &context, certifier, &id_rank(), &mut found)?;
        }
        found.near_misses.effort.proposed += candidate_set.arranged.proposed;
        found.capped.push(candidate_set.arranged.capped);
        found.certificate = Some(certifier.finish(found.capped.iter().map(Vec::len).sum(), found.starred_keys.len()));
        signed.segments[number].iter().for_each(|(_, segment)| segment.let_go_of_sketches(store));
        Ok(found)
    }

    /// Scores and lists every pair.
    fn list(
        &self,
        pass_run: &PassRun<'_>,
        journal: &StageJournal<'_>,
        context: &PassContext<'_>,
        certifier: Option<&mut Certifier>,
        id_rank: &[u32],
        found: &mut Findings,
    ) -> Result<()> {
        let most = self.job.options.max_family;
        let (near, mut starred_keys, near_misses) = pass_run.score(most, certifier)?;
        let all = pairs::count(context, &pass_run.groups, &near, most)? + found.pairs.len() as u64;
        self.forecast.more("the pairs", pairs::disk(all, context.budget.room() / 2), self.watch)?;
        let (pairs, mut stars) = expand(context, &pass_run.groups, &near, &found.pairs, id_rank, most)?;
        found.pairs = pairs;
        found.stars.append(&mut stars);
        found.starred_keys.append(&mut starred_keys);
        found.near_misses.append(near_misses);
        if self.job.options.passages && context.number + 1 == self.compiled.len() {
            let listed = StoredPairs { store: context.store(), rows: &found.pairs };
            found.passages = Some(passages::find(context.signed, self.compiled, listed, context.budget.room() / 2, journal, self.watch)?);
        }
        Ok(())
    }
}
