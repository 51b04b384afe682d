//! Repeated passages of a corpus: found completely, cut at sentence or line ends, one copy kept.
//!
//! [`RepeatedPassages`] is the run. It reads texts and chooses their anchors (sign), finds the shared anchors (arrange),
//! fingerprints the places of these, finds their originals, and reads those texts again for spans and cuts (passages). Then it
//! writes tables and kept files. [`neardup_core::repeated_passages`] describes the search.
//!
//! Each step is a stage of the ledger with a journal. A step asks for the result of the one before only if it is not done itself.
//! Spans carry a digest of their tokens. `ranks` compares the digests of a passage and its original, and refuses the run if they
//! differ. `job::passage_cuts` decides from one text alone what is cut: a piece is cut if it is in one passage and touches no
//! original.

mod blocks;
mod by_document;
mod connection;
mod digest;
mod find;
mod finder;
mod fingerprints;
mod found;
mod images;
mod kept;
mod locate;
mod page;
mod ranks;
mod summary;
pub(crate) mod tables;
mod token_counts;

use crate::checkpoint::file_state::FileStates;
use crate::checkpoint::identity;
use crate::checkpoint::ledger::{self, Ledger};
use crate::checkpoint::output::{Output, RUN};
use crate::checkpoint::stage::LedgerStage;
use crate::documents::files::Files;
use crate::documents::names::DocumentNames;
use crate::documents::signed::SignedCorpus;
use crate::job::Job;
use crate::job::outcome::Outcome;
use crate::progress::{ProgressUnit, Watch};
use crate::resources::budget::Budget;
use crate::resources::forecast::{DiskNeeds, Forecast};
use crate::resources::longest::beside_documents;
use crate::resources::threads::with_threads;
use crate::results::missing_fields::{self, Lacking};
use crate::signing::inputs::{Inputs, all_sources, unused_patterns};
use crate::signing::sign;
use crate::signing::worker::{TextTask, TokenForm};
use crate::tables::names::TableNames;
use crate::tables::table::{ROW, batch, gather, schema};
use crate::{Error, Result};
use arrow_array::{RecordBatch, StringArray, UInt64Array};
use arrow_schema::DataType;
use finder::Finder;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::repeated_passages::reference::PassageReference;
use neardup_core::util::ids::DocId;
use std::path::Path;
use std::sync::Arc;
use summary::RepeatSummary;
use tables::RepeatTables;

/// A run that finds repeated passages, to be started.
pub struct RepeatedPassages<'a, 'j> {
    /// The job.
    pub job: Job<'j>,
    /// The pass that says how texts are cut into tokens, and the number of tokens in an N-gram.
    pub passes: Vec<CompiledPass>,
    /// Receives the progress, and may stop the run.
    pub watch: &'a Watch,
}

