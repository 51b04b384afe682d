//! Compiling: a pass as it is written becomes a pass that runs.

use crate::estimates::{Estimate, angle};
use crate::features::{Features, Shingles};
use crate::keys::{Bands, Blocks, Each, Keys, Plan, Prefix};
use crate::measures::{Bound, Measure, Operator};
use crate::pass::{Kept, Pass};
use crate::ratio::Ratio;
use crate::scheme::{self, Argument, Scheme, Stage, Weight};
use crate::signatures::{Digest, MinHash, Projection, Signature, SimHash, Whole};
use crate::test::Test;
use crate::{Error, Result};
use neardup_text::Unit;

/// Makes the one pass of `scheme` ready to run; every `auto` must be filled in.
///
/// # Errors
/// [`Error::Scheme`] for what a scheme may say but no engine runs: several passes or kinds of keys, weights.
/// [`Error::SeedFile`] for a secret that cannot be read.
pub fn compile(scheme: &Scheme) -> Result<Pass> {
    let [pass] = scheme.passes() else {
        return Err(refuse(
            "pass",
            scheme,
            "several passes are not run; exact copies are collapsed before any pass, without being asked for",
        ));
    };
    let [keys] = pass.keys() else {
        return Err(refuse("keys", pass, "several kinds of keys are not run: write one"));
    };
    let seed = pass.signature().options().seed().open()?.seed;
    let signatures: Vec<Signature> = pass.signatures().iter().map(|stage| signed(stage, pass, seed)).collect::<Result<_>>()?;
    let mut tests = Tests { pass, keys: keyed(keys, pass)?, kept: Vec::new() };
    let compiled = pass.measure().iter().map(|test| tests.test(test)).collect::<Result<_>>()?;
    Ok(Pass {
        unit: pass.tokens().name().parse::<Unit>().map_err(|_| refuse("tokens", pass.tokens(), "not a unit"))?,
        features: features(pass.features())?,
        signatures,
        keys: tests.keys,
        tests: compiled,
        kept: tests.kept,
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

fn signed(stage: &Stage, pass: &scheme::Pass, seed: u64) -> Result<Signature> {
    let distinct = match (stage.name(), pass.features().options().weight()) {
        (_, Weight::One) => true,
        ("projection" | "simhash", Weight::Frequency) => false,
        _ => return Err(refuse("features", pass.features(), "this weight is not run: leave weight= out")),
    };
    match (stage.name(), stage.args()) {
        ("digest", []) => Ok(Signature::Digest(Digest)),
        ("minhash", &[Argument::Count(slots)]) => Ok(Signature::MinHash(MinHash::new(slots as usize, seed))),
        ("projection", &[Argument::Count(bits)]) => Ok(Signature::Projection(Projection::new(bits as usize, seed, distinct))),
        ("simhash", &[Argument::Count(bits)]) => Ok(Signature::SimHash(SimHash { bits: bits as usize, distinct })),
        ("whole", []) => Ok(Signature::Whole(Whole)),
        _ => Err(refuse("signature", stage, "is not run; is auto still to be filled in?")),
    }
}

fn keyed(stage: &Stage, pass: &scheme::Pass) -> Result<Keys> {
    let least = stage.options().matches();
    match (stage.name(), stage.args()) {
        ("bands", &[Argument::Grid(grid)]) => {
            Ok(Keys::Bands(Bands { bands: grid.bands as usize, rows: grid.rows as usize, least: least as usize }))
        }
        ("blocks", &[Argument::Count(distance), Argument::Name(plan)]) => {
            let bits = count(pass.signature()).ok_or_else(|| refuse("signature", pass.signature(), "its bits are not known"))?;
            let plan = Plan::find(plan).ok_or_else(|| refuse("keys", stage, "not a plan"))?;
            Ok(Keys::Blocks(Blocks::new(bits as usize, distance as usize, plan)))
        }
        // A digest is kept as two values.
        ("each", []) => Ok(Keys::Each(Each { least: least * if pass.signature().name() == "digest" { 2 } else { 1 } })),
        ("prefix", &[Argument::Share(threshold)]) => Ok(Keys::Prefix(Prefix { threshold })),
        _ => Err(refuse("keys", stage, "is not run; is auto still to be filled in?")),
    }
}

fn count(stage: &Stage) -> Option<u64> {
    match stage.args().first() {
        Some(&Argument::Count(count)) => Some(count),
        _ => None,
    }
}

/// The tests of a pass while they are compiled, and what they need to be kept.
struct Tests<'a> {
    pass: &'a scheme::Pass,
    keys: Keys,
    kept: Vec<Kept>,
}

impl Tests<'_> {
    fn test(&mut self, written: &scheme::Test) -> Result<Test> {
        match *written {
            scheme::Test::Equal => {
                let number = Ratio { numerator: self.keys.least(), denominator: 1 };
                let part = self.part(Kept::Keys);
                Ok(Test::Kept { part, estimate: Estimate::Shared, bound: Bound { operator: Operator::AtLeast, number } })
            }
            scheme::Test::Compare { estimate, measure, operator, number, .. } => {
                let bound = Bound { operator, number };
                let by_features = || match measure.name {
                    "containment" => Some(Measure::Containment),
                    "resemblance" => Some(Measure::Resemblance),
                    _ => None,
                };
                if let Some(measure) = by_features().filter(|_| !estimate) {
                    return Ok(Test::Features(measure, bound));
                }
                if !estimate && !measure.lossy {
                    return Err(refuse("measure", written, &format!("it is not run on features: write ~{}, its estimate", measure.name)));
                }
                let signatures = self.pass.signatures().iter().enumerate();
                let mut able = signatures.filter_map(|(number, stage)| Some((number, stage, estimated(measure.name, bound, stage)?)));
                let (signature, stage, (estimate, bound)) = able.next().ok_or_else(|| refuse("measure", written, "is not run"))?;
                if let Estimate::Agreeing { bits } = estimate
                    && measure.name == "agree"
                    && number > (Ratio { numerator: bits, denominator: 1 })
                {
                    return Err(refuse("measure", written, &format!("`{stage}` has {bits} bits: write {bits} or less")));
                }
                Ok(Test::Kept { part: self.part(Kept::Signature(signature)), estimate, bound })
            }
        }
    }

    /// The number of a part, which is kept from now on.
    fn part(&mut self, kept: Kept) -> usize {
        self.kept.iter().position(|part| *part == kept).unwrap_or_else(|| {
            self.kept.push(kept);
            self.kept.len() - 1
        })
    }
}

/// How a signature says something of a measure, and what it must say for the bound; None when it says nothing.
fn estimated(measure: &str, bound: Bound, stage: &Stage) -> Option<(Estimate, Bound)> {
    match (measure, stage.name()) {
        ("resemblance", "minhash") => Some((Estimate::Slots { slots: count(stage)? }, bound)),
        ("hamming", "simhash" | "projection" | "given") => Some((Estimate::Differing, bound)),
        ("agree", "simhash" | "projection" | "given") => Some((Estimate::Agreeing { bits: count(stage)? }, bound)),
        ("cosine", "simhash" | "projection") => {
            let bits = count(stage)?;
            Some((Estimate::Agreeing { bits }, angle::agreeing(bits, &bound)))
        }
        _ => None,
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
        assert!(compiled("words | shingles:3 weight=tf | projection:64 | blocks:3,double | hamming<=3 & ~cosine>=0.9").is_ok());
        for (line, reason) in [
            ("words | shingles:5 | whole | prefix:0.8 | resemblance>=0.8 ; words | shingles:1 | digest | each | equal", "several passes"),
            ("words | shingles:5 | minhash:96 | bands:16x6 + bands:6x14 | resemblance>=0.8", "several kinds of keys"),
            ("words | shingles:3 | simhash:64 | blocks:3 | hamming<=3", "still to be filled in"),
            ("words | shingles:3 | simhash:64 | blocks:3,single | hamming<=3 & cosine>=0.9", "write ~cosine, its estimate"),
            ("words | shingles:3 | simhash:64 | blocks:3,single | hamming<=3 & agree>=65", "has 64 bits: write 64 or less"),
            ("words | shingles:3 weight=tf | digest | each | equal", "this weight is not run"),
            ("words | shingles:3 weight=idf:words.idf | simhash:64 | blocks:3,single | hamming<=3", "this weight is not run"),
        ] {
            let error = compiled(line).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
