//! A run, from inputs to results.

use crate::budget::Budget;
use crate::found::Found;
use crate::job::{Job, Verb};
use crate::leader_groups::LeaderGroups;
use crate::ledger::{Ledger, Stage};
use crate::order::{Keep, positions};
use crate::output::{Output, RUN};
use crate::pairs::{Pairs, Star, expand};
use crate::passages;
use crate::pipeline::{Meeting, Met};
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
use neardup_core::lexicon::Lexicon;
use neardup_core::pass::Pass;
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
    let pass = compiled(&job, None)?;
    job.fields.given = given(&pass);
    let Some(target) = job.output.clone() else {
        let folder = tempfile::tempdir().map_err(|error| Error::file(&std::env::temp_dir(), "make a work folder")(error))?;
        return threads.install(|| Run { job, pass, watch }.go(folder.path(), None));
    };
    let output = Output::open(&target, job.overwrite)?;
    let work = output.work()?;
    let outcome = threads.install(|| Run { job, pass, watch }.go(&work, Some(&output))).map_err(|error| error.at(&work))?;
    output.finish()?;
    Ok(outcome)
}

/// The pass of a job, as [`lexicons::compiled_for`].
fn compiled(job: &Job<'_>, corpus: Option<&Arc<Lexicon>>) -> Result<Pass> {
    let pass = lexicons::compiled_for(&job.scheme, corpus)?;
    Ok(if job.verb == Verb::Sketch { pass.to_keep() } else { pass })
}

/// What the text field must hold for the tokens and features of a pass.
fn given(pass: &Pass) -> Option<Given> {
    match (pass.unit, &pass.features) {
        (neardup_text::Unit::Given, Features::Bits(bits)) => Some(Given::Fingerprint(bits.bits / 64)),
        (neardup_text::Unit::Given, _) => Some(Given::Features),
        _ => None,
    }
}

struct Run<'a, 'j> {
    job: Job<'j>,
    pass: Pass,
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
        let counts = lexicons::to_count(&self.job.scheme)?.is_some();
        let (ledger, store) = Ledger::open(&self.job, &self.pass, &inputs, self.watch)?;
        let counted = count::counted(&mut self.job, &inputs, budget, &store, &ledger, self.watch)?;
        if let Some(counted) = &counted {
            self.pass = compiled(&self.job, Some(&counted.lexicon))?;
        }
        let terms = self.pass.weigher.lexicon().map_or(0, |lexicon| lexicon.terms().len());
        let budget = budget.beside_terms(terms)?;
        let mut signed = sign::signed(&mut self.job, &self.pass, counted, &inputs, &store, &ledger, self.watch)?;
        let budget = budget.beside(signed.len(), signed.catalogue.id_bytes())?;
        let (source_of, rows) = (Arc::new(signed.catalogue.source_of()?), Arc::new(signed.catalogue.rows()?));
        let ids = signed.catalogue.ids(&source_of, &rows)?;
        let order = ids.order();
        signed.set_aside_repeated(&ids, &order, self.job.skips())?;
        let found = ledger.once(Stage::Found, &store, || self.find(&signed, &order, budget, &ledger))?;
        let names = Names {
            signed: &signed,
            ids: &ids,
            source_of: &source_of,
            rows: &rows,
            documents: signed.listed(),
            against: self.job.against.is_some(),
        };
        let results = Results {
            job: &self.job,
            pass: &self.pass,
            names: &names,
            verdicts: found.verdicts(&store, signed.len())?,
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
        let digest = ledger.once(Stage::Written, &store, || {
            output.clear()?;
            let written = results.verdicts.as_ref().filter(|_| writes_kept);
            let bytes = written.map_or(0, |_| sources.iter().map(|source| source.bytes).sum());
            self.watch.phase("write", bytes, Unit::Bytes, || {
                let copies = || written.map_or(Ok(()), |verdicts| self.keep(&signed, verdicts, &source_of, &sources, output));
                let tables = || tables.iter().try_for_each(|(name, table)| output.table(&format!("{name}.parquet"), &**table));
                if let Some(lexicon) = self.pass.weigher.lexicon().filter(|_| counts) {
                    lexicons::write(&output.path(lexicons::FILE), lexicon)?;
                }
                let (copies, (tables, digest)) = rayon::join(copies, || rayon::join(tables, || results.digest(&order)));
                copies.and(tables).and(digest)
            })
        })?;
        let mut summary = self.summary(&names, &found, &results, groups.as_ref(), digest)?;
        self.watch.phase("report", 0, Unit::Documents, || {
            let page = evidence::page(&self.job, &self.pass, &names, groups.as_ref(), results.pairs, &found.near_misses, &summary)?;
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

    fn find(&self, signed: &Signed, order: &[u32], budget: Budget, ledger: &Ledger<'_>) -> Result<Found> {
        if self.job.verb == Verb::Sketch {
            return Ok(Found::default());
        }
        let store = signed.segments.store();
        let id_rank = || {
            let mut rank = vec![0; order.len()];
            (0..).zip(order).for_each(|(place, &document)| rank[document as usize] = place);
            rank
        };
        let prefers = self.job.fields.prefer.is_some();
        let positions = positions(Keep::of(&self.job), &signed.catalogue, &signed.segments, &id_rank, signed.reference, prefers)?;
        let meeting = ledger.once(Stage::Arranged, store, || Meeting::new(signed, &self.pass, positions.as_deref(), budget, self.watch))?;
        let met = Met::new(signed, &self.pass, positions.as_deref(), budget, self.watch, &meeting)?;
        let mut found = match self.job.verb {
            Verb::Dedup => {
                let (verdicts, near_misses) = met.lead()?;
                Found::decided(store, &verdicts, None, near_misses)?
            }
            Verb::Cluster => {
                let (verdicts, clusters, near_misses) = met.cluster(&id_rank())?;
                Found::decided(store, &verdicts, Some(&clusters), near_misses)?
            }
            Verb::Pairs | Verb::Sketch => Found::default(),
        };
        if self.job.lists() {
            self.list(&met, signed, &id_rank(), budget.room() / 2, &mut found)?;
        }
        found.capped = meeting.arranged.capped;
        Ok(found)
    }

    /// Scores and lists every pair, within about `memory` bytes.
    fn list(&self, met: &Met<'_>, signed: &Signed, id_rank: &[u32], memory: usize, found: &mut Found) -> Result<()> {
        let most = self.job.max_family;
        let near;
        (near, found.starred_keys, found.near_misses) = met.score(most)?;
        (found.pairs, found.stars) = expand(signed, &self.pass, &met.groups, &near, id_rank, most, memory)?;
        if self.job.passages {
            let listed = Pairs { store: signed.segments.store(), rows: &found.pairs };
            found.passages = Some(passages::find(signed, &self.pass, listed, self.watch)?);
        }
        Ok(())
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
        let (counts, listed) = summary::counts(names, &self.pass, &found.capped, verdicts, pairs)?;
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
            lexicon: self.pass.weigher.lexicon().map(|lexicon| lexicon.digest().to_owned()),
            counts,
            clusters: groups.map(summary::table),
            inputs: summary::inputs(names, verdicts),
            sketch_bytes: names.signed.segments.iter().map(|(_, segment)| segment.sketch_bytes() as u64).sum(),
            phases: self.phases(),
            capped: found.capped.clone(),
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
