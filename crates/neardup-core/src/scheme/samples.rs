//! Promises of samples, and their accuracy (Broder, Glassman, Manasse, Zweig 1997).

use super::pass::Pass;
use super::stage::Stage;
use super::test::Test;
use crate::keys::promise::{Chance, Promise};

/// Returns the promise of `each`.
pub(super) fn promise(keys: &Stage, pass: &Pass) -> Promise {
    let signature = pass.signature();
    if keys.options().matches() > 1 {
        return Promise::Nothing("pairs that share fewer values than match= are not proposed, whatever their similarity");
    }
    if signature.entry.signature_facts.is_sample && pass.measure.iter().any(|test| is_estimate_by(test, signature)) {
        return Promise::Estimated;
    }
    if let (Some(keys), Some(threshold)) = (chance(keys, pass), pass.least("resemblance", false)) {
        return Promise::Chance { keys, threshold };
    }
    (signature.entry.signature_facts.shared_value)(pass)
}

/// Returns the chance that `each` finds a pair; `None` if it does not follow from the resemblance alone.
pub(super) fn chance(keys: &Stage, pass: &Pass) -> Option<Chance> {
    let signature = pass.signature();
    (keys.options().matches() == 1).then(|| (signature.entry.signature_facts.chance)(signature)).flatten()
}

/// Whether a test requires similarity that the values of `signature` estimate.
pub(super) fn is_estimate_by(test: &Test, signature: &Stage) -> bool {
    matches!(test, Test::Compare { estimate: true, measure, .. } if signature.entry.signature_facts.measures.contains(&measure.name))
        && test.is_floor()
}

/// Returns the accuracy of estimates, in one sentence for each sample that a test uses. Two standard errors for k
/// values, 2 sqrt(r (1-r) / k), are at most 1 / sqrt(k).
pub(super) fn notes(pass: &Pass) -> Vec<String> {
    let used = pass.signatures.iter().filter(|signature| pass.measure.iter().any(|test| is_estimate_by(test, signature)));
    used.filter_map(|signature| (signature.entry.signature_facts.accuracy)(signature)).collect()
}

/// Returns the deviation, as text, within which nineteen of twenty estimates by this number of values are.
pub(super) fn within(values: f64) -> String {
    format!("{:.2}", (1.0 / values.sqrt()).min(1.0))
}

#[cfg(test)]
mod tests {
    use crate::measures::{Bound, Operator};
    use crate::scheme::{Scheme, StageKind};
    use crate::util::ratio::Ratio;

    /// A scheme with the signature of this name.
    fn scheme(name: &str) -> Scheme {
        let line = match name {
            "whole" | "digest" | "lexicons" | "supershingles" => format!("words | shingles:5 | {name} | each | equal"),
            "given" => "given | bits:64 | given:64 | blocks:3 | hamming<=3".to_owned(),
            "simhash" | "projection" => format!("words | shingles:5 | {name}:64 | blocks:3 | hamming<=3"),
            "minhash" => "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8".to_owned(),
            _ => format!("words | shingles:5 | {name}:64 | each | resemblance>=0.8"),
        };
        line.parse().unwrap()
    }

    #[test]
    fn signatures_name_the_measures_that_they_estimate() {
        let bound = Bound { operator: Operator::AtLeast, number: Ratio { numerator: 1, denominator: 2 } };
        for signature in StageKind::Signature.entries() {
            let scheme = scheme(signature.name);
            let stage = &scheme.passes()[0].signatures()[0];
            for measure in StageKind::Measure.entries() {
                let is_named = signature.signature_facts.measures.contains(&measure.name);
                assert_eq!(stage.estimate(measure.name, bound).is_some(), is_named, "{} by {}", measure.name, signature.name);
            }
        }
    }
}
