//! A run, from inputs to results.

use crate::bench::Doing;
use crate::budget::Budget;
use crate::capped_key::CappedKey;
use crate::found::Found;
use crate::indexing::{INDEX, Plan};
use crate::job::{Job, Verb};
use crate::leader_groups::LeaderGroups;
use crate::ledger::{Ledger, Stage};
use crate::order::Keep;
use crate::output::{Output, RUN};
use crate::pairs::{Pairs, Star};
use crate::pass_count::PassCount;
use crate::passes::{Passes, compiled};
use crate::repeats::Repeats;
use crate::results::Results;
use crate::sign::Inputs;
use crate::signed::Signed;
use crate::summary::{self, Summary};
use crate::tables::{Names, gather};
use crate::verdicts::Verdicts;
use crate::watch::{PhaseTime, Unit, Watch};
use crate::{Error, Result, count, evidence, lexicons, sign, writing};
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use neardup_core::features::Features;
use neardup_core::pass::Pass;
use neardup_core::scheme;
use neardup_core::segments::Segments;
use neardup_corpus::{Given, Source, check_targets};
use std::path::Path;
use std::sync::Arc;

/// What a run leaves.
pub struct Outcome {
    /// The text of `run.json`.
    pub summary: String,
    /// The result tables in memory, when there is no output folder: decisions, clusters, pairs, passages or sketches.
    pub tables: Vec<(&'static str, SchemaRef, Vec<RecordBatch>)>,
}

/// Runs a job; `watch` may be looked at, and told to stop, from another thread.
pub fn run(mut job: Job<'_>, watch: &Watch) -> Result<Outcome> {
    let threads =
        rayon::ThreadPoolBuilder::new().num_threads(job.threads).build().map_err(|error| Error::Usage(format!("threads: {error}")))?;
    if job.verb == Verb::Sketch && job.scheme.passes().len() > 1 {
        return Err(Error::Usage("a sketch is of one pass; the scheme has several: write the one to keep".to_owned()));
    }
    let passes: Vec<Pass> = job.scheme.passes().iter().map(|pass| compiled(&job, pass, None)).collect::<Result<_>>()?;
    job.fields.given = given(&passes)?;
    let plan = Plan::of(&job)?;
    let Some(target) = job.output.clone() else {
        let folder = tempfile::tempdir().map_err(|error| Error::file(&std::env::temp_dir(), "make a work folder")(error))?;
        return threads.install(|| go(job, passes, plan, watch, folder.path(), None));
    };
    let output = Output::open(&target, job.overwrite)?;
    let work = output.work()?;
    let outcome = threads.install(|| go(job, passes, plan, watch, &work, Some(&output))).map_err(|error| error.at(&work))?;
    output.finish()?;
    Ok(outcome)
}

fn go(job: Job<'_>, passes: Vec<Pass>, plan: Option<Plan>, watch: &Watch, work: &Path, output: Option<&Output>) -> Result<Outcome> {
    match job.verb {
        Verb::Passages => Repeats { job, passes, watch }.go(work, output),
        _ => Run { job, passes, plan, watch }.go(work, output),
    }
}

/// What the text field must hold for the tokens and features of all passes.
fn given(passes: &[Pass]) -> Result<Option<Given>> {
    let of_pass = |pass: &Pass| match (pass.unit, &pass.features) {
        (neardup_text::Unit::Given, Features::Bits(bits)) => Some(Given::Fingerprint(bits.bits / 64)),
        (neardup_text::Unit::Given, _) => Some(Given::Features),
        _ => None,
    };
    let first = of_pass(&passes[0]);
    match passes.iter().position(|pass| of_pass(pass) != first) {
        None => Ok(first),
        Some(other) => Err(Error::Usage(format!(
            "scheme: the text field holds one kind of values, and pass {} wants others than pass 1: write `given` with the same features in all passes, or in none",
            other + 1
        ))),
    }
}

struct Run<'a, 'j> {
    job: Job<'j>,
    passes: Vec<Pass>,
    /// Of the index that it leaves.
    plan: Option<Plan>,
    watch: &'a Watch,
}

impl Run<'_, '_> {
    fn go(mut self, work: &Path, output: Option<&Output>) -> Result<Outcome> {
        let budget = Budget::new(self.job.memory, self.job.threads)?;
        let sources = sign::sources(&self.job.input, &self.job, work, self.watch)?;
        let against =
            self.job.against.as_ref().map(|input| sign::sources(input, &self.job, work, self.watch)).transpose()?.unwrap_or_default();
        let writes_kept = output.is_some() && self.job.kept && self.job.verb == Verb::Dedup;
        if writes_kept {
            check_targets(&sources)?;
        }
        let inputs = Inputs { sources: &sources, against: &against, work };
        let (ledger, store) = Ledger::open(&self.job, &self.passes, &inputs, self.watch)?;
        let counted = count::counted(&mut self.job, &inputs, budget, &store, &ledger, self.watch)?;
        if let Some(counted) = &counted {
            self.passes[0] = compiled(&self.job, &self.job.scheme.passes()[0], Some(&counted.lexicon))?;
        }
        let terms = self.passes.iter().filter_map(|pass| pass.weigher.lexicon()).map(|lexicon| lexicon.terms().len()).sum();
        let budget = budget.beside_terms(terms)?;
        let mut signed = sign::signed(&mut self.job, &Doing::Sign(&self.passes[0]), counted, &inputs, &store, &ledger, self.watch)?;
        let budget = budget.beside(signed.len(), signed.catalogue.id_bytes())?;
        let (source_of, rows) = (Arc::new(signed.catalogue.source_of()?), Arc::new(signed.catalogue.rows()?));
        let ids = signed.catalogue.ids(&source_of, &rows)?;
        let order = ids.order();
        signed.set_aside_repeated(&ids, &order, self.job.skips())?;
        if let Some(plan) = &self.plan {
            plan.check(&signed, &ids, budget)?;
        }
        let mut passes =
            Passes { job: &self.job, compiled: &mut self.passes, signed: &mut signed, order: &order, ledger: &ledger, watch: self.watch };
        let found = passes.run(budget)?;
        let names = Names {
            signed: &signed,
            ids: &ids,
            source_of: &source_of,
            rows: &rows,
            documents: signed.listed(),
            against: self.job.against.is_some(),
        };
        let verdicts = found.verdicts(&store, signed.len())?;
        let results = Results {
            job: &self.job,
            passes: &self.passes,
            verified: self.job.scheme.passes().iter().map(scheme::Pass::is_verified).collect(),
            names: &names,
            counts: PassCount::all(&self.passes, names.documents.len(), &verdicts, self.job.decides()),
            verdicts: self.job.decides().then_some(verdicts),
            clusters: found.clusters(&store)?,
            pairs: Pairs { store: &store, rows: &found.pairs },
            passages: found.passages.as_ref(),
        };
        let groups = results.verdicts.as_ref().map(LeaderGroups::new);
        let tables = results.tables();
        let Some(output) = output else {
            let summary = self.summary(&names, &found, &results, groups.as_ref(), results.digest(&order)?)?;
            let tables = tables.iter().map(|(name, table)| Ok((*name, table.schema(), gather(&**table)?))).collect::<Result<_>>()?;
            return Ok(Outcome { summary: summary.to_json(), tables });
        };
        let plan = self.plan.take();
        let digest = ledger.once(Stage::Written, &store, || {
            output.clear()?;
            if let Some(plan) = plan {
                plan.write(&names, &output.path(INDEX), self.watch)?;
            }
            let written = results.verdicts.as_ref().filter(|_| writes_kept);
            let bytes = written.map_or(0, |_| sources.iter().map(|source| source.bytes).sum());
            self.watch.phase("write", bytes, Unit::Bytes, || {
                let copies = || written.map_or(Ok(()), |verdicts| self.keep(&signed, verdicts, &source_of, &sources, output));
                let tables = || tables.iter().try_for_each(|(name, table)| output.table(&format!("{name}.parquet"), &**table));
                for (number, pass) in self.passes.iter().enumerate() {
                    let counts = lexicons::to_count(&self.job.scheme.passes()[number])?.is_some();
                    if let Some(lexicon) = pass.weigher.lexicon().filter(|_| counts) {
                        lexicons::write(&output.path(&lexicons::file(number)), lexicon)?;
                    }
                }
                let (copies, (tables, digest)) = rayon::join(copies, || rayon::join(tables, || results.digest(&order)));
                copies.and(tables).and(digest)
            })
        })?;
        let mut summary = self.summary(&names, &found, &results, groups.as_ref(), digest)?;
        self.watch.phase("report", 0, Unit::Documents, || {
            let page = evidence::page(&self.job, &self.passes, &names, groups.as_ref(), results.pairs, &found.near_misses, &summary)?;
            page.map_or(Ok(()), |page| output.write("report.html", &page))
        })?;
        if !signed.rejects.is_empty() {
            neardup_corpus::write_rejects(&output.path("rejects.jsonl"), &signed.rejects)?;
        }
        summary.phases = self.phases();
        let summary = summary.to_json();
        output.write(RUN, &summary)?;
        Ok(Outcome { summary, tables: Vec::new() })
    }

