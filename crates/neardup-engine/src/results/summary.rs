//! The summary: what a run did, as `run.json` keeps it.

use crate::Result;
use crate::documents::files::Files;
use crate::documents::order::Keep;
use crate::documents::records::{OtherCounts, RecordCounts};
use crate::findings::decisions::DroppedDocuments;
use crate::findings::stored::Findings;
use crate::job::Job;
use crate::pipeline::pass_count::PassCount;
use crate::progress::PhaseTime;
use crate::results::capped_key::CappedKey;
use crate::results::cluster_table::ClusterTable;
use crate::results::reading_summary::ReadingSummary;
use crate::tables::names::TableNames;
use neardup_core::candidates::thin_samples::thin as thin_samples;
use neardup_core::certificate::Certificate;
use neardup_core::decide::effort::Effort;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::pass::rule::Rule;
use neardup_core::scheme::{self, Scheme};
use neardup_core::signing::ignored_keys::Ignored;
use neardup_core::util::ids::DocId;
use neardup_corpus::OnError;
use serde::Serialize;

/// How many documents without usable text, and with thin samples, are listed by id.
const LISTED: usize = 100;

/// Everything `run.json` says.
#[derive(Debug, Serialize)]
pub struct RunSummary {
    /// The version of neardup.
    pub neardup: &'static str,
    /// The Unicode version of the tokens.
    pub unicode: &'static str,
    /// dedup, cluster or pairs.
    pub verb: &'static str,
    /// How the run was asked for.
    pub command: Option<String>,
    /// The canonical scheme line.
    pub scheme: String,
    /// What a user of this scheme should know.
    pub notes: Vec<String>,
    /// Which document of a group is kept.
    pub keep: &'static str,
    /// Whether every pair was checked on its features.
    pub verified: bool,
    /// The digest of the result.
    pub digest: String,
    /// What each pass did.
    pub passes: Vec<PassCount>,
    /// What became of the files.
    pub files: Files,
    /// What became of the records.
    pub records: RecordCounts,
    /// Totals.
    pub counts: Counts,
    /// How much was compared; how the documents fell into batches makes a small difference.
    pub effort: Effort,
    /// Broder's table: of components in a run of `cluster`, else of leader groups.
    pub clusters: Option<ClusterTable>,
    /// Inputs, in order.
    pub inputs: Vec<InputCount>,
    /// Bytes of all keys and sketches, which are what a run keeps of the texts.
    pub sketch_bytes: u64,
    /// Bytes of the work file at the end.
    pub work_bytes: u64,
    /// Time and rate of every phase.
    pub phases: Vec<PhaseTime>,
    /// The estimated recall; None where nothing is compared.
    pub certificate: Option<Certificate>,
    /// Keys above the cap.
    pub capped: Vec<CappedKey>,
    /// Families of exact copies written as a star: the id of the first, and the size.
    pub stars: Vec<(String, usize)>,
    /// Families that share a key, compared with their first only: its id, and the size.
    pub starred_keys: Vec<(String, usize)>,
    /// The ids of the first documents without usable text.
    pub without_text: Vec<String>,
    /// The ids of the first documents whose samples are too small to estimate from.
    pub thin: Vec<String>,
    /// How the documents were read.
    pub reading: ReadingSummary,
}

/// Totals of a run.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Counts {
    /// Documents of the input.
    pub documents: u64,
    /// Documents that stay.
    pub kept: u64,
    /// Documents that go.
    pub dropped: u64,
    /// Dropped for equal bytes.
    pub identical: u64,
    /// Dropped for equal token sequences.
    pub lexical: u64,
    /// Dropped for equal feature sets.
    pub shingles: u64,
    /// Dropped for meeting the measure.
    pub near: u64,
    /// Pairs, when the run lists them.
    pub pairs: Option<u64>,
    /// Documents with no token at all; kept, unless their bytes equal another's.
    pub without_text: u64,
    /// Documents with tokens, and without any feature in the passes that compared them.
    pub without_features: u64,
    /// Documents shorter than one shingle.
    pub short: u64,
    /// Documents whose samples are too small to estimate from.
    pub thin_samples: u64,
    /// Records that could not be used.
    pub rejected: u64,
    /// Documents of the reference.
    pub reference: u64,
}

/// One input.
#[derive(Clone, Debug, Serialize)]
pub struct InputCount {
    /// Its name, as shown.
    pub name: String,
    /// Documents read from it.
    pub documents: u64,
    /// Documents of it that stay.
    pub kept: u64,
    /// Records of it that cannot be used.
    pub rejected: u64,
    /// Records of it that are no documents.
    pub passed_over: u64,
}

impl Keep {
    /// The policy of a job.
    pub fn of(job: &Job<'_>) -> Keep {
        job.options.keep.unwrap_or(if job.fields.time.is_some() { Keep::Earliest } else { Keep::First })
    }

    /// Its name in options.
    pub fn name(self) -> &'static str {
        match self {
            Keep::Earliest => "earliest",
            Keep::First => "first",
            Keep::Latest => "latest",
            Keep::Longest => "longest",
            Keep::Shortest => "shortest",
        }
    }
}

/// Documents that a summary lists, the first of each kind.
pub struct ListedDocuments {
    /// Without usable text.
    pub without_text: Vec<DocId>,
    /// With a sample that is too small to estimate from.
    pub thin: Vec<DocId>,
}

