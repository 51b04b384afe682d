//! Evidence: the passages of the pairs of a finished run, found on demand.
//!
//! The documents are read again, but not signed. The results of the run contain its scheme and its pairs.

use crate::Result;
use crate::checkpoint::identity;
use crate::checkpoint::ledger::{self, Ledger};
use crate::checkpoint::output::{Output, RUN};
use crate::checkpoint::stage::LedgerStage;
use crate::checkpoint::work_folder::at_work;
use crate::documents::names::DocumentNames;
use crate::findings::pairs::{PairRow, StoredPairs};
use crate::findings::passages::{self, PassageRows};
use crate::finished::lines::{self, EvidenceLines};
use crate::finished::rows::chosen;
use crate::finished::{Finished, PairChoice};
use crate::job::Job;
use crate::job::given::given;
use crate::job::outcome::Outcome;
use crate::pipeline::passes::compiled;
use crate::progress::{PhaseTime, ProgressUnit, Watch};
use crate::resources::budget::Budget;
use crate::results::digest;
use crate::results::reading_summary::ReadingSummary;
use crate::results::summary::RunVersion;
use crate::signing::inputs::{Inputs, all_sources};
use crate::signing::sign;
use crate::signing::worker::TextTask;
use crate::tables::names::TableNames;
use crate::tables::table::{Table, gather};
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::util::store::List;
use neardup_disk::owned::refuse_inputs;
use serde::Serialize;
use std::path::Path;

const PASSAGES: &str = "passages";

/// The content of `run.json` for evidence.
#[derive(Serialize)]
struct EvidenceSummary {
    neardup: &'static str,
    #[serde(flatten)]
    version: RunVersion,
    verb: &'static str,
    command: Option<String>,
    run: String,
    scheme: String,
    verified: bool,
    digest: String,
    counts: EvidenceCounts,
    phases: Vec<PhaseTime>,
}

/// Totals.
#[derive(Clone, Copy, Serialize)]
struct EvidenceCounts {
    /// Number of documents that were read.
    documents: u64,
    /// Number of pairs that were chosen.
    pairs: u64,
    /// Number of their passages.
    passages: u64,
}

/// Finds the passages of the chosen pairs of the run in `folder`. `job` says how its documents are read, and by which scheme
/// they were compared. With `texts`, also writes the text of the passages and the differences.
///
/// # Errors
/// [`crate::Error::Usage`] if the folder contains no run of `dedup`, `cluster` or `pairs`, if the run cannot answer the choice,
/// or if the documents are not those of the run.
pub fn evidence(folder: &Path, mut job: Job<'_>, choice: &PairChoice, texts: bool, watch: &Watch) -> Result<Outcome> {
    let run = Finished::open(folder)?;
    if let Some(output) = &job.options.output {
        refuse_inputs(output, [folder])?;
        job.refuse_to_replace(output)?;
    }
    choice.check(&run)?;
    job.scheme = job.scheme.without_secrets();
    let passes: Vec<CompiledPass> = job.scheme.passes().iter().map(|pass| compiled(&job, pass, None)).collect::<Result<_>>()?;
    job.fields.given = given(&passes)?;
    let (output, overwrite, threads) = (job.options.output.clone(), job.options.overwrite, job.threads);
    let asked = EvidenceRequest { run, job, passes, choice, texts, watch };
    at_work(output.as_deref(), overwrite, threads, |work, output| asked.go(work, output))
}

struct EvidenceRequest<'a, 'j> {
    run: Finished,
    job: Job<'j>,
    passes: Vec<CompiledPass>,
    choice: &'a PairChoice,
    texts: bool,
    watch: &'a Watch,
}

