//! Compiles a pass as it is written into a pass that runs.

use crate::estimates::Estimate;
use crate::features::Features;
use crate::keys::{KeyKind, RareKeys};
use crate::measures::{Bound, TextMeasure};
use crate::pass::compiled::{CompiledPass, SketchContent};
use crate::pass::test::CompiledTest;
use crate::scheme::{self, CORPUS, Frame, MakeContext, PUBLIC_SEED, Scheme, Stage, Weight};
use crate::signatures::Signature;
use crate::signing::counting::Counting;
use crate::terms::lexicon::Lexicon;
use crate::terms::weigher::Weigher;
use crate::util::ratio::Ratio;
use crate::{Error, Result};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Value of [`RareKeys::above`]: for at most this many documents, comparing them costs less than reading them again.
const COMMON: u32 = 1000;

/// Compiles the only pass of `scheme`, which must not need a lexicon. Every `auto` must be filled in.
///
/// # Errors
/// As [`compile_with`]; [`Error::File`] if the scheme needs a lexicon.
pub fn compile(scheme: &Scheme) -> Result<CompiledPass> {
    compile_with(scheme, &|path| {
        let reason = "no lexicon is available here; name a file, such as the lexicon.parquet of a run".to_owned();
        Err(Error::File { what: LEXICON, path: path.to_owned(), reason })
    })
}

/// Name of a lexicon file in errors.
pub const LEXICON: &str = "lexicon";

/// Compiles the only pass of `scheme`, as [`compile_pass`].
///
/// # Errors
/// As [`compile_pass`]; [`Error::Scheme`] for a scheme with several passes.
pub fn compile_with(scheme: &Scheme, open: &dyn Fn(&Path) -> Result<Arc<Lexicon>>) -> Result<CompiledPass> {
    match scheme.passes() {
        [pass] => compile_pass(pass, open),
        _ => Err(refuse("pass", scheme, "only one pass is supported here: write one")),
    }
}

/// Compiles a pass. Every `auto` must be filled in. `open` returns the lexicon at a path; for the path
/// [`CORPUS`] it returns that of the documents themselves.
///
/// # Errors
/// [`Error::Scheme`] if an argument is still `auto`; [`Error::SeedFile`] if a secret cannot be read; [`Error::File`]
/// for a lexicon of other features or a list of antecedents that cannot be used; and any error of `open`.
pub fn compile_pass(pass: &scheme::Pass, open: &dyn Fn(&Path) -> Result<Arc<Lexicon>>) -> Result<CompiledPass> {
    let weigher = weigher(pass, open)?;
    let seed = pass.signature().options().seed().open()?.seed;
    let rules = pass.token_rules();
    let context = MakeContext { weigher: &weigher, frame: frame(pass, open)?, rules, seed };
    let signatures: Vec<Signature> = pass.signatures().iter().map(|stage| signature(stage, &context)).collect::<Result<_>>()?;
    let mut tests = Tests { pass, kept: Vec::new() };
    let compiled: Vec<CompiledTest> = pass.measure().iter().map(|test| tests.test(test)).collect::<Result<_>>()?;
    let features = pass.features().make_features(&context)?.ok_or_else(|| unfilled("features", pass.features()))?;
    Ok(CompiledPass {
        rules,
        // The features are the bits of the given integer itself, which a seed must not change.
        seed: if matches!(features, Features::Bits(_)) { PUBLIC_SEED } else { seed },
        features,
        weigher,
        kinds: pass.keys().iter().map(|stage| kind(stage, pass, &signatures[0], &compiled)).collect::<Result<_>>()?,
        signatures,
        tests: compiled,
        kept: tests.kept,
    })
}

fn weigher(pass: &scheme::Pass, open: &dyn Fn(&Path) -> Result<Arc<Lexicon>>) -> Result<Weigher> {
    match pass.features().options().weight() {
        Weight::One => Ok(Weigher::One),
        Weight::Frequency => Ok(Weigher::Frequency),
        Weight::Rarity(path) => {
            let lexicon = open(&path)?;
            fits(&lexicon, &Counting::of(pass)?, path)?;
            Ok(Weigher::Rarity(lexicon))
        }
    }
}