impl Counts {
    /// What they say of the answer, one sentence each.
    pub fn notes(&self, scheme: &Scheme) -> Vec<String> {
        self.note_of_features(scheme).into_iter().chain(self.note_of_short(scheme)).collect()
    }

    /// That many documents have nothing to be compared by, and what to change; None where at most one of a hundred has not.
    fn note_of_features(&self, scheme: &Scheme) -> Option<String> {
        let of_pass = |pass: &scheme::Pass| format!("`{}`: {}", pass.features(), pass.features().remedy());
        let mut remedies: Vec<String> = scheme.passes().iter().map(of_pass).collect();
        remedies.dedup();
        (self.without_features * 100 > self.documents).then(|| {
            format!(
                "{} of {} documents have text, and none of the features that are compared, so they are like no other ({})",
                self.without_features,
                self.documents,
                remedies.join("; ")
            )
        })
    }

    /// That texts shorter than a shingle are in no longer text, where a scheme asks for that; its first pass counts them.
    fn note_of_short(&self, scheme: &Scheme) -> Option<String> {
        let pass = &scheme.passes()[0];
        (self.short > 0 && pass.asks_for_containment()).then(|| {
            format!(
                "{} of {} documents are shorter than one feature of `{}`: no longer text is found to contain them (take shorter shingles)",
                self.short,
                self.documents,
                pass.features()
            )
        })
    }
}

/// How many documents have tokens and no feature in any pass that compared them; no pass signs what an earlier one dropped.
fn without_features(names: &TableNames<'_>, tokens: &[u32]) -> Result<usize> {
    let mut without: Vec<DocId> = names.documents.iter().copied().filter(|&document| tokens[document.index()] > 0).collect();
    for segments in &names.signed.segments {
        let features = segments.column(|segment| segment.features)?;
        without.retain(|&document| features[document.index()] == 0);
    }
    Ok(without.len())
}

/// Counts the documents of a run; `verdicts` is None where nothing was decided.
pub fn counts(
    names: &TableNames<'_>,
    passes: &[CompiledPass],
    found: &Findings,
    verdicts: Option<&DroppedDocuments>,
    pairs: Option<usize>,
) -> Result<(Counts, ListedDocuments)> {
    let (signed, input) = (names.signed, names.documents.len());
    let tokens = signed.segments[0].column(|segment| segment.tokens)?;
    let tokens_of = |document: &&DocId| tokens[document.index()] as usize;
    let without: Vec<DocId> = names.documents.iter().filter(|document| tokens_of(document) == 0).copied().collect();
    let without_features = without_features(names, &tokens)?;
    let short = names.documents.iter().filter(|document| (1..passes[0].features.tokens()).contains(&tokens_of(document))).count();
    let is_listed = |document: &DocId| names.documents.binary_search(document).is_ok();
    let mut thin = Vec::new();
    for ((pass, segments), capped) in passes.iter().zip(&signed.segments).zip(&found.capped) {
        thin.extend(thin_samples(segments, pass, &Ignored::new(pass, capped))?.into_iter().filter(is_listed));
    }
    thin.sort_unstable();
    thin.dedup();
    let mut counts = Counts {
        documents: input as u64,
        kept: input as u64,
        pairs: pairs.map(|count| count as u64),
        without_text: without.len() as u64,
        without_features: without_features as u64,
        short: short as u64,
        thin_samples: thin.len() as u64,
        rejected: signed.rejects.len() as u64,
        reference: (signed.len() - signed.reference as usize) as u64,
        ..Counts::default()
    };
    for dropped in verdicts.iter().flat_map(|verdicts| &verdicts.dropped) {
        counts.kept -= 1;
        counts.dropped += 1;
        *match dropped.rule {
            Rule::Identical => &mut counts.identical,
            Rule::Lexical => &mut counts.lexical,
            Rule::Shingles => &mut counts.shingles,
            Rule::Near => &mut counts.near,
        } += 1;
    }
    let first = |documents: Vec<DocId>| documents.into_iter().take(LISTED).collect();
    Ok((counts, ListedDocuments { without_text: first(without), thin: first(thin) }))
}

/// Documents of every input, and how many stay.
pub fn inputs(names: &TableNames<'_>, verdicts: Option<&DroppedDocuments>) -> Vec<InputCount> {
    let count = |(name, others): (&String, OtherCounts)| {
        let OtherCounts { rejected, passed_over } = others;
        InputCount { name: name.clone(), documents: 0, kept: 0, rejected, passed_over }
    };
    let mut inputs: Vec<InputCount> = names.signed.catalogue.sources.iter().zip(names.signed.others()).map(count).collect();
    let source = |document: DocId| names.source_of[document.index()] as usize;
    names.documents.iter().for_each(|&document| inputs[source(document)].documents += 1);
    inputs.iter_mut().for_each(|input| input.kept = input.documents);
    verdicts.iter().flat_map(|verdicts| &verdicts.dropped).for_each(|dropped| inputs[source(dropped.document)].kept -= 1);
    inputs
}

impl RunSummary {
    /// The text of `run.json`.
    pub fn to_json(&self) -> String {
        // Strings and numbers only: nothing in a summary can fail to be written.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

impl Job<'_> {
    /// Whether bad records are left out.
    pub fn skips(&self) -> bool {
        self.options.on_error == OnError::Skip
    }
}