impl EvidenceRequest<'_, '_> {
    fn go(mut self, work: &Path, output: Option<&Output>) -> Result<Outcome> {
        let budget = Budget::new(self.job.memory, self.job.threads, self.job.most_threads)?;
        let (sources, against) = all_sources(&self.job, Some(work), self.watch)?;
        // The finished run has already reported missing fields.
        self.job.fields.may_lack = true;
        let are_kept = self.run.reading.are_kept;
        let inputs = Inputs {
            sources: &sources.sources,
            against: &against.sources,
            work,
            are_kept,
            forecast: None,
            only: None,
            finds_responses: true,
        };
        let key = identity::key(&self.job, &self.passes, &sources.sources, &against.sources)?;
        let key = key.map(|key| format!("{key} of {}: {:?} {}", self.run.digest, self.choice, self.texts));
        if let Some(summary) = ledger::ended(key.as_deref(), work, output) {
            return Ok(Outcome { summary, tables: Vec::new() });
        }
        let stages = vec![LedgerStage::Signed(0), LedgerStage::Chosen, LedgerStage::Found(0), LedgerStage::Written];
        let (ledger, store) = Ledger::open(key, stages, work, self.watch)?;
        let mut signed = sign::signed(&mut self.job, &TextTask::Note, None, &inputs, &store, &ledger, self.watch)?;
        let budget = budget.beside(signed.len(), signed.catalogue.id_bytes())?;
        self.run.reading.check(&ReadingSummary::of(&self.job, &signed)?)?;
        // Files may have moved since the run; ids contain their names at that time.
        signed.catalogue.sources.clone_from(&self.run.reading.sources);
        let DocumentNames { source_of, rows, ids, order } = signed.document_names(self.job.skips())?;
        let against = self.job.against.is_some();
        let passes = self.passes.len();
        let decides = self.passes.iter().any(|pass| pass.deciding().is_some());
        let documents = signed.listed();
        let names = TableNames {
            signed: &signed,
            ids: &ids,
            source_of: &source_of,
            rows: &rows,
            documents,
            against,
            decides,
            passes,
            has_urls: false,
            has_archives: false,
            has_levels: false,
        };
        let room = budget.room() / 2;
        let listed: List<PairRow> =
            ledger.once(LedgerStage::Chosen, &store, || chosen(&self.run, self.choice, &names, &order, &store, room))?;
        let pairs = StoredPairs { store: &store, rows: &listed };
        signed.check_pairs(pairs, &self.passes, budget)?;
        let found: List<passages::PassageRow> = ledger.once(LedgerStage::Found(0), &store, || {
            let journal = ledger.journal(LedgerStage::Found(0), "blocks of pairs".to_owned(), &store)?;
            passages::find(&signed, &self.passes, pairs, room, &journal, self.watch)
        })?;
        let table = PassageRows { names: &names, pairs, rows: &found };
        let counts = EvidenceCounts { documents: signed.len() as u64, pairs: pairs.len() as u64, passages: found.len() as u64 };
        let Some(output) = output else {
            let summary = self.summary(digest::passages(&table)?, counts);
            return Ok(Outcome { summary, tables: vec![(PASSAGES, table.schema(), gather(&table)?)] });
        };
        let digest = ledger.once(LedgerStage::Written, &store, || {
            output.clear()?;
            self.watch.phase("write", pairs.len() as u64, ProgressUnit::Documents, || {
                output.table("passages.parquet", &table)?;
                if self.texts {
                    let journal = ledger.journal(LedgerStage::Written, "blocks of pairs".to_owned(), &store)?;
                    EvidenceLines { table: &table, passes: &self.passes, room, journal: &journal, watch: self.watch }.write(work)?;
                }
                digest::passages(&table)
            })
        })?;
        lines::put(work, output)?;
        let summary = self.summary(digest, counts);
        output.write(RUN, &summary)?;
        Ok(Outcome { summary, tables: Vec::new() })
    }

    fn summary(&self, digest: String, counts: EvidenceCounts) -> String {
        let summary = EvidenceSummary {
            neardup: env!("CARGO_PKG_VERSION"),
            version: RunVersion::current(),
            verb: "evidence",
            command: self.job.options.command.clone(),
            run: self.run.digest.clone(),
            scheme: self.run.scheme.clone(),
            verified: self.run.verified,
            digest,
            counts,
            phases: self.watch.phase_times(),
        };
        // A summary contains only strings and numbers, so serialisation cannot fail.
        serde_json::to_string_pretty(&summary).unwrap_or_default()
    }
}
