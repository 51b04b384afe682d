//! The summary of a `passages` run, as `run.json` stores it.

use super::finder::SearchEffort;
use super::tables::RepeatTables;
use crate::Result;
use crate::documents::files::Files;
use crate::documents::records::{OtherCounts, RecordCounts};
use crate::job::Job;
use crate::progress::{PhaseTime, Watch};
use crate::results::reading_summary::paths;
use crate::results::summary::RunVersion;
use crate::signing::worker::TokenForm;
use neardup_core::Error as Core;
use neardup_core::util::ids::DocId;
use serde::Serialize;

/// Contents of `run.json`.
#[derive(Debug, Serialize)]
pub struct RepeatSummary {
    /// Version of neardup.
    pub neardup: &'static str,
    /// Version of the tokens.
    #[serde(flatten)]
    pub version: RunVersion,
    /// The verb: passages.
    pub verb: &'static str,
    /// The command of the run.
    pub command: Option<String>,
    /// Unit of the tokens.
    pub unit: &'static str,
    /// Number of tokens of the shortest passage.
    pub tokens: usize,
    /// Kind of the pieces that are cut.
    pub cut: &'static str,
    /// A cut document with fewer tokens than this is dropped.
    pub least: usize,
    /// Digest of the result.
    pub digest: String,
    /// The reference, as it was given; `None` if there is none or it is in memory.
    pub against: Option<Vec<String>>,
    /// Whether only passages with their original in the reference count.
    pub only_against: bool,
    /// Files that were read, and files that were not.
    pub files: Files,
    /// Counts of the records.
    pub records: RecordCounts,
    /// Totals.
    pub counts: RepeatCounts,
    /// Effort of the search.
    pub effort: SearchEffort,
    /// Notes on the fields that were named.
    pub notes: Vec<String>,
    /// Counts of each input, in order.
    pub inputs: Vec<RepeatInput>,
    /// Bytes of the work file at the end of the search.
    pub work_bytes: u64,
    /// Time and rate of every phase.
    pub phases: Vec<PhaseTime>,
}

/// Totals of a run.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct RepeatCounts {
    /// Number of input documents.
    pub documents: u64,
    /// Number of documents of the reference.
    pub reference: u64,
    /// Number of the input's tokens.
    pub tokens: u64,
    /// Number of distinct repeated passages.
    pub repeated: u64,
    /// Number of passages at later places.
    pub passages: u64,
    /// Number of tokens in these passages, each counted once.
    pub repeated_tokens: u64,
    /// Number of documents with a passage at a later place.
    pub repeated_documents: u64,
    /// Number of runs of text that are removed.
    pub removed: u64,
    /// Number of tokens in these runs.
    pub removed_tokens: u64,
    /// Number of bytes of UTF-8 in these runs.
    pub removed_bytes: u64,
    /// Number of documents that are cut and kept.
    pub cut: u64,
    /// Number of documents that are dropped as a whole.
    pub dropped: u64,
    /// Number of documents that are kept.
    pub kept: u64,
    /// Number of records that could not be used.
    pub rejected: u64,
}

/// Counts of one input.
#[derive(Clone, Debug, Serialize)]
pub struct RepeatInput {
    /// Its name, as shown.
    pub name: String,
    /// Number of documents read from it.
    pub documents: u64,
    /// Number of its documents that are cut and kept.
    pub cut: u64,
    /// Number of its documents that are kept.
    pub kept: u64,
    /// Number of its records that could not be used.
    pub rejected: u64,
    /// Number of its records that are not documents.
    pub passed_over: u64,
}

impl RepeatSummary {
    /// Creates the summary of a run.
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
            version: RunVersion::current(),
            verb: job.verb.name(),
            command: job.options.command.clone(),
            unit: tokens.rules.unit.name(),
            tokens: n,
            cut: job.options.cut.name(),
            least: job.options.least,
            digest,
            against: job.against.as_ref().and_then(paths),
            only_against: job.options.only_against,
            files: files.clone(),
            records: RecordCounts::of(tables.names.signed),
            counts: counts(tables)?,
            effort: tables.found.effort,
            notes: Vec::new(),
            inputs: inputs(tables)?,
            work_bytes: tables.store.len(),
            phases: watch.phase_times(),
        })
    }

    /// Returns the text of `run.json`.
    pub fn to_json(&self) -> String {
        // A summary consists of strings and numbers only, so serialisation cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

fn counts(tables: &RepeatTables<'_>) -> Result<RepeatCounts> {
    let found = tables.found;
    let signed = tables.names.signed;
    let documents = tables.names.documents.len() as u64;
    let mut counts = RepeatCounts {
        documents,
        reference: (signed.len() - signed.reference as usize) as u64,
        tokens: found.tokens,
        repeated: found.repeated.len() as u64,
        passages: found.passages.len() as u64,
        repeated_tokens: found.repeated_tokens,
        repeated_documents: found.repeated_documents,
        removed: found.gaps.len() as u64,
        kept: documents,
        rejected: signed.rejects.len() as u64,
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