    fn summary(
        &self,
        names: &Names<'_>,
        found: &Found,
        results: &Results<'_>,
        groups: Option<&LeaderGroups<'_>>,
        digest: String,
    ) -> Result<Summary> {
        let verdicts = results.verdicts.as_ref();
        let pairs = self.job.lists().then_some(found.pairs.len());
        let stars = |stars: &[Star]| stars.iter().map(|star| (names.ids.get(star.first).into_owned(), star.size)).collect();
        let scheme = self.job.scheme.seal()?;
        let (counts, listed) = summary::counts(names, &self.passes, found, verdicts, pairs)?;
        let ids = |documents: &[u32]| documents.iter().map(|&document| names.ids.get(document).into_owned()).collect();
        Ok(Summary {
            neardup: env!("CARGO_PKG_VERSION"),
            unicode: neardup_text::UNICODE_VERSION,
            verb: self.job.verb.name(),
            command: self.job.command.clone(),
            scheme: scheme.to_string(),
            // They are about what is found.
            notes: if self.job.verb == Verb::Sketch { Vec::new() } else { scheme.notes() },
            keep: Keep::of(&self.job).name(),
            verified: scheme.is_verified(),
            digest,
            passes: results.counts.clone(),
            counts,
            effort: found.near_misses.effort,
            clusters: groups.map(summary::table),
            inputs: summary::inputs(names, verdicts),
            sketch_bytes: names.signed.segments.iter().flat_map(Segments::iter).map(|(_, segment)| segment.sketch_bytes() as u64).sum(),
            phases: self.phases(),
            capped: CappedKey::all(names, &self.passes, &found.capped)?,
            stars: stars(&found.stars),
            starred_keys: stars(&found.starred_keys),
            without_text: ids(&listed.without_text),
            thin: ids(&listed.thin),
        })
    }

    fn phases(&self) -> Vec<PhaseTime> {
        self.watch.phases().iter().map(PhaseTime::from).collect()
    }

    fn keep(&self, signed: &Signed, verdicts: &Verdicts, source_of: &[u32], sources: &[Source], output: &Output) -> Result<()> {
        writing::keep_sources(signed, verdicts, source_of, sources, &output.path("kept"), self.job.threads, self.watch)
    }
}
