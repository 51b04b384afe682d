//! One pass of a scheme: five stages.

use super::entry::StageKind;
use super::frame::Frame;
use super::join;
use super::options::FeatureHash;
use super::samples;
use super::seed::Seed;
use super::stage::{Argument, Stage};
use super::test::Test;
use crate::error::Result;
use crate::keys::OverCap;
use crate::keys::promise::{Chance, Promise};
use crate::util::ratio::Ratio;
use neardup_text::{TokenRules, Unit};
use std::fmt;

/// The five stages, checked to work together; immutable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pass {
    pub(super) tokens: Stage,
    pub(super) features: Stage,
    pub(super) signatures: Vec<Stage>,
    pub(super) keys: Vec<Stage>,
    pub(super) measure: Vec<Test>,
}

impl Pass {
    /// Returns the stage that cuts the text into tokens.
    pub fn tokens(&self) -> &Stage {
        &self.tokens
    }

    /// Returns the rules by which the text is cut into tokens.
    ///
    /// # Panics
    /// Never: every entry of this kind is named like its unit.
    pub fn token_rules(&self) -> TokenRules {
        let options = self.tokens.options();
        let unit: Unit = self.tokens.name().parse().expect("units are named like their entries");
        TokenRules { unit, folds: options.folds(), signs: options.signs(), comments: options.comments() }
    }

    /// Returns a scheme of one pass, in which texts with equal words and signs have equal tokens; `None` if the pass does not ignore
    /// signs.
    pub fn keeping_signs(&self) -> Option<String> {
        self.token_rules().ignores_signs().then(|| format!("{} signs=keep | shingles:1 | whole | prefix:1 | resemblance>=1", self.tokens))
    }

    /// Returns the features that are compared.
    pub fn features(&self) -> &Stage {
        &self.features
    }

    /// Returns the first signature, from which keys are cut.
    pub fn signature(&self) -> &Stage {
        &self.signatures[0]
    }

    /// Returns all signatures, at least one; those after the first are for the measure only.
    pub fn signatures(&self) -> &[Stage] {
        &self.signatures
    }

    /// Returns the keys by which pairs are proposed, at least one stage.
    pub fn keys(&self) -> &[Stage] {
        &self.keys
    }

    /// Returns the tests, all of which a pair must pass, in order; at least one.
    pub fn measure(&self) -> &[Test] {
        &self.measure
    }

    /// Returns tokens, features, signatures and keys, in that order.
    pub fn stages(&self) -> impl Iterator<Item = &Stage> {
        [&self.tokens, &self.features].into_iter().chain(&self.signatures).chain(&self.keys)
    }

    /// Returns the lowest resemblance of an accepted pair, exact or otherwise estimated; `None` if the measure has no
    /// such bound.
    pub fn threshold(&self) -> Option<Ratio> {
        self.least("resemblance", false).or_else(|| self.least("resemblance", true))
    }

    /// Returns the lowest exact value of `measure` for an accepted pair; `None` if the pass has no such bound.
    pub fn floor(&self, measure: &str) -> Option<Ratio> {
        self.least(measure, false)
    }

    /// Whether one document of a pair must contain the other, by all features or by an estimate.
    pub fn asks_for_containment(&self) -> bool {
        self.least("containment", true).is_some()
    }

    /// Returns the measure that decides about a pair, as written, unless it compares features: see [`crate::decide::value`].
    pub fn subject(&self) -> Option<String> {
        self.measure.iter().find_map(Test::subject)
    }

    /// Returns the condition on a pair, as written.
    pub fn condition(&self) -> String {
        self.measure.iter().map(ToString::to_string).collect::<Vec<_>>().join(" & ")
    }

    /// Returns the same condition as part of a sentence.
    pub fn condition_in_words(&self) -> String {
        let words = |test: &Test| if *test == Test::Equal { "equal keys".to_owned() } else { test.to_string() };
        self.measure.iter().map(words).collect::<Vec<_>>().join(" & ")
    }

    /// Whether the measure requires similarity of the features or texts themselves, or equal signatures that only equal
    /// features have.
    pub fn is_verified(&self) -> bool {
        let lossless = !self.features.is_lossy() && self.features.options().frame().is_none() && !self.signature().is_lossy();
        self.measure.iter().any(|test| test.is_exact() || (*test == Test::Equal && lossless))
    }

