//! Compiling: a pass as it is written becomes a pass that runs.

use crate::features::{Features, Shingles};
use crate::keys::{Bands, Keys, Prefix};
use crate::measures::{Measure, Test};
use crate::pass::Pass;
use crate::scheme::{self, Argument, Scheme, Stage, Weight};
use crate::signatures::{MinHash, Signature, Whole};
use crate::{Error, Result};
use neardup_text::Unit;

/// Makes the one pass of `scheme` ready to run; every `auto` must be filled in.
///
/// # Errors
/// [`Error::Scheme`] for what a scheme may say but no engine runs: several passes, signatures or keys, estimates,
/// `equal`, `match=` above 1, weights. [`Error::SeedFile`] for a secret that cannot be read.
pub fn compile(scheme: &Scheme) -> Result<Pass> {
    let [pass] = scheme.passes() else {
        return Err(refuse(
            "pass",
            scheme,
            "several passes are not run; exact copies are collapsed before any pass, without being asked for",
        ));
    };
    let (signature, keys) = match (pass.signatures(), pass.keys()) {
        ([signature], [keys]) => (signature, keys),
        ([_], _) => return Err(refuse("keys", pass, "several kinds of keys are not run: write one")),
        _ => return Err(refuse("signature", pass, "several signatures are not run: write one")),
    };
    if keys.options().matches() > 1 {
        return Err(refuse("keys", keys, "match= above 1 is not run: write more rows in a band instead"));
    }
    if pass.features().options().weight() != Weight::One {
        return Err(refuse("features", pass.features(), "weights are not run: leave weight= out"));
    }
    let seed = signature.options().seed().open()?.seed;
    Ok(Pass {
        unit: pass.tokens().name().parse::<Unit>().map_err(|_| refuse("tokens", pass.tokens(), "not a unit"))?,
        features: features(pass.features())?,
        signature: signed(signature, seed)?,
        keys: keyed(keys)?,
        tests: pass.measure().iter().map(test).collect::<Result<_>>()?,
        cap: keys.options().cap().map(|cap| u32::try_from(cap).unwrap_or(u32::MAX)),
        over: keys.options().over(),
        seed,
    })
}

fn features(stage: &Stage) -> Result<Features> {
    match (stage.name(), stage.args()) {
        ("shingles", &[Argument::Count(width)]) => Ok(Features::Shingles(Shingles { width: width as usize })),
        _ => Err(refuse("features", stage, "is not run")),
    }
}

fn signed(stage: &Stage, seed: u64) -> Result<Signature> {
    match (stage.name(), stage.args()) {
        ("minhash", &[Argument::Count(slots)]) => Ok(Signature::MinHash(MinHash::new(slots as usize, seed))),
        ("whole", []) => Ok(Signature::Whole(Whole)),
        _ => Err(refuse("signature", stage, "is not run; is auto still to be filled in?")),
    }
}

fn keyed(stage: &Stage) -> Result<Keys> {
    match (stage.name(), stage.args()) {
        ("bands", &[Argument::Grid(grid)]) => Ok(Keys::Bands(Bands { bands: grid.bands as usize, rows: grid.rows as usize })),
        ("prefix", &[Argument::Share(threshold)]) => Ok(Keys::Prefix(Prefix { threshold })),
        _ => Err(refuse("keys", stage, "is not run; is auto still to be filled in?")),
    }
}

fn test(test: &scheme::Test) -> Result<Test> {
    match *test {
        scheme::Test::Compare { estimate: false, measure, operator, number } => {
            let measure = if measure == "containment" { Measure::Containment } else { Measure::Resemblance };
            Ok(Test { measure, operator, ratio: number })
        }
        _ => Err(refuse("measure", test, "is not run: every pair is verified, so write a plain measure, as resemblance>=0.8")),
    }
}

fn refuse(stage: &'static str, written: &impl ToString, reason: &str) -> Error {
    Error::Scheme { stage, written: written.to_string(), column: 1, reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_and_what_does_not() {
        let compiled = |line: &str| compile(&line.parse().unwrap());
        assert!(compiled("words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8").is_ok());
        assert!(compiled("chars | shingles:3 | whole | prefix:0.5 | resemblance>=0.5 & resemblance<1").is_ok());
        for (line, reason) in [
            ("words | shingles:5 | minhash:96 | bands:16x6 | ~resemblance>=0.8", "plain measure"),
            ("words | shingles:5 | minhash:84 | bands:6x14 match=2 | equal", "match="),
        ] {
            let error = compiled(line).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
