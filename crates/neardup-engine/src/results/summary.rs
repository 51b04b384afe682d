//! The summary of a run, as `run.json` stores it.

use crate::Result;
use crate::digests::row_sum::DIGEST_VERSION;
use crate::documents::files::Files;
use crate::documents::records::{OtherCounts, RecordCounts};
use crate::documents::signed::SignedCorpus;
use crate::findings::decisions::{DroppedDocument, DroppedDocuments};
use crate::findings::stored::Findings;
use crate::job::Job;
use crate::pipeline::pass_count::PassCount;
use crate::progress::{PhaseTime, ProgressUnit, Watch};
use crate::results::capped_key::CappedKey;
use crate::results::cluster_table::ClusterTable;
use crate::results::group_counts::GroupCounts;
use crate::results::reading_summary::ReadingSummary;
use crate::tables::names::TableNames;
use neardup_core::candidates::thin_samples::thin as thin_samples;
use neardup_core::certificate::Certificate;
use neardup_core::decide::effort::Effort;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::pass::rule::Rule;
use neardup_core::scheme::{self, Scheme};
use neardup_core::signing::ignored_keys::Ignored;
use neardup_core::util::control::PhaseControl;
use neardup_core::util::ids::DocId;
use neardup_corpus::OnError;
use neardup_report::number;
use neardup_text::{TokenRules, TokensVersion};
use serde::{Deserialize, Serialize};

/// Number of documents without usable text, and with thin samples, that are listed by id.
const LISTED: usize = 100;

/// The versions of the tokens and of the digest in a run.json; that of version 1 does not name them.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct RunVersion {
    #[serde(default = "TokensVersion::first")]
    tokens_version: u32,
    #[serde(default)]
    unicode: String,
    #[serde(default = "RunVersion::first_digest")]
    digest_version: u32,
}

impl RunVersion {
    /// Returns the versions by which this neardup cuts texts and makes digests.
    pub fn current() -> Self {
        let TokensVersion { rules: tokens_version, unicode } = TokensVersion::current();
        RunVersion { tokens_version, unicode, digest_version: DIGEST_VERSION }
    }

    fn first_digest() -> u32 {
        1
    }

    /// Returns the versions of a result that is made from one of this version: the digest is of this neardup.
    pub fn with_own_digest(self) -> Self {
        RunVersion { digest_version: DIGEST_VERSION, ..self }
    }

    /// Returns it as the version of tokens.
    pub fn tokens(&self) -> TokensVersion {
        TokensVersion { rules: self.tokens_version, unicode: self.unicode.clone() }
    }
}

/// Contents of `run.json`.
#[derive(Debug, Serialize)]
pub struct RunSummary {
    /// Version of neardup.
    pub neardup: &'static str,
    /// Versions of the tokens and of the digest.
    #[serde(flatten)]
    pub version: RunVersion,
    /// The verb: dedup, cluster or pairs.
    pub verb: &'static str,
    /// The command of the run.
    pub command: Option<String>,
    /// The canonical scheme line.
    pub scheme: String,
    /// Notes that a user of this scheme should know.
    pub notes: Vec<String>,
    /// Policy by which the kept document of a group is chosen.
    pub keep: String,
    /// Number of documents that stay of each group of duplicates; left out if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_per_duplicate: Option<usize>,
    /// Whether every pair was checked on its features.
    pub verified: bool,
    /// Digest of the result.
    pub digest: String,
    /// Counts of each pass.
    pub passes: Vec<PassCount>,
    /// Files that were read, and files that were not.
    pub files: Files,
    /// Counts of the records.
    pub records: RecordCounts,
    /// Totals.
    pub counts: Counts,
    /// Number of comparisons. The split of the documents into batches makes a small difference.
    pub effort: Effort,
    /// Broder's table: of components in a run of `cluster`, otherwise of leader groups.
    pub clusters: Option<ClusterTable>,
    /// Counts of each input, in order.
    pub inputs: Vec<InputCount>,
    /// Counts of the groups with most documents; `None` if no field for groups was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<GroupCounts>,
    /// Bytes of all keys and sketches, which are what a run stores of the texts.
    pub sketch_bytes: u64,
    /// Bytes of the work file at the end.
    pub work_bytes: u64,
    /// Time and rate of every phase.
    pub phases: Vec<PhaseTime>,
    /// Estimated recall; `None` if nothing is compared.
    pub certificate: Option<Certificate>,
    /// Keys above the cap.
    pub capped: Vec<CappedKey>,
    /// Families of exact copies that are written as a star: the id of the first member, and the size.
    pub stars: Vec<(String, usize)>,
    /// Families whose members share a key and were compared with the first member only: its id, and the size.
    pub starred_keys: Vec<(String, usize)>,
    /// Ids of the first documents without usable text.
    pub without_text: Vec<String>,
    /// Ids of the first documents whose samples are too small to estimate from.
    pub thin: Vec<String>,
    /// How the documents were read.
    pub reading: ReadingSummary,
}