/// Returns the lexicon of the shingles that the pass ignores.
fn frame(pass: &scheme::Pass, open: &dyn Fn(&Path) -> Result<Arc<Lexicon>>) -> Result<Option<Arc<Lexicon>>> {
    let path = match pass.features().options().frame() {
        None => return Ok(None),
        Some(Frame::Share(_)) => PathBuf::from(CORPUS),
        Some(Frame::File(path)) => path.clone(),
    };
    let frame = open(&path)?;
    fits(&frame, &Counting::of_frame(pass)?, path)?;
    Ok(Some(frame))
}

/// Returns an error if the lexicon counted other features than the pass looks up.
fn fits(lexicon: &Lexicon, counting: &Counting, path: PathBuf) -> Result<()> {
    if lexicon.counted() == counting.counted() {
        return Ok(());
    }
    let reason = format!("it was counted from `{}`, and the scheme looks up `{}`", lexicon.counted(), counting.counted());
    Err(Error::File { what: LEXICON, path, reason })
}

/// Makes a signature. If it has an `of` option, it weighs those features; otherwise it uses the weigher of the pass.
fn signature(stage: &Stage, context: &MakeContext<'_>) -> Result<Signature> {
    let weigher = match (stage.options().of(), stage.options().weight()) {
        (None, _) => context.weigher,
        (Some(_), Weight::Frequency) => &Weigher::Frequency,
        (Some(_), _) => &Weigher::One,
    };
    stage.make_signature(&MakeContext { weigher, ..context.clone() }).ok_or_else(|| unfilled("signature", stage))
}

fn kind(stage: &Stage, pass: &scheme::Pass, signature: &Signature, tests: &[CompiledTest]) -> Result<KeyKind> {
    let options = stage.options();
    let cap = options.cap().map(|cap| u32::try_from(cap).unwrap_or(u32::MAX));
    let keys = stage.make_keys(pass, signature).ok_or_else(|| unfilled("keys", stage))?;
    // Rarer keys replace common ones only if one shared key is enough. Otherwise, they would propose documents that
    // share fewer keys than required.
    let may_give_way = cap.is_none() && keys.least() == 1 && keys.complete_from().is_none();
    let threshold = tests.iter().find_map(CompiledTest::least_resemblance).filter(|_| may_give_way);
    let common = threshold.map(|threshold| RareKeys { above: COMMON, threshold });
    Ok(KeyKind { keys, cap, over: options.over(), common, foreseen: Arc::default() })
}

/// The tests of a pass while they are compiled, with the sketch contents that they need.
struct Tests<'a> {
    pass: &'a scheme::Pass,
    kept: Vec<SketchContent>,
}

impl Tests<'_> {
    fn test(&mut self, written: &scheme::Test) -> Result<CompiledTest> {
        match *written {
            scheme::Test::Equal => {
                let parts: Vec<usize> = (0..self.pass.keys().len()).map(|kind| self.part(SketchContent::Keys(kind))).collect();
                Ok(CompiledTest::Equal { part: parts[0] })
            }
            scheme::Test::Compare { estimate, measure, ref args, operator, number } => {
                let bound = Bound { operator, number };
                if let Some(of_features) = measure.measure_facts.of_features.filter(|_| !estimate) {
                    return Ok(CompiledTest::Features(of_features, bound));
                }
                if let Some(of_texts) = (measure.measure_facts.of_texts)(args).filter(|_| !estimate) {
                    return Ok(CompiledTest::Texts(of_texts, bound));
                }
                let signatures = self.pass.signatures().iter().enumerate();
                let mut able = signatures.filter_map(|(number, stage)| Some((number, stage, stage.estimate(measure.name, bound)?)));
                let (signature, stage, (estimate, bound)) = able.next().ok_or_else(|| refuse("measure", written, "is not run"))?;
                if let Estimate::Agreeing { bits } = estimate
                    && number > (Ratio { numerator: bits, denominator: 1 })
                {
                    return Err(refuse("measure", written, &format!("`{stage}` has {bits} bits: write {bits} or less")));
                }
                let kept = stage.options().of().map_or(SketchContent::Signature(signature), |unit| SketchContent::Of(unit, signature));
                Ok(CompiledTest::Kept { part: self.part(kept), estimate, bound })
            }
        }
    }

    /// Returns the index of a sketch part, and adds the part if it is new.
    fn part(&mut self, kept: SketchContent) -> usize {
        self.kept.iter().position(|part| *part == kept).unwrap_or_else(|| {
            self.kept.push(kept);
            self.kept.len() - 1
        })
    }
}

