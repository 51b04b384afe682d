//! What samples promise, and what they can tell (Broder, Glassman, Manasse, Zweig 1997).

use super::pass::Pass;
use super::stage::{Argument, Stage};
use super::test::Test;
use crate::keys::promise::{Chance, Promise};

/// What `each` promises.
pub(super) fn promise(keys: &Stage, pass: &Pass) -> Promise {
    let signature = pass.signature();
    let samples = matches!(signature.name(), "minima" | "moduli" | "levels");
    if keys.options().matches() > 1 {
        return Promise::Nothing("pairs that share fewer values than match= are not proposed, whatever their likeness");
    }
    if samples && pass.measure.iter().any(|test| is_estimate_by(test, signature)) {
        return Promise::Estimated;
    }
    if let (Some(keys), Some(threshold)) = (chance(keys, pass), pass.least("resemblance", false)) {
        return Promise::Chance { keys, threshold };
    }
    match signature.name() {
        "whole" if pass.measure.iter().any(Test::asks_for_a_shared_feature) => Promise::Exact,
        "whole" => Promise::Sharing,
        "minima" => Promise::Nothing("a pair is found when it shares one of its minima, and the measure asks for no least resemblance"),
        "supershingles" => Promise::Nothing("a pair is found when it shares a super-shingle, which alike texts do by chance"),
        "digest" | "lexicons" => Promise::Nothing("a pair is found when digests of both are equal, which alike texts have by chance"),
        _ => Promise::Nothing(
            "a pair is found when it shares a sampled feature: of k shared ones, each is sampled by chance, so short texts are missed",
        ),
    }
}

/// By what chance `each` finds a pair; None for keys that do not follow from the resemblance alone.
pub(super) fn chance(keys: &Stage, pass: &Pass) -> Option<Chance> {
    match (pass.signature().name(), pass.signature().args()) {
        ("minima", &[Argument::Count(size)]) if keys.options().matches() == 1 => Some(Chance::Minima { size }),
        _ => None,
    }
}

/// Whether a test asks for a likeness that the values of `signature` estimate.
pub(super) fn is_estimate_by(test: &Test, signature: &Stage) -> bool {
    matches!(test, Test::Compare { estimate: true, measure, .. } if measure.signatures.contains(&signature.name())) && test.is_floor()
}

/// How far off estimates by a sample are, one sentence for each sample that a test uses; two standard errors,
/// 2 sqrt(r (1-r) / k) of k values, are at most 1 / sqrt(k).
pub(super) fn notes(pass: &Pass) -> Vec<String> {
    let used = pass.signatures.iter().filter(|signature| pass.measure.iter().any(|test| is_estimate_by(test, signature)));
    used.filter_map(note).collect()
}

fn note(signature: &Stage) -> Option<String> {
    let within = |values: f64| format!("{:.2}", (1.0 / values.sqrt()).min(1.0));
    match (signature.name(), signature.args()) {
        ("minima", &[Argument::Count(size)]) => Some(format!(
            "an estimate by `{signature}` is within {} of the resemblance nineteen times of twenty: pairs near the threshold fall on either side",
            within(size as f64)
        )),
        ("moduli", &[Argument::Count(modulus)]) => Some(format!(
            "`{signature}` keeps about one feature of {modulus}: of a text of 1000 features {} values, which tell a likeness within {} nineteen times of twenty; texts of fewer than {} features mostly have fewer than 8 values and are counted as thin_samples",
            1000 / modulus,
            within(1000.0 / modulus as f64),
            modulus.saturating_mul(8)
        )),
        ("levels", &[Argument::Count(least)]) => Some(format!(
            "`{signature}` keeps about {least} to {} features of a text, which tell a likeness within {} nineteen times of twenty; two texts are compared at the level of the longer, where one that is 2^k times shorter has about 2^k times fewer values: a short text inside a very long one is not told",
            least.saturating_mul(2),
            within(least as f64)
        )),
        _ => None,
    }
}