    /// Returns the basis on which pairs are compared, if it is not the whole of both texts: "signatures" or "chosen
    /// features". Similar texts may differ in it. So a run that finds every pair that is similar in it may miss pairs
    /// of similar texts.
    pub fn judges_by(&self) -> Option<&'static str> {
        // All distinct tokens are not a selection.
        let takes_all = self.features.args() == [Argument::Share(Ratio::ZERO), Argument::Share(Ratio::ONE)];
        let is_chosen = self.features.is_lossy() && !takes_all;
        if self.estimates() || (self.measure.contains(&Test::Equal) && self.signature().is_lossy()) {
            return Some("signatures");
        }
        (is_chosen || self.features.options().frame().is_some()).then_some("chosen features")
    }

    /// Returns which of the pairs that the measure accepts the keys promise to find. No argument may be `auto`.
    pub fn promise(&self) -> Promise {
        self.promise_with(|keys| keys.options().cap().is_some())
    }

    /// Returns the same promise for runs in which no key has more documents than its cap.
    pub fn promise_below_caps(&self) -> Promise {
        self.promise_with(|_| false)
    }

    fn promise_with(&self, is_capped: impl Fn(&Stage) -> bool) -> Promise {
        if self.measure.contains(&Test::Equal) && !self.keys.iter().any(&is_capped) {
            return Promise::Exact;
        }
        // All kinds of keys are cut from one signature, so their chances do not add up: the best one counts.
        let better = |one: Promise, other: Promise| if other.worth() > one.worth() { other } else { one };
        self.keys.iter().map(|keys| self.promise_of(keys, is_capped(keys))).reduce(better).unwrap_or(Promise::Exact)
    }

    /// Returns the promise of one kind of keys, without the pairs that other kinds propose.
    fn promise_of(&self, keys: &Stage, is_capped: bool) -> Promise {
        let each = keys.is_by_value().then(|| samples::promise(keys, self));
        if is_capped {
            // The estimate ignores the values of dropped keys, too.
            let ignored = keys.options().over() == OverCap::Drop && each == Some(Promise::Estimated);
            return if ignored {
                Promise::Estimated
            } else {
                Promise::Nothing("a key that more documents hold than its cap does not propose all their pairs")
            };
        }
        // The checks of a scheme allow such keys only with a measure of which they never miss a pair.
        if keys.is_complete() {
            return Promise::Exact;
        }
        if let Some(promise) = each {
            return promise;
        }
        let Some(threshold) = self.threshold() else {
            return Promise::Nothing("the measure asks for no least resemblance, and keys find pairs by resemblance");
        };
        self.chance_of(keys).map_or(Promise::Nothing("an argument is still auto"), |keys| Promise::Chance { keys, threshold })
    }

    /// Returns the keys that find a pair by chance; of several, the best at the threshold, or at 0.5 if there is none.
    /// `None` if an argument is still `auto`, and for keys that find pairs in another way.
    pub fn chance(&self) -> Option<Chance> {
        let s = self.threshold().map_or(0.5, |threshold| threshold.approximate());
        let chances = self.keys.iter().filter_map(|keys| self.chance_of(keys));
        chances.reduce(|best, keys| if keys.at(s) > best.at(s) { keys } else { best })
    }

    fn chance_of(&self, keys: &Stage) -> Option<Chance> {
        match keys.args() {
            &[Argument::Grid(grid)] => Some(Chance::Bands { grid, least: keys.options().matches() }),
            _ => samples::chance(keys, self),
        }
    }

    /// Returns what a user should know, one sentence each; `is_capped` says whether the run has keys above the cap.
    pub(super) fn notes(&self, is_capped: bool) -> Vec<String> {
        let mut notes = vec![self.promise().of_run(is_capped)];
        let complete = |keys: &&Stage| self.promise_of(keys, keys.options().cap().is_some()) == Promise::Exact;
        if let Some(keys) = self.keys.iter().find(complete).filter(|_| self.keys.len() > 1) {
            notes.push(format!("`{keys}` proposes every pair that the measure accepts: the other keys add none"));
        }
        notes.extend(samples::notes(self));
        if self.features.options().hash() == FeatureHash::Rabin {
            notes.push("features are fingerprints of 40 bits: two different shingles have the same one about once in 10^12".to_owned());
        }
        let by_resemblance = !self.keys.iter().any(Stage::is_by_value);
        if by_resemblance && self.measure.iter().any(|test| test.least("containment", true).is_some()) {
            notes.push("a small text inside a large one resembles it little, so keys seldom propose the pair: containment is tested on proposed pairs, its recall is not promised".to_owned());
        }
        if !self.is_verified() {
            notes.push("pairs are decided without looking at their features and are stamped verified: false; add a plain measure, as `& resemblance>=0.8`".to_owned());
        }
        if self.features.options().weight().is_counted() {
            notes.push("idf is counted from the documents of the run, so one more document may change how others are compared; weight=idf:FILE with the lexicon.parquet of a run keeps it".to_owned());
        }
        if let Some(frame) = self.features.options().frame() {
            notes.push(format!(
                "shingles in the frame of a host are ignored in every document, so pages that differ only in them are equal{}",
                if matches!(frame, Frame::Share(_)) {
                    "; one more document may change the frame: frame=file:PATH with the frame.parquet of a run keeps it"
                } else {
                    ""
                }
            ));
        }
        for keys in &self.keys {
            if keys.options().drops_capped() {
                let estimates = self.measure.iter().any(|test| samples::is_estimate_by(test, self.signature()));
                let ignored = if estimates && keys.is_by_value() { ", and estimates ignore it" } else { "" };
                notes.push(format!("`{keys}` proposes no pair by a key above its cap{ignored}; such keys are listed"));
            }
        }
        if let (&[Argument::Count(slots)], false) = (self.signature().args(), self.estimates()) {
            let used =
                self.keys.iter().filter_map(|keys| if let [Argument::Grid(grid)] = keys.args() { Some(grid.slots()) } else { None }).max();
            if let Some(spare) = used.and_then(|used| slots.checked_sub(used)).filter(|&spare| spare > 0) {
                notes.push(format!(
                    "{spare} of {slots} slots of `{}` belong to no band: {} slots do the same work",
                    self.signature(),
                    slots - spare
                ));
            }
        }
        notes
    }

    /// Whether any test uses a signature's estimate.
    pub(super) fn estimates(&self) -> bool {
        self.measure
            .iter()
            .any(|test| matches!(test, Test::Compare { estimate, measure, .. } if *estimate || measure.measure_facts.of_signatures))
    }

    /// Returns the lowest value of a measure that passes all tests; `estimates` says whether tests of estimates count.
    pub(super) fn least(&self, measure: &str, estimates: bool) -> Option<Ratio> {
        self.measure.iter().filter_map(|test| test.least(measure, estimates)).max()
    }

    /// Returns the largest number of bits, of `bits`, in which two fingerprints that pass all tests differ.
    pub(super) fn differing(&self, bits: u64) -> Option<u64> {
        self.measure.iter().filter_map(|test| test.differing(bits)).min()
    }

    /// Returns the same pass with its secret seeds replaced by their check values.
    pub(super) fn seal(&self) -> Result<Pass> {
        let mut pass = self.clone();
        for stage in &mut pass.signatures {
            stage.options.seed = stage.options.seed.seal()?;
        }
        Ok(pass)
    }

    /// Returns the same pass with the public seed in place of every check value.
    pub(super) fn without_secrets(&self) -> Pass {
        let mut pass = self.clone();
        for stage in pass.signatures.iter_mut().filter(|stage| matches!(stage.options.seed, Seed::Check(_))) {
            stage.options.seed = Seed::default();
        }
        pass
    }
}

impl fmt::Display for Pass {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} | {} | ", self.tokens, self.features)?;
        join(out, &self.signatures, " + ")?;
        out.write_str(" | ")?;
        join(out, &self.keys, " + ")?;
        out.write_str(" | ")?;
        join(out, &self.measure, " & ")
    }
}

/// Position of a part of a pass: its kind of stage, and its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StagePlace {
    pub(super) kind: StageKind,
    pub(super) index: usize,
}
