//! Checks whether the stages of a pass can work together.

use super::entry::StageKind;
use super::facts::SignatureFacts;
use super::options::Weight;
use super::pass::{Pass, StagePlace};
use super::seed::Seed;
use super::stage::Stage;
use super::test::Test;
use neardup_text::Unit;

/// Returns the first part of the pass that cannot work, and the reason.
pub(super) fn check(pass: &Pass) -> Result<(), (StagePlace, String)> {
    let at = |kind, index| move |reason| (StagePlace { kind, index }, reason);
    for (kind, stages) in stages(pass) {
        for (index, stage) in stages.iter().enumerate() {
            if kind == StageKind::Keys {
                cut_from(stage, pass).map_err(at(kind, index))?;
                differs(stage, &pass.keys[..index]).map_err(at(kind, index))?;
            }
            if kind == StageKind::Signature {
                own_features(stage, index == 0, pass).map_err(at(kind, index))?;
            }
            (stage.entry.check)(stage, pass).map_err(at(kind, index))?;
        }
    }
    for (index, signature) in pass.signatures.iter().enumerate().skip(1) {
        serves(index, signature, pass).map_err(at(StageKind::Signature, index))?;
    }
    for (index, test) in pass.measure.iter().enumerate() {
        estimated(test, pass).map_err(at(StageKind::Measure, index))?;
    }
    if !pass.measure.iter().any(Test::is_floor) {
        let reason = "it requires no similarity: add a test with >= or =, or `equal`";
        return Err(at(StageKind::Measure, 0)(reason.to_owned()));
    }
    Ok(())
}

fn stages(pass: &Pass) -> [(StageKind, &[Stage]); 4] {
    [
        (StageKind::Tokens, std::slice::from_ref(&pass.tokens)),
        (StageKind::Features, std::slice::from_ref(&pass.features)),
        (StageKind::Signature, &pass.signatures),
        (StageKind::Keys, &pass.keys),
    ]
}

/// Checks that the keys can be cut from the first signature.
fn cut_from(keys: &Stage, pass: &Pass) -> Result<(), String> {
    let signature = pass.signature();
    let able = signature.entry.signature_facts.keys;
    if able.contains(&keys.name()) {
        return Ok(());
    }
    let fitting: Vec<String> =
        StageKind::Keys.entries().iter().filter(|entry| able.contains(&entry.name)).map(|entry| entry.form()).collect();
    Err(format!(
        "{} keys are cut from {}, and the first signature is {first}; keys of {first}: {}",
        keys.name(),
        signatures(|facts| facts.keys.contains(&keys.name())).join(" or "),
        fitting.join(", "),
        first = signature.name(),
    ))
}

/// The names of the signatures with these facts.
fn signatures(have: impl Fn(&SignatureFacts) -> bool) -> Vec<&'static str> {
    StageKind::Signature.entries().iter().filter(|entry| have(&entry.signature_facts)).map(|entry| entry.name).collect()
}

/// Checks that the same keys are not written twice.
fn differs(keys: &Stage, before: &[Stage]) -> Result<(), String> {
    let same =
        |other: &&Stage| (other.name(), other.args(), other.options().matches()) == (keys.name(), keys.args(), keys.options().matches());
    match before.iter().find(same) {
        Some(other) => Err(format!("`{other}` precedes it with the same keys: write one of them")),
        None => Ok(()),
    }
}

/// Checks the own features of a signature, which only signatures after the first may have.
fn own_features(signature: &Stage, is_first: bool, pass: &Pass) -> Result<(), String> {
    let options = signature.options();
    let reason = match (options.of(), options.weight()) {
        (None, Weight::One) => return Ok(()),
        (None, weight) => {
            format!("it signs the features of the pass, which carry their own weight: write of=UNIT weight={weight}, or no weight")
        }
        (Some(_), _) if is_first => {
            "keys and exact measures use the features of the pass: write of= at a signature after the first".to_owned()
        }
        (Some(_), Weight::Rarity(_)) => "with of=, a token weighs 1 or tf: write weight=tf, or none".to_owned(),
        (Some(unit), _) if (unit == Unit::Given) != (pass.tokens.name() == Unit::Given.name()) => {
            format!("tokens are cut from texts or given, and those of the pass are `{}`: `of={unit}` has none to sign", pass.tokens)
        }
        (Some(unit), _) if pass.features.are_made_elsewhere() => {
            format!("the bits of a fingerprint are no tokens: `of={unit}` has none to sign")
        }
        _ => return Ok(()),
    };
    Err(reason)
}

/// Checks that a signature after the first is used by an estimate.
fn serves(index: usize, signature: &Stage, pass: &Pass) -> Result<(), String> {
    if signature.is_auto() {
        return Err("auto follows from the bands, and bands are cut from the first signature: write a number".to_owned());
    }
    if signature.options().seed() != &Seed::default() {
        return Err("a pass has one seed: write it at the first signature".to_owned());
    }
    let estimates = |test: &&Test| uses(test, signature);
    let Some(test) = pass.measure.iter().find(estimates) else {
        return Err("nothing uses it: keys come from the first signature, and no test is an estimate by this one".to_owned());
    };
    // A test uses the first signature that it can be measured on. A further signature of the pass's own features is allowed.
    let mut before = pass.signatures[..index].iter().filter(|_| signature.options().of().is_some());
    match before.find(|before| uses(test, before)) {
        Some(before) => Err(format!("nothing uses it: `{test}` is measured on `{before}`, which precedes it")),
        None => Ok(()),
    }
}

/// Checks that the pass has a signature for an estimate.
fn estimated(test: &Test, pass: &Pass) -> Result<(), String> {
    let Test::Compare { estimate, measure, .. } = test else {
        return Ok(());
    };
    let name = measure.name;
    if *estimate && measure.measure_facts.of_signatures {
        return Err(format!("{name} is measured on signatures in any case: write it without ~"));
    }
    if !estimate && !measure.measure_facts.of_signatures {
        return Ok(());
    }
    if pass.signatures.iter().any(|signature| uses(test, signature)) {
        return Ok(());
    }
    let able = signatures(|facts| facts.measures.contains(&name));
    Err(match &able[..] {
        [] => format!("no signature estimates {name}: write it without ~"),
        able if measure.measure_facts.of_signatures => format!("{name} is measured on {}, and the pass has none", able.join(" or ")),
        able => format!("~{name} is estimated by {}, and the pass has none: write it without ~", able.join(" or ")),
    })
}

/// Whether `test` looks at the values of `signature`.
fn uses(test: &Test, signature: &Stage) -> bool {
    matches!(test, Test::Compare { estimate, measure, .. }
        if (*estimate || measure.measure_facts.of_signatures) && signature.entry.signature_facts.measures.contains(&measure.name))
}
