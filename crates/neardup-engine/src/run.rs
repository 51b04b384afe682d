//! A run, from inputs to results.

use crate::clusters::Clusters;
use crate::job::{Job, Verb};
use crate::order::{Keep, positions};
use crate::output::{Output, RUN};
use crate::pairs::{Scored, Star, expand};
use crate::pipeline::{Met, NearMisses};
use crate::signed::Signed;
use crate::summary::{self, Summary};
use crate::tables::{ClusterRows, Decisions, Names, PairRows, Table, gather};
use crate::verdicts::Verdicts;
use crate::watch::{PhaseTime, Unit, Watch};
use crate::{Error, Result, digest, evidence, resume, sign, writing};
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use neardup_core::buckets::Capped;
use neardup_core::compile::compile;
use neardup_core::pass::Pass;
use neardup_corpus::{Source, check_targets};
use std::path::Path;

/// What a run leaves.
pub struct Outcome {
    /// The text of `run.json`.
    pub summary: String,
    /// The result table in memory, when there is no output folder: decisions, clusters or pairs.
    pub table: Option<(SchemaRef, Vec<RecordBatch>)>,
}

/// Runs a job; `watch` may be looked at, and told to stop, from another thread.
pub fn run(job: Job<'_>, watch: &Watch) -> Result<Outcome> {
    let threads =
        rayon::ThreadPoolBuilder::new().num_threads(job.threads).build().map_err(|error| Error::Usage(format!("threads: {error}")))?;
    let pass = compile(&job.scheme)?;
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

struct Run<'a, 'j> {
    job: Job<'j>,
    pass: Pass,
    watch: &'a Watch,
}

/// What a verb found.
#[derive(Default)]
struct Found {
    verdicts: Option<Verdicts>,
    clusters: Option<Clusters>,
    pairs: Vec<Scored>,
    stars: Vec<Star>,
    near_misses: NearMisses,
    capped: Vec<Capped>,
}

impl Run<'_, '_> {
    fn go(mut self, work: &Path, output: Option<&Output>) -> Result<Outcome> {
        let sources = sign::sources(&self.job.input, &self.job, work, self.watch)?;
        let against =
            self.job.against.as_ref().map(|input| sign::sources(input, &self.job, work, self.watch)).transpose()?.unwrap_or_default();
        let writes_kept = output.is_some() && self.job.kept && self.job.verb == Verb::Dedup;
        if writes_kept {
            check_targets(&sources)?;
        }
        let mut signed = resume::signed(&mut self.job, &self.pass, &sources, &against, work, self.watch)?;
        let ids = signed.catalogue.ids()?;
        signed.set_aside_repeated(&ids, self.job.skips())?;
        let order = ids.order();
        let found = self.find(&signed, &order)?;
        let (source_of, rows) = (signed.catalogue.source_of()?, signed.catalogue.rows()?);
        let names = Names {
            signed: &signed,
            ids: &ids,
            source_of: &source_of,
            rows: &rows,
            documents: signed.listed(),
            against: self.job.against.is_some(),
        };
        let table = self.table(&names, &found);
        let Some(output) = output else {
            let summary = self.summary(&names, &found, self.digest(&names, &order, &found))?;
            return Ok(Outcome { summary: summary.to_json(), table: Some((table.schema(), gather(&*table)?)) });
        };
        let written = found.verdicts.as_ref().filter(|_| writes_kept);
        let bytes = written.map_or(0, |_| sources.iter().map(|source| source.bytes).sum());
        let digest = self.watch.phase("write", bytes, Unit::Bytes, || {
            let copies = || written.map_or(Ok(()), |verdicts| self.keep(&signed, verdicts, &source_of, &sources, output));
            let tables = || output.table(&format!("{}.parquet", self.job.verb.table()), &*table);
            let (copies, (tables, digest)) = rayon::join(copies, || rayon::join(tables, || self.digest(&names, &order, &found)));
            copies.and(tables).map(|()| digest)
        })?;
        let mut summary = self.summary(&names, &found, digest)?;
        self.watch.phase("report", 0, Unit::Documents, || {
            let page = evidence::page(&self.job, &self.pass, &names, found.verdicts.as_ref(), &found.pairs, &found.near_misses, &summary)?;
            output.write("report.html", &page)
        })?;
        if !signed.rejects.is_empty() {
            neardup_corpus::write_rejects(&output.path("rejects.jsonl"), &signed.rejects)?;
        }
        summary.phases = self.phases();
        let summary = summary.to_json();
        output.write(RUN, &summary)?;
        Ok(Outcome { summary, table: None })
    }

    fn find(&self, signed: &Signed, order: &[u32]) -> Result<Found> {
        let id_rank = || {
            let mut rank = vec![0; order.len()];
            (0..).zip(order).for_each(|(place, &document)| rank[document as usize] = place);
            rank
        };
        let prefers = self.job.fields.prefer.is_some();
        let positions = positions(Keep::of(&self.job), &signed.catalogue, &signed.segments, &id_rank, signed.reference, prefers)?;
        let (met, buckets) = Met::new(signed, &self.pass, positions.as_deref(), self.job.memory, self.watch)?;
        let found = match self.job.verb {
            Verb::Dedup => {
                let (verdicts, near_misses) = met.lead(buckets)?;
                Found { verdicts: Some(verdicts), near_misses, ..Found::default() }
            }
            Verb::Cluster => {
                let (verdicts, clusters, near_misses) = met.cluster(buckets, &id_rank())?;
                Found { verdicts: Some(verdicts), clusters: Some(clusters), near_misses, ..Found::default() }
            }
            Verb::Pairs => {
                let (near, near_misses) = met.score(buckets, self.job.max_family)?;
                let (pairs, stars) = expand(signed, &self.pass, &met.groups, &near, &id_rank(), self.job.max_family)?;
                Found { pairs, stars, near_misses, ..Found::default() }
            }
        };
        Ok(Found { capped: met.capped, ..found })
    }

    fn table<'t>(&self, names: &'t Names<'t>, found: &'t Found) -> Box<dyn Table + 't> {
        let verified = self.job.scheme.is_verified();
        match (&found.verdicts, &found.clusters) {
            (Some(verdicts), Some(clusters)) => Box::new(ClusterRows { names, verdicts, clusters }),
            (Some(verdicts), None) => Box::new(Decisions { names, verdicts, verified }),
            _ => Box::new(PairRows { names, pairs: &found.pairs, verified }),
        }
    }

    fn digest(&self, names: &Names<'_>, order: &[u32], found: &Found) -> String {
        match (&found.verdicts, &found.clusters) {
            (Some(verdicts), Some(clusters)) => digest::clusters(names, order, verdicts, clusters),
            (Some(verdicts), None) => digest::decisions(names, order, verdicts),
            _ => digest::pairs(names.ids, &found.pairs),
        }
    }

    fn summary(&self, names: &Names<'_>, found: &Found, digest: String) -> Result<Summary> {
        let verdicts = found.verdicts.as_ref();
        let pairs = (self.job.verb == Verb::Pairs).then_some(found.pairs.len());
        let (counts, without) = summary::counts(names, &self.pass, verdicts, pairs)?;
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
            counts,
            clusters: verdicts.map(summary::table),
            inputs: summary::inputs(names, verdicts),
            phases: self.phases(),
            capped: found.capped.clone(),
            stars: found.stars.iter().map(|star| (names.ids.get(star.first).into_owned(), star.size)).collect(),
            without_text: without.into_iter().map(|document| names.ids.get(document).into_owned()).collect(),
        })
    }

    fn phases(&self) -> Vec<PhaseTime> {
        self.watch.phases().iter().map(PhaseTime::from).collect()
    }

    fn keep(&self, signed: &Signed, verdicts: &Verdicts, source_of: &[u32], sources: &[Source], output: &Output) -> Result<()> {
        writing::keep_sources(signed, verdicts, source_of, sources, &output.path("kept"), self.job.threads, self.watch)
    }
}