/// Totals of a run.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Counts {
    /// Number of input documents.
    pub documents: u64,
    /// Number of documents that are kept.
    pub kept: u64,
    /// Number of documents that are dropped.
    pub dropped: u64,
    /// Number of documents dropped for equal bytes.
    pub identical: u64,
    /// Number of documents dropped for equal token sequences.
    pub lexical: u64,
    /// Number of documents dropped for equal feature sets.
    pub shingles: u64,
    /// Number of documents dropped because they meet the measure.
    pub near: u64,
    /// Number of dropped documents that differ from their original in signs only; `None` if signs are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signs_only: Option<u64>,
    /// Number of documents dropped as the originals of their groups; not 0 only if no document of a group stays.
    #[serde(skip_serializing_if = "is_zero")]
    pub originals: u64,
    /// Number of pairs, if the run lists them.
    pub pairs: Option<u64>,
    /// Number of documents without any token. They are kept, unless their bytes equal those of another document.
    pub without_text: u64,
    /// Number of documents with tokens and without any feature in the passes that compared them.
    pub without_features: u64,
    /// Number of documents that are compared with nothing because they have fewer tokens than `min_tokens`; `None` without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub below_min_tokens: Option<u64>,
    /// Number of documents that are shorter than one shingle.
    pub short: u64,
    /// Number of documents whose samples are too small to estimate from.
    pub thin_samples: u64,
    /// Number of records that could not be used.
    pub rejected: u64,
    /// Number of documents of the reference.
    pub reference: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Counts of one input.
#[derive(Clone, Debug, Serialize)]
pub struct InputCount {
    /// Its name, as shown.
    pub name: String,
    /// Number of documents read from it.
    pub documents: u64,
    /// Number of its documents that are kept.
    pub kept: u64,
    /// Number of its records that could not be used.
    pub rejected: u64,
    /// Number of its records that are not documents.
    pub passed_over: u64,
}

/// The documents that a summary lists, the first of each kind.
pub struct ListedDocuments {
    /// Documents without usable text.
    pub without_text: Vec<DocId>,
    /// Documents with a sample that is too small to estimate from.
    pub thin: Vec<DocId>,
}

impl Counts {
    /// Returns one sentence for each count that says something about the answer.
    pub fn notes(&self, scheme: &Scheme) -> Vec<String> {
        [self.note_of_features(scheme), self.note_of_short(scheme), self.note_of_signs()].into_iter().flatten().collect()
    }

    /// Returns a sentence about dropped documents that differ from their original in signs only, and the option that keeps them.
    fn note_of_signs(&self) -> Option<String> {
        self.signs_only.filter(|&count| count > 0).map(|count| {
            let differ = if count == 1 { "differs" } else { "differ" };
            format!(
                "{count} of the dropped documents {differ} from the original in signs only, such as + and -, % or an emoji: signs=keep \
                 after the unit of a scheme line makes signs tokens, and so does --threshold 1 without --scheme"
            )
        })
    }

    /// Returns a sentence about documents without features to be compared by, and the remedy; `None` if they are at most one in a
    /// hundred.
    fn note_of_features(&self, scheme: &Scheme) -> Option<String> {
        let of_pass = |pass: &scheme::Pass| format!("`{}`: {}", pass.features(), pass.features().remedy());
        let mut remedies: Vec<String> = scheme.passes().iter().map(of_pass).collect();
        remedies.dedup();
        (self.without_features * 100 > self.documents).then(|| {
            let (has, are) = if self.without_features == 1 { ("has", "it is") } else { ("have", "they are") };
            format!(
                "{} of {} {} {has} text, and none of the features that are compared, so {are} like no other ({})",
                self.without_features,
                self.documents,
                number::noun(self.documents, "document"),
                remedies.join("; ")
            )
        })
    }

    /// Returns a sentence that no longer text is found to contain texts shorter than a shingle, if a scheme asks for containment.
    /// Its first pass counts them.
    fn note_of_short(&self, scheme: &Scheme) -> Option<String> {
        let pass = &scheme.passes()[0];
        (self.short > 0 && pass.asks_for_containment()).then(|| {
            let (are, them) = if self.short == 1 { ("is", "it") } else { ("are", "them") };
            format!(
                "{} of {} {} {are} shorter than one feature of `{}`: no longer text is found to contain {them} (take shorter shingles)",
                self.short,
                self.documents,
                number::noun(self.documents, "document"),
                pass.features()
            )
        })
    }
}

