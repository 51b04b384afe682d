//! Facts: what an entry says about features, a signature, keys or a measure. What it says nothing about is in `NONE`.

use super::entry::{ArgumentForm, KeyTarget};
use super::pass::Pass;
use super::stage::{Argument, Stage};
use crate::Result;
use crate::estimates::Estimate;
use crate::features::Features;
use crate::keys::Keys;
use crate::keys::promise::{Chance, Promise};
use crate::measures::{Bound, Measure, TextMeasure};
use crate::signatures::{Signature, SignatureMethod};
use crate::terms::lexicon::Lexicon;
use crate::terms::weigher::Weigher;
use neardup_text::TokenRules;
use std::sync::Arc;

/// What keys of sampled features promise.
const BY_CHANCE: &str =
    "a pair is found when it shares a sampled feature: of k shared ones, each is sampled by chance, so short texts are missed";

/// What features and signatures are made with, beside their arguments.
#[derive(Clone)]
pub(crate) struct MakeContext<'a> {
    /// The weights of the features.
    pub(crate) weigher: &'a Weigher,
    /// The shingles that are left out, if any are.
    pub(crate) frame: Option<Arc<Lexicon>>,
    /// The rules of the tokens.
    pub(crate) rules: TokenRules,
    /// The seed of the pass.
    pub(crate) seed: u64,
}

/// Facts about features.
#[derive(Debug)]
pub(crate) struct FeatureFacts {
    /// Whether they were made elsewhere, and are cut from no tokens.
    pub(super) made_elsewhere: bool,
    /// Whether they are chosen by their weights, so that a signature of sets depends on the weights.
    pub(super) chosen_by_weight: bool,
    /// What to change when many documents have none.
    pub(super) remedy: &'static str,
    /// Makes them ready to run; `None` while an argument is `auto`.
    pub(super) make: fn(&Stage, &MakeContext<'_>) -> Result<Option<Features>>,
}

impl FeatureFacts {
    pub(super) const NONE: Self =
        Self { made_elsewhere: false, chosen_by_weight: false, remedy: "choose other features", make: |_, _| Ok(None) };
}

/// Facts about a signature.
#[derive(Debug)]
pub(crate) struct SignatureFacts {
    /// The keys that can be cut from it.
    pub(super) keys: &'static [&'static str],
    /// The measures that its values estimate, with `~`, or that are measured on them.
    pub(super) measures: &'static [&'static str],
    /// Whether it is a sample of the features.
    pub(super) is_sample: bool,
    /// Whether it sums up the weights of the features.
    pub(super) sums: bool,
    /// Most values that a document can have; `None` if that depends on its features.
    pub(super) most_values: fn(&Stage) -> Option<u64>,
    /// What keys of single values promise, if neither an estimate nor a chance says more.
    pub(super) shared_value: fn(&Pass) -> Promise,
    /// The chance by which such keys find a pair; `None` if it does not follow from the resemblance alone.
    pub(super) chance: fn(&Stage) -> Option<Chance>,
    /// How far off an estimate by its values is, in a sentence.
    pub(super) accuracy: fn(&Stage) -> Option<String>,
    /// How its values estimate a measure, and the bound that the estimate has to meet; `None` for other measures.
    pub(super) estimate: fn(&Stage, &str, Bound) -> Option<(Estimate, Bound)>,
    /// Makes it ready to run; `None` while an argument is `auto`.
    pub(super) make: fn(&Stage, &MakeContext<'_>) -> Option<Signature>,
}

impl SignatureFacts {
    pub(super) const NONE: Self = Self {
        keys: &[],
        measures: &[],
        is_sample: false,
        sums: false,
        most_values: |_| None,
        shared_value: |_| Promise::Nothing(BY_CHANCE),
        chance: |_| None,
        accuracy: |_| None,
        estimate: |_, _, _| None,
        make: |_, _| None,
    };

    /// Those of a method, which `make` makes.
    pub(super) const fn of<M: SignatureMethod>(make: fn(&Stage, &MakeContext<'_>) -> Option<Signature>) -> Self {
        Self { is_sample: M::IS_SAMPLE, make, ..Self::NONE }
    }
}

/// Facts about keys.
#[derive(Debug)]
pub(crate) struct KeyFacts {
    /// Whether each value of the signature is a key, rather than a run or a block of them.
    pub(super) by_value: bool,
    /// Whether they propose every pair that the measure accepts.
    pub(super) complete: bool,
    /// What `auto` represents.
    ///
    /// # Errors
    /// [`crate::Error::Promise`] when nothing fits.
    pub(super) choose: fn(&KeyTarget<'_>) -> Result<Argument>,
    /// Makes them ready to be cut from a signature; `None` while an argument is `auto`.
    pub(super) make: fn(&Stage, &Pass, &Signature) -> Option<Keys>,
}

impl KeyFacts {
    pub(super) const NONE: Self = Self { by_value: false, complete: false, choose: |_| Ok(Argument::Auto), make: |_, _, _| None };
}

/// Facts about a measure.
#[derive(Debug)]
pub(crate) struct MeasureFacts {
    /// The number it is compared with; `None` for a measure that is written alone.
    pub(super) number: Option<ArgumentForm>,
    /// Whether it is measured on signatures, so that it is always an estimate and written without `~`.
    pub(super) of_signatures: bool,
    /// What it is on two sets of features; `None` if it is not measured on these.
    pub(crate) of_features: Option<Measure>,
    /// What it is on two texts, by its arguments; `None` if it is not measured on these.
    pub(crate) of_texts: fn(&[Argument]) -> Option<TextMeasure>,
    /// Whether a pair that meets a floor above 0 shares a feature.
    pub(super) needs_shared_feature: bool,
}

impl MeasureFacts {
    pub(super) const NONE: Self =
        Self { number: None, of_signatures: false, of_features: None, of_texts: |_| None, needs_shared_feature: false };
}
