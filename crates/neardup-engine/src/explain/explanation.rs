//! Explaining two texts: their resemblance, the rule that holds, and the passages that they share.

use crate::Result;
use crate::documents::span::{CodePointIndex, OriginalSpan};
use crate::explain::conditions::{Condition, conditions};
use crate::job::lexicons::compiled;
use neardup_core::compile::text_measure;
use neardup_core::decide::text_tests;
use neardup_core::decide::verify::{TextPair, Verifier};
use neardup_core::keys::Keys;
use neardup_core::measures::Overlap;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::pass::rule::Rule;
use neardup_core::passages::{SharedPassage, find_passages};
use neardup_core::scheme::Scheme;
use neardup_core::sets::set::Set;
use neardup_core::signing::segment::ChunkBuilder;
use neardup_core::signing::signer::Signer;
use neardup_report::texts::diff::{self, StretchKind};
use neardup_text::{Located, Text, locate};
use serde::Serialize;

/// The comparison of two texts under a scheme.
#[derive(Debug, Serialize)]
pub struct Explanation {
    /// The canonical scheme line.
    pub scheme: String,
    /// The first rule that holds; `None` if the texts are not duplicates.
    pub rule: Option<&'static str>,
    /// Number of tokens of the left text.
    pub left_tokens: usize,
    /// Number of tokens of the right text.
    pub right_tokens: usize,
    /// Number of features that both texts contain.
    pub shared: u32,
    /// Number of features of the left text.
    pub left_size: u32,
    /// Number of features of the right text.
    pub right_size: u32,
    /// Number of distinct shingles of the left text that are left out as frame.
    pub left_frame: u32,
    /// Number of distinct shingles of the right text that are left out as frame.
    pub right_frame: u32,
    /// The conditions of the scheme, with their outcome for these texts.
    pub conditions: Vec<Condition>,
    /// |A n B| / |A u B|, for display; `None` if neither text has features.
    pub resemblance: Option<f64>,
    /// |A n B| / |A|, for display; `None` if A has no features.
    pub left_in_right: Option<f64>,
    /// |A n B| / |B|, for display; `None` if B has no features.
    pub right_in_left: Option<f64>,
    /// Shared passages, longest first.
    pub passages: Vec<ExplainedPassage>,
    /// Number of tokens of the left text inside passages.
    pub left_covered: usize,
    /// Number of tokens of the right text inside passages.
    pub right_covered: usize,
    /// The differences from left to right, word by word.
    pub changes: Vec<DiffStep>,
    /// Whether the texts were too long to be compared word by word to their ends.
    pub changes_cut: bool,
}

/// A passage that occurs in both texts.
#[derive(Debug, Serialize)]
pub struct ExplainedPassage {
    /// Number of tokens.
    pub tokens: usize,
    /// Its span in the left text.
    pub left: OriginalSpan,
    /// Its span in the right text.
    pub right: OriginalSpan,
}

/// One step of a word diff.
#[derive(Debug, Serialize)]
pub struct DiffStep {
    /// `equal`, `removed` or `added`.
    pub kind: &'static str,
    /// The words.
    pub text: String,
}

/// Compares two texts under the only pass of a scheme.
pub fn explain(left: &str, right: &str, scheme: &Scheme) -> Result<Explanation> {
    let pass = compiled(scheme)?;
    let (left_tokens, right_tokens) = (locate(pass.rules, pass.seed, left), locate(pass.rules, pass.seed, right));
    let overlap = overlap(left, right, &pass);
    let whole = self::overlap(left, right, &CompiledPass { features: pass.features.clone().framed(), ..pass.clone() });
    let found = find_passages(&left_tokens, &right_tokens, pass.features.passage());
    let (changes, changes_cut) = changes(&diff::words(left, right));
    Ok(Explanation {
        scheme: scheme.seal()?.to_string(),
        rule: rule(left, right, &left_tokens, &right_tokens, overlap, &pass).map(Rule::name),
        left_tokens: left_tokens.len(),
        right_tokens: right_tokens.len(),
        shared: overlap.shared,
        left_size: overlap.left,
        right_size: overlap.right,
        left_frame: whole.left - overlap.left,
        right_frame: whole.right - overlap.right,
        conditions: conditions([left, right], overlap, &pass, scheme.passes()[0].measure()),
        resemblance: (overlap.union() > 0).then(|| overlap.resemblance()),
        left_in_right: (overlap.left > 0).then(|| overlap.left_in_right()),
        right_in_left: (overlap.right > 0).then(|| overlap.right_in_left()),
        passages: shared(&found.passages, left, right),
        left_covered: found.passages.iter().map(|passage| passage.left_tokens.len()).sum(),
        right_covered: found.passages.iter().map(|passage| passage.right_tokens.len()).sum(),
        changes,
        changes_cut,
    })
}