/// Counts the documents with tokens and no feature in any pass that compared them. No pass signs what an earlier one dropped.
fn without_features(names: &TableNames<'_>, tokens: &[u32]) -> Result<usize> {
    let mut without: Vec<DocId> = names.documents.iter().copied().filter(|&document| tokens[document.index()] > 0).collect();
    for segments in &names.signed.segments {
        let features = segments.column(|segment| segment.features)?;
        without.retain(|&document| features[document.index()] == 0);
    }
    Ok(without.len())
}

/// Counts the documents of a run. `verdicts` is `None` if nothing was decided.
pub fn counts(
    names: &TableNames<'_>,
    passes: &[CompiledPass],
    found: &Findings,
    verdicts: Option<&DroppedDocuments>,
    pairs: Option<usize>,
    watch: &Watch,
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
        below_min_tokens: signed
            .scope
            .as_ref()
            .filter(|scope| !scope.short.is_empty())
            .map(|scope| names.documents.iter().filter(|document| scope.short[document.index()]).count() as u64),
        short: short as u64,
        thin_samples: thin.len() as u64,
        rejected: signed.rejects.len() as u64,
        reference: (signed.len() - signed.reference as usize) as u64,
        ..Counts::default()
    };
    let is_dropped = |document: DocId| verdicts.is_some_and(|verdicts| verdicts.is_dropped(document));
    counts.originals = exceptions(verdicts).filter(|&document| is_dropped(document)).count() as u64;
    counts.dropped = counts.originals;
    for dropped in verdicts.iter().flat_map(|verdicts| &verdicts.dropped).filter(|dropped| is_dropped(dropped.document)) {
        counts.dropped += 1;
        *match dropped.rule {
            Rule::Identical => &mut counts.identical,
            Rule::Lexical => &mut counts.lexical,
            Rule::Shingles => &mut counts.shingles,
            Rule::Near => &mut counts.near,
        } += 1;
    }
    counts.kept -= counts.dropped;
    counts.signs_only = verdicts.map(|verdicts| signs_only(signed, passes, verdicts, watch)).transpose()?.flatten();
    let first = |documents: Vec<DocId>| documents.into_iter().take(LISTED).collect();
    Ok((counts, ListedDocuments { without_text: first(without), thin: first(thin) }))
}

/// Number of documents whose texts are read again at once.
const SLICE: usize = 1 << 16;

/// Counts the dropped documents that have the tokens of their original, and other signs. Their texts are read again, as a phase of its own.
/// Returns `None` if no pass ignores signs.
fn signs_only(signed: &SignedCorpus, passes: &[CompiledPass], verdicts: &DroppedDocuments, watch: &Watch) -> Result<Option<u64>> {
    let is_alike = |number: u32| {
        move |dropped: &&DroppedDocument| dropped.pass == number && dropped.rule == Rule::Lexical && verdicts.is_dropped(dropped.document)
    };
    let mut total = None;
    for (number, pass) in (0..).zip(passes).filter(|(_, pass)| pass.rules.ignores_signs()) {
        total.get_or_insert(0);
        let alike: Vec<[DocId; 2]> =
            verdicts.dropped.iter().filter(is_alike(number)).map(|dropped| [dropped.document, dropped.original]).collect();
        if alike.is_empty() {
            continue;
        }
        let rules = TokenRules { signs: true, ..pass.rules };
        let found = watch.phase("signs", alike.len() as u64, ProgressUnit::Documents, || {
            alike.chunks(SLICE).try_fold(0, |count, some| {
                watch.check()?;
                let mut documents = some.as_flattened().to_vec();
                documents.sort_unstable();
                documents.dedup();
                let sequences = signed.sequences(rules, &documents)?;
                let sequence = |document: &DocId| documents.binary_search(document).ok().map(|at| sequences[at]);
                watch.advance(some.len() as u64);
                Ok::<_, crate::Error>(count + some.iter().filter(|[one, original]| sequence(one) != sequence(original)).count() as u64)
            })
        })?;
        total = total.map(|total| total + found);
    }
    Ok(total)
}

/// Returns the counts of every input.
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
    for document in exceptions(verdicts) {
        let kept = &mut inputs[source(document)].kept;
        *kept = if verdicts.is_some_and(|verdicts| verdicts.is_dropped(document)) { *kept - 1 } else { *kept + 1 };
    }
    inputs
}

/// Returns the documents whose verdict is not that of the leader rule.
fn exceptions(verdicts: Option<&DroppedDocuments>) -> impl Iterator<Item = DocId> {
    verdicts.and_then(DroppedDocuments::exceptions).into_iter().flatten()
}

impl RunSummary {
    /// Returns the text of `run.json`.
    pub fn to_json(&self) -> String {
        // A summary consists of strings and numbers only, so serialisation cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

impl Job<'_> {
    /// Returns whether bad records are skipped.
    pub fn skips(&self) -> bool {
        self.options.on_error == OnError::Skip
    }
}
