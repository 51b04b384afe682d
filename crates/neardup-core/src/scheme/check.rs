//! Whether the stages of a pass can work together.

use super::entry::Kind;
use super::pass::{Part, Pass};
use super::seed::Seed;
use super::stage::Stage;
use super::test::Test;

/// The first part that cannot work, and why.
pub(super) fn check(pass: &Pass) -> Result<(), (Part, String)> {
    let at = |kind, index| move |reason| (Part { kind, index }, reason);
    for (kind, stages) in stages(pass) {
        for (index, stage) in stages.iter().enumerate() {
            if kind == Kind::Keys {
                cut_from(stage, pass).map_err(at(kind, index))?;
                differs(stage, &pass.keys[..index]).map_err(at(kind, index))?;
            }
            (stage.entry.check)(stage, pass).map_err(at(kind, index))?;
        }
    }
    for (index, signature) in pass.signatures.iter().enumerate().skip(1) {
        serves(signature, pass).map_err(at(Kind::Signature, index))?;
    }
    for (index, test) in pass.measure.iter().enumerate() {
        estimated(test, pass).map_err(at(Kind::Measure, index))?;
    }
    if !pass.measure.iter().any(Test::is_floor) {
        let reason = "it asks for no likeness: add a test with >= or =, or `equal`";
        return Err(at(Kind::Measure, 0)(reason.to_owned()));
    }
    Ok(())
}

fn stages(pass: &Pass) -> [(Kind, &[Stage]); 4] {
    [
        (Kind::Tokens, std::slice::from_ref(&pass.tokens)),
        (Kind::Features, std::slice::from_ref(&pass.features)),
        (Kind::Signature, &pass.signatures),
        (Kind::Keys, &pass.keys),
    ]
}

/// Keys are cut from the first signature.
fn cut_from(keys: &Stage, pass: &Pass) -> Result<(), String> {
    let signature = pass.signature().name();
    if keys.entry.signatures.contains(&signature) {
        return Ok(());
    }
    let fitting: Vec<String> =
        Kind::Keys.entries().iter().filter(|entry| entry.signatures.contains(&signature)).map(|entry| entry.form()).collect();
    Err(format!(
        "{} keys are cut from {}, and the first signature is {signature}; keys of {signature}: {}",
        keys.name(),
        keys.entry.signatures.join(" or "),
        fitting.join(", ")
    ))
}

/// Keys of one kind are written once.
fn differs(keys: &Stage, before: &[Stage]) -> Result<(), String> {
    let same =
        |other: &&Stage| (other.name(), other.args(), other.options().matches()) == (keys.name(), keys.args(), keys.options().matches());
    match before.iter().find(same) {
        Some(other) => Err(format!("`{other}` stands before it with the same keys: write one of them")),
        None => Ok(()),
    }
}

/// A signature after the first is there for an estimate.
fn serves(signature: &Stage, pass: &Pass) -> Result<(), String> {
    if signature.is_auto() {
        return Err("auto follows from the bands, and bands are cut from the first signature: write a number".to_owned());
    }
    if signature.options().seed() != &Seed::default() {
        return Err("a pass has one seed: write it at the first signature".to_owned());
    }
    let used = pass.measure.iter().any(|test| estimators(test).contains(&signature.name()));
    if used {
        Ok(())
    } else {
        Err("nothing uses it: keys come from the first signature, and no test is an estimate by this one".to_owned())
    }
}

/// An estimate needs a signature that gives it.
fn estimated(test: &Test, pass: &Pass) -> Result<(), String> {
    let Test::Compare { estimate, measure, .. } = test else {
        return Ok(());
    };
    let name = measure.name;
    if *estimate && measure.lossy {
        return Err(format!("{name} is measured on signatures in any case: write it without ~"));
    }
    if !estimate && !measure.lossy {
        return Ok(());
    }
    let able = measure.signatures;
    if pass.signatures.iter().any(|signature| able.contains(&signature.name())) {
        return Ok(());
    }
    Err(match able {
        [] => format!("no signature estimates {name}: write it without ~"),
        able if measure.lossy => format!("{name} is measured on {}, and the pass has none", able.join(" or ")),
        able => format!("~{name} is estimated by {}, and the pass has none: write it without ~", able.join(" or ")),
    })
}

/// The signatures whose values `test` looks at; none when it looks at none.
fn estimators(test: &Test) -> &'static [&'static str] {
    match test {
        Test::Compare { estimate, measure, .. } if *estimate || measure.lossy => measure.signatures,
        _ => &[],
    }
}