/// Returns the value of the measure `name` for two texts, under the tokens and features of the only pass of a scheme, for
/// display; `None` if it has no value.
pub fn measure(left: &str, right: &str, scheme: &Scheme, name: &str) -> Result<Option<f64>> {
    let (pass, measure) = (compiled(scheme)?, text_measure(name)?);
    Ok(text_tests::value(measure, &pass, Text::Plain(left.as_bytes()), Text::Plain(right.as_bytes())))
}

/// Returns the number of tokens and of distinct features of a text under the only pass of a scheme.
pub fn count(text: &str, scheme: &Scheme) -> Result<(usize, usize)> {
    let pass = compiled(scheme)?;
    let mut set = Set::default();
    Signer::new(&pass).set(Text::Plain(text.as_bytes()), &mut set);
    Ok((locate(pass.rules, pass.seed, text).len(), set.features().len()))
}

/// Whether two texts meet every condition of the pass.
fn meet(left: &str, right: &str, pass: &CompiledPass) -> bool {
    let (mut signer, mut draft) = (Signer::new(pass), ChunkBuilder::default());
    [left, right].into_iter().for_each(|text| signer.sign(Text::Plain(text.as_bytes()), &mut draft));
    let pair = TextPair { left: left.as_bytes(), right: right.as_bytes() };
    let Ok(overlap) = Verifier::new(pass).meet(pass, draft.sketch(0), draft.sketch(1), &pair);
    overlap.is_some()
}

fn overlap(left: &str, right: &str, pass: &CompiledPass) -> Overlap {
    let (mut signer, mut left_set, mut right_set) = (Signer::new(pass), Set::default(), Set::default());
    signer.set(Text::Plain(left.as_bytes()), &mut left_set);
    signer.set(Text::Plain(right.as_bytes()), &mut right_set);
    left_set.overlap(right_set.features())
}

fn rule(left: &str, right: &str, left_tokens: &[Located], right_tokens: &[Located], overlap: Overlap, pass: &CompiledPass) -> Option<Rule> {
    let hashes = |tokens: &[Located]| tokens.iter().map(|token| token.hash).collect::<Vec<_>>();
    let blank = |text: &str, tokens: &[Located]| pass.is_blank(Text::Plain(text.as_bytes()), tokens.len());
    let blank = blank(left, left_tokens) || blank(right, right_tokens);
    if left == right && !blank {
        Some(Rule::Identical)
    } else if blank || left_tokens.is_empty() || right_tokens.is_empty() {
        None
    } else if hashes(left_tokens) == hashes(right_tokens) {
        Some(Rule::Lexical)
    } else {
        // Only with keys that are blocks of bits can two documents share a key without sharing a feature.
        let proposed = overlap.shared > 0 || pass.kinds.iter().any(|kind| matches!(kind.keys, Keys::Blocks(_)));
        Some(Rule::of(overlap)).filter(|_| proposed && meet(left, right, pass))
    }
}

fn shared(passages: &[SharedPassage], left: &str, right: &str) -> Vec<ExplainedPassage> {
    let (left_ruler, right_ruler) = (CodePointIndex::new(left), CodePointIndex::new(right));
    let shared = |passage: &SharedPassage| ExplainedPassage {
        tokens: passage.left_tokens.len(),
        left: left_ruler.span(left, &passage.left_bytes),
        right: right_ruler.span(right, &passage.right_bytes),
    };
    passages.iter().map(shared).collect()
}

/// The kind of steps whose words are in both texts.
pub const EQUAL: &str = "equal";

/// Returns the steps of a difference, and whether it stops before the ends of the texts.
pub fn changes(changes: &[diff::DiffStretch<'_>]) -> (Vec<DiffStep>, bool) {
    (changes.iter().filter_map(step).collect(), changes.iter().any(|change| change.kind == StretchKind::Uncompared))
}

fn step(change: &diff::DiffStretch<'_>) -> Option<DiffStep> {
    let (kind, text) = match change.kind {
        StretchKind::Equal => (EQUAL, change.left),
        StretchKind::Removed => ("removed", change.left),
        StretchKind::Added => ("added", change.right),
        StretchKind::Uncompared => return None,
    };
    Some(DiffStep { kind, text: text.to_owned() })
}
