//! A run, from inputs to results.

use crate::budget::Budget;
use crate::clusters::Clusters;
use crate::found::Found;
use crate::job::{Job, Verb};
use crate::leader_groups::LeaderGroups;
use crate::ledger::{Ledger, Stage};
use crate::order::Keep;
use crate::output::{Output, RUN};
use crate::pairs::Pairs;
use crate::pass_count::{CappedIn, PassCount};
use crate::passages::PassageRows;
use crate::passes::Passes;
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
    /// The result tables in memory, when there is no output folder: decisions, clusters, or pairs and passages.
    pub tables: Vec<(&'static str, SchemaRef, Vec<RecordBatch>)>,
}

/// Runs a job; `watch` may be looked at, and told to stop, from another thread.
pub fn run(mut job: Job<'_>, watch: &Watch) -> Result<Outcome> {
    let threads =
        rayon::ThreadPoolBuilder::new().num_threads(job.threads).build().map_err(|error| Error::Usage(format!("threads: {error}")))?;
    let passes: Vec<Pass> = job.scheme.passes().iter().map(|pass| lexicons::compiled_for(pass, None)).collect::<Result<_>>()?;
    job.fields.given = given(&passes)?;
    let Some(target) = job.output.clone() else {
        let folder = tempfile::tempdir().map_err(|error| Error::file(&std::env::temp_dir(), "make a work folder")(error))?;
        return threads.install(|| Run { job, passes, watch }.go(folder.path(), None));
    };
    let output = Output::open(&target, job.overwrite)?;
    let work = output.work()?;
    let outcome = threads.install(|| Run { job, passes, watch }.go(&work, Some(&output))).map_err(|error| error.at(&work))?;
    output.finish()?;
    Ok(outcome)
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
            self.passes[0] = lexicons::compiled_for(&self.job.scheme.passes()[0], Some(&counted.lexicon))?;
        }
        let terms = self.passes.iter().filter_map(|pass| pass.weigher.lexicon()).map(|lexicon| lexicon.terms().len()).sum();
        let budget = budget.beside_terms(terms)?;
        let mut signed = sign::signed(&mut self.job, &self.passes[0], counted, &inputs, &store, &ledger, self.watch)?;
        let budget = budget.beside(signed.len(), signed.catalogue.id_bytes())?;
        let (source_of, rows) = (Arc::new(signed.catalogue.source_of()?), Arc::new(signed.catalogue.rows()?));
        let ids = signed.catalogue.ids(&source_of, &rows)?;
        let order = ids.order();
        signed.set_aside_repeated(&ids, &order, self.job.skips())?;
        let mut passes =
            Passes { job: &self.job, compiled: &mut self.passes, signed: &mut signed, order: &order, ledger: &ledger, watch: self.watch };
        let found = passes.run(budget)?;
        let decides = self.job.verb != Verb::Pairs;
        let verdicts = found.verdicts(&store, signed.len())?;
        let results = Results {
            passes: PassCount::all(&self.passes, signed.listed().len(), &verdicts, decides),
            verdicts: decides.then_some(verdicts),
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
        let verified: Vec<bool> = self.job.scheme.passes().iter().map(scheme::Pass::is_verified).collect();
        let tables = self.tables(&names, &results, &found, &verified);
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
                for (number, pass) in self.passes.iter().enumerate() {
                    let counts = lexicons::to_count(&self.job.scheme.passes()[number])?.is_some();
                    if let Some(lexicon) = pass.weigher.lexicon().filter(|_| counts) {
                        lexicons::write(&output.path(&lexicons::file(number)), lexicon)?;
                    }
                }
                let (copies, (tables, digest)) = rayon::join(copies, || rayon::join(tables, || digest(&names, &order, &results)));
                copies.and(tables).and(digest)
            })
        })?;
        let mut summary = self.summary(&names, &found, &results, groups.as_ref(), digest)?;
        self.watch.phase("report", 0, Unit::Documents, || {
            let page = evidence::page(&self.job, &self.passes, &names, groups.as_ref(), results.pairs, &found.near_misses, &summary)?;
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

    fn tables<'t>(
        &self,
        names: &'t Names<'t>,
        results: &'t Results<'t>,
        found: &'t Found,
        verified: &'t [bool],
    ) -> Vec<(&'static str, Box<dyn Table + 't>)> {
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
        let (counts, listed) = summary::counts(names, &self.passes, &found.capped, verdicts, pairs)?;
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
            passes: results.passes.clone(),
            counts,
            clusters: groups.map(summary::table),
            inputs: summary::inputs(names, verdicts),
            sketch_bytes: names.signed.segments.iter().flat_map(Segments::iter).map(|(_, segment)| segment.sketch_bytes() as u64).sum(),
            phases: self.phases(),
            capped: CappedIn::all(&found.capped),
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
    passes: Vec<PassCount>,
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
