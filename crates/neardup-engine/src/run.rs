//! A run, from inputs to results.

use crate::budget::Budget;
use crate::clusters::Clusters;
use crate::found::Found;
use crate::job::{Job, Verb};
use crate::leader_groups::LeaderGroups;
use crate::ledger::{Ledger, Stage};
use crate::order::{Keep, positions};
use crate::output::{Output, RUN};
use crate::pairs::{Pairs, expand};
use crate::passages::{self, PassageRows};
use crate::pipeline::{Meeting, Met};
use crate::sign::Inputs;
use crate::signed::Signed;
use crate::summary::{self, Summary};
use crate::tables::{ClusterRows, Decisions, Names, PairRows, Table, gather};
use crate::verdicts::Verdicts;
use crate::watch::{PhaseTime, Unit, Watch};
use crate::{Error, Result, count, digest, evidence, lexicons, sign, writing};
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
    /// The result tables in memory, when there is no output folder: decisions, clusters, or pairs and passages.
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

/// The scheme, ready to run. Where it states no cap, a key is capped above `max_family` documents; keys of whole sets are so
/// only where pairs are listed: what they promise is that none is missed.
fn compiled(job: &Job<'_>, corpus: Option<&Arc<Lexicon>>) -> Result<Pass> {
    let mut pass = lexicons::compiled_for(&job.scheme, corpus)?;
    if pass.cap.is_none() && (job.verb == Verb::Pairs || pass.keys.complete_from().is_none()) {
        pass.cap = Some(u32::try_from(job.max_family).unwrap_or(u32::MAX));
    }
    Ok(pass)
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
        let results = Results {
            verdicts: found.verdicts(&store, signed.len())?,
            clusters: found.clusters(&store)?,
            pairs: Pairs { store: &store, rows: &found.pairs },
        };
        let names = Names {
            signed: &signed,
            ids: &ids,
            source_of: &source_of,
            rows: &rows,
            documents: signed.listed(),
            against: self.job.against.is_some(),
        };
        let groups = results.verdicts.as_ref().map(LeaderGroups::new);
        let tables = self.tables(&names, &results, &found);
        let Some(output) = output else {
            let summary = self.summary(&names, &found, &results, groups.as_ref(), digest(&names, &order, &results)?)?;
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
                let (copies, (tables, digest)) = rayon::join(copies, || rayon::join(tables, || digest(&names, &order, &results)));
                copies.and(tables).and(digest)
            })
        })?;
        let mut summary = self.summary(&names, &found, &results, groups.as_ref(), digest)?;
        self.watch.phase("report", 0, Unit::Documents, || {
            let page = evidence::page(&self.job, &self.pass, &names, groups.as_ref(), results.pairs, &found.near_misses, &summary)?;
            output.write("report.html", &page)
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
            Verb::Pairs => {
                let (near, near_misses) = met.score()?;
                let memory = budget.room() / 2;
                let (pairs, stars) = expand(signed, &self.pass, &met.groups, &near, &id_rank(), self.job.max_family, memory)?;
                let listed = Pairs { store, rows: &pairs };
                let passages = self.job.passages.then(|| passages::find(signed, &self.pass, listed, self.watch)).transpose()?;
                Found::listed(pairs, stars, passages, near_misses)
            }
        };
        found.capped = meeting.arranged.capped;
        found.near_misses.effort.proposed += meeting.arranged.proposed;
        Ok(found)
    }

    fn tables<'t>(&self, names: &'t Names<'t>, results: &'t Results<'t>, found: &'t Found) -> Vec<(&'static str, Box<dyn Table + 't>)> {
        let verified = self.job.scheme.is_verified();
        let table: Box<dyn Table + 't> = match (&results.verdicts, &results.clusters) {
            (Some(verdicts), Some(clusters)) => Box::new(ClusterRows { names, verdicts, clusters }),
            (Some(verdicts), None) => Box::new(Decisions { names, verdicts, verified }),
            _ => Box::new(PairRows { names, pairs: results.pairs, verified }),
        };
        let passages = found.passages.as_ref().map(|rows| PassageRows { names, pairs: results.pairs, rows });
        let passages = passages.map(|table| ("passages", Box::new(table) as Box<dyn Table + 't>));
        std::iter::once((self.job.verb.table(), table)).chain(passages).collect()
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
        let pairs = (self.job.verb == Verb::Pairs).then_some(found.pairs.len());
        let (counts, listed) = summary::counts(names, &self.pass, found, verdicts, pairs)?;
        let ids = |documents: &[u32]| documents.iter().map(|&document| names.ids.get(document).into_owned()).collect();
        Ok(Summary {
            neardup: env!("CARGO_PKG_VERSION"),
            unicode: neardup_text::UNICODE_VERSION,
            verb: self.job.verb.name(),
            command: self.job.command.clone(),
            scheme: self.job.scheme.seal()?.to_string(),
            notes: self.job.scheme.notes(),
            keep: Keep::of(&self.job).name(),
            verified: self.job.scheme.is_verified(),
            digest,
            lexicon: self.pass.weigher.lexicon().map(|lexicon| lexicon.digest().to_owned()),
            counts,
            clusters: groups.map(summary::table),
            inputs: summary::inputs(names, verdicts),
            sketch_bytes: names.signed.segments.iter().map(|(_, segment)| segment.sketch_bytes() as u64).sum(),
            phases: self.phases(),
            cap: self.pass.cap,
            capped: found.capped.clone(),
            stars: found.stars.iter().map(|star| (names.ids.get(star.first).into_owned(), star.size)).collect(),
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

/// What a verb found, as it is written and shown.
struct Results<'a> {
    verdicts: Option<Verdicts>,
    clusters: Option<Clusters>,
    pairs: Pairs<'a>,
}

fn digest(names: &Names<'_>, order: &[u32], results: &Results<'_>) -> Result<String> {
    match (&results.verdicts, &results.clusters) {
        (Some(verdicts), Some(clusters)) => Ok(digest::clusters(names, order, verdicts, clusters)),
        (Some(verdicts), None) => Ok(digest::decisions(names, order, verdicts)),
        _ => digest::pairs(names.ids, results.pairs),
    }
}
