//! The summary of a run of `passages`: what `run.json` says.

use super::finder::SearchEffort;
use super::tables::RepeatTables;
use crate::Result;
use crate::documents::files::Files;
use crate::documents::records::{OtherCounts, RecordCounts};
use crate::job::Job;
use crate::progress::{PhaseTime, Watch};
use crate::signing::worker::TokenForm;
use neardup_core::Error as Core;
use neardup_core::util::ids::DocId;
use serde::Serialize;

/// Everything `run.json` says.
#[derive(Debug, Serialize)]
pub struct RepeatSummary {
    /// The version of neardup.
    pub neardup: &'static str,
    /// The Unicode version of the tokens.
    pub unicode: &'static str,
    /// passages.
    pub verb: &'static str,
    /// How the run was asked for.
    pub command: Option<String>,
    /// What a token is.
    pub unit: &'static str,
    /// Tokens of the shortest passage.
    pub tokens: usize,
    /// Into which pieces texts are cut.
    pub cut: &'static str,
    /// A document that was cut to fewer tokens goes.
    pub least: usize,
    /// The digest of the result.
    pub digest: String,
    /// What became of the files.
    pub files: Files,
    /// What became of the records.
    pub records: RecordCounts,
    /// Totals.
    pub counts: RepeatCounts,
    /// What was looked at.
    pub effort: SearchEffort,
    /// Inputs, in order.
    pub inputs: Vec<RepeatInput>,
    /// Bytes of the work file when all was found.
    pub work_bytes: u64,
    /// Time and rate of every phase.
    pub phases: Vec<PhaseTime>,
}

/// Totals of a run.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct RepeatCounts {
    /// Documents of the input.
    pub documents: u64,
    /// Their tokens.
    pub tokens: u64,
    /// Distinct repeated passages.
    pub repeated: u64,
    /// Passages at later places.
    pub passages: u64,
    /// Tokens in them, each counted once.
    pub repeated_tokens: u64,
    /// Documents with a passage at a later place.
    pub repeated_documents: u64,
    /// Runs of text that are cut.
    pub removed: u64,
    /// Their tokens.
    pub removed_tokens: u64,
    /// Their bytes of UTF-8.
    pub removed_bytes: u64,
    /// Documents that are cut and stay.
    pub cut: u64,
    /// Documents that go as a whole.
    pub dropped: u64,
    /// Documents that stay.
    pub kept: u64,
    /// Records that could not be used.
    pub rejected: u64,
}

/// One input.
#[derive(Clone, Debug, Serialize)]
pub struct RepeatInput {
    /// Its name, as shown.
    pub name: String,
    /// Documents read from it.
    pub documents: u64,
    /// Documents of it that are cut and stay.
    pub cut: u64,
    /// Documents of it that stay.
    pub kept: u64,
    /// Records of it that cannot be used.
    pub rejected: u64,
    /// Records of it that are no documents.
    pub passed_over: u64,
}

impl RepeatSummary {
    /// Sums up a run.
    pub fn new(
        job: &Job<'_>,
        files: &Files,
        tokens: TokenForm,
        n: usize,
        tables: &RepeatTables<'_>,
        digest: String,
        watch: &Watch,
    ) -> Result<Self> {
        Ok(RepeatSummary {
            neardup: env!("CARGO_PKG_VERSION"),
            unicode: neardup_text::UNICODE_VERSION,
            verb: job.verb.name(),
            command: job.options.command.clone(),
            unit: tokens.unit.name(),
            tokens: n,
            cut: job.options.cut.name(),
            least: job.options.least,
            digest,
            files: files.clone(),
            records: RecordCounts::of(tables.names.signed),
            counts: counts(tables)?,
            effort: tables.found.effort,
            inputs: inputs(tables)?,
            work_bytes: tables.store.len(),
            phases: watch.phase_times(),
        })
    }

    /// The text of `run.json`.
    pub fn to_json(&self) -> String {
        // Strings and numbers only: nothing in a summary can fail to be written.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

fn counts(tables: &RepeatTables<'_>) -> Result<RepeatCounts> {
    let found = tables.found;
    let documents = tables.names.documents.len() as u64;
    let mut counts = RepeatCounts {
        documents,
        tokens: found.tokens,
        repeated: found.repeated.len() as u64,
        passages: found.passages.len() as u64,
        repeated_tokens: found.repeated_tokens,
        repeated_documents: found.repeated_documents,
        removed: found.gaps.len() as u64,
        kept: documents,
        rejected: tables.names.signed.rejects.len() as u64,
        ..RepeatCounts::default()
    };
    for change in found.changes.values(tables.store) {
        let goes = u64::from(change.map_err(Core::from)?.goes);
        counts.dropped += goes;
        counts.kept -= goes;
        counts.cut += 1 - goes;
    }
    for gap in found.gaps.values(tables.store) {
        let gap = gap.map_err(Core::from)?;
        counts.removed_tokens += u64::from(gap.tokens);
        counts.removed_bytes += u64::from(gap.span[1] - gap.span[0]);
    }
    Ok(counts)
}

fn inputs(tables: &RepeatTables<'_>) -> Result<Vec<RepeatInput>> {
    let names = tables.names;
    let fresh = |(name, others): (&String, OtherCounts)| {
        let OtherCounts { rejected, passed_over } = others;
        RepeatInput { name: name.clone(), documents: 0, cut: 0, kept: 0, rejected, passed_over }
    };
    let mut inputs: Vec<RepeatInput> = names.signed.catalogue.sources.iter().zip(names.signed.others()).map(fresh).collect();
    let source = |document: DocId| names.source_of[document.index()] as usize;
    for &document in &names.documents {
        inputs[source(document)].documents += 1;
        inputs[source(document)].kept += 1;
    }
    for change in tables.found.changes.values(tables.store) {
        let change = change.map_err(Core::from)?;
        let input = &mut inputs[source(change.document)];
        if change.goes == 1 { input.kept -= 1 } else { input.cut += 1 }
    }
    Ok(inputs)
}