/// Parses a measure of two texts, such as `lcs` or `levenshtein:words,1,1,2`.
///
/// # Errors
/// [`Error::Scheme`] for an unknown name, for a wrong argument, and for a measure that does not compare two texts.
pub fn text_measure(written: &str) -> Result<TextMeasure> {
    let (measure, args) = scheme::read_measure(written).map_err(|reason| refuse("measure", &written, &reason))?;
    (measure.measure_facts.of_texts)(&args).ok_or_else(|| {
        refuse(
            "measure",
            &written,
            "there are bag, cosine, distinct, euclidean, lcs, levenshtein and sim; resemblance and containments are reported in any case",
        )
    })
}

fn unfilled(stage: &'static str, written: &Stage) -> Error {
    refuse(stage, written, "is not run; is auto still to be filled in?")
}

fn refuse(stage: &'static str, written: &impl ToString, reason: &str) -> Error {
    Error::Scheme { stage, written: written.to_string(), column: 1, reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexicon(counted: &str) -> Arc<Lexicon> {
        Arc::new(Lexicon::new(9, counted.to_owned(), vec![1, 2], vec![3, 4]).unwrap())
    }

    #[test]
    fn what_runs_and_what_does_not() {
        let compiled = |line: &str| compile(&line.parse().unwrap());
        assert!(compiled("words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8").is_ok());
        assert!(compiled("chars | shingles:3 | whole | prefix:0.5 | resemblance>=0.5 & resemblance<1").is_ok());
        assert!(compiled("words | keywords:3 weight=tf | digest | each | equal").is_ok());
        assert!(compiled("words | shingles:3 weight=tf | projection:64 | blocks:3,double | hamming<=3 & ~cosine>=0.9").is_ok());
        for (line, reason) in [
            (
                "words | shingles:5 | whole | prefix:0.8 | resemblance>=0.8 ; words | shingles:1 | digest | each | equal",
                "only one pass is supported",
            ),
            ("words | shingles:3 | simhash:64 | blocks:3 | hamming<=3", "still to be filled in"),
            ("words | shingles:3 | simhash:64 | blocks:3,single | hamming<=3 & agree>=65", "has 64 bits: write 64 or less"),
            ("words | shingles:3 weight=idf:words.idf | simhash:64 | blocks:3,single | hamming<=3", "no lexicon is available"),
            ("words | terms:0.1,0.9 weight=idf:corpus | digest | each | equal", "lexicon corpus: no lexicon is available"),
            ("words | spots antecedents=file:no/list | whole | lengths:0.5 | resemblance>=0.5", "antecedents no/list: "),
        ] {
            let error = compiled(line).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn a_lexicon_is_of_the_features_it_is_asked_for() {
        let lexicon = lexicon("words | shingles:1 seed=0");
        let compiled = |line: &str| {
            compile_with(&line.parse().unwrap(), &|path| {
                assert_eq!(path, Path::new("old"));
                Ok(Arc::clone(&lexicon))
            })
        };
        let pass = compiled("words | terms:0.1,0.9 weight=idf:old | digest:sha1 | each | equal").unwrap();
        assert_eq!(pass.weigher.lexicon(), Some(&lexicon));
        assert!(compiled("words | keywords weight=idf:old | digest:md5 | each | equal").is_ok());
        for (line, wanted) in [
            ("eojeol | terms weight=idf:old | digest | each | equal", "`eojeol | shingles:1 seed=0`"),
            ("words | terms weight=idf:old | digest seed=7 | each | equal", "`words | shingles:1 seed=7`"),
        ] {
            let error = compiled(line).unwrap_err().to_string();
            assert!(error.contains("lexicon old: it was counted from `words | shingles:1 seed=0`") && error.contains(wanted), "{error}");
        }
    }
}