impl RepeatedPassages<'_, '_> {
    /// Runs the job with the files of `work`. Writes the results to `output`, or returns them in memory.
    pub fn go(mut self, work: &Path, output: Option<&Output>) -> Result<Outcome> {
        let (watch, pass) = (self.watch, &self.passes[0]);
        let n = pass.features.tokens();
        let tokens = TokenForm { rules: pass.rules, seed: pass.seed };
        let budget = Budget::new(self.job.memory, self.job.threads, self.job.most_threads)?;
        let (input, reference) = all_sources(&self.job, Some(work), watch)?;
        let files = Files::of(&input, &reference);
        let unused = unused_patterns(&self.job, &input, &reference);
        let (sources, against) = (input.sources, reference.sources);
        missing_fields::refuse_fields(&self.job, sources.iter().chain(&against))?;
        let writes_kept = self.job.writes_kept();
        if writes_kept {
            kept::check(&self.job, &sources)?;
        }
        let at_rest = FileStates::of(sources.iter().chain(&against))?;
        let bytes = sources.iter().chain(&against).map(|source| source.bytes).sum();
        let kept_bytes = if writes_kept { sources.iter().map(|source| source.bytes).sum() } else { 0 };
        let takes = DiskNeeds { copies: kept_bytes, arranging: finder::arranging, unknown: Some("the repeated places"), index: None };
        let forecast = Forecast::new(budget, work, bytes, takes);
        let inputs = Inputs {
            sources: &sources,
            against: &against,
            work,
            are_kept: writes_kept,
            forecast: Some(&forecast),
            only: None,
            finds_responses: true,
        };
        let key = identity::key(&self.job, &self.passes, &sources, &against)?;
        if let Some(summary) = ledger::ended(key.as_deref(), work, output) {
            return Ok(Outcome { summary, tables: Vec::new() });
        }
        let (ledger, store) = Ledger::open(key, LedgerStage::of_repeats(), work, watch)?;
        let mut signed = sign::signed(&mut self.job, &TextTask::Anchor(tokens, n), None, &inputs, &store, &ledger, watch)?;
        at_rest.check()?;
        let (lacking, all) = (Lacking::of(&signed, &self.job.fields, None)?, sources.iter().chain(&against));
        let mut notes = missing_fields::notes(&self.job.fields, None, self.job.options.main_content, &lacking, all)?;
        notes.extend(unused);
        notes.extend(ledger.note.clone());
        if !ledger.is_done(LedgerStage::Arranged(0)) {
            forecast.settle(&signed, None)?;
        }
        let (budget, threads) = beside_documents(&signed, budget, self.job.threads, &[])?;
        with_threads(threads, || {
            let DocumentNames { source_of, rows, ids, .. } = signed.document_names(self.job.skips())?;
            let reference = PassageReference { first: DocId(signed.reference), has_all_originals: self.job.options.only_against };
            let finder = Finder { signed: &signed, reference, tokens, n, budget, forecast: &forecast, ledger: &ledger, watch };
            let found = finder.found(self.job.cutting())?;
            let names = TableNames {
                signed: &signed,
                ids: &ids,
                source_of: &source_of,
                rows: &rows,
                documents: signed.listed(),
                against: self.job.against.is_some(),
                decides: false,
                passes: 1,
                has_urls: false,
                has_archives: false,
                has_levels: false,
            };
            let tables = RepeatTables { names: &names, store: &store, found: &found };
            let digest = || digest::digest(&tables);
            let summary = |digest| {
                Ok::<_, Error>(RepeatSummary { notes, ..RepeatSummary::new(&self.job, &files, tokens, n, &tables, digest, watch)? })
            };
            let Some(output) = output else {
                at_rest.check()?;
                let summary = summary(digest()?)?;
                let all = tables.all();
                let made = all.iter().map(|(name, table)| Ok((*name, table.schema(), gather(&**table)?)));
                let mut tables = made.collect::<Result<Vec<_>>>()?;
                let rejects = rejects(&signed)?;
                tables.push(("rejects", rejects.schema(), vec![rejects]));
                return Ok(Outcome { summary: summary.to_json(), tables });
            };
            let digest = ledger.once(LedgerStage::Written, &store, || {
                output.clear()?;
                watch.phase("write", kept_bytes, ProgressUnit::Bytes, || {
                    if writes_kept {
                        kept::write(&self.job, &tables, &sources, &output.tree("kept")?, watch)?;
                    }
                    tables.all().iter().try_for_each(|(name, table)| output.table(&format!("{name}.parquet"), &**table))?;
                    digest()
                })
            })?;
            let mut summary = summary(digest)?;
            watch.phase("report", 0, ProgressUnit::Documents, || output.write("report.html", &page::page(&tables, &summary)?))?;
            if !signed.rejects.is_empty() {
                neardup_corpus::write_rejects(&output.file("rejects.jsonl")?, &signed.rejects)?;
            }
            at_rest.check()?;
            summary.phases = watch.phase_times();
            let summary = summary.to_json();
            output.write(RUN, &summary)?;
            Ok(Outcome { summary, tables: Vec::new() })
        })
    }
}

/// Returns the rows of the records of the input that could not be used, for a caller that keeps the others and has no file with the rejects.
fn rejects(signed: &SignedCorpus) -> Result<RecordBatch> {
    let rejects = signed.input_rejects();
    let rows: UInt64Array = rejects.iter().map(|reject| reject.row).collect::<Vec<u64>>().into();
    let sources: StringArray = rejects.iter().map(|reject| Some(reject.source.as_str())).collect();
    let columns = [("source", DataType::Utf8, false), (ROW, DataType::UInt64, false)];
    batch(schema(&columns, &[]), vec![Arc::new(sources), Arc::new(rows)])
}
