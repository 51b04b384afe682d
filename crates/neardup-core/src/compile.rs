//! Compiling: a pass as it is written becomes a pass that runs.

use crate::estimates::Estimate;
use crate::features::{Abstract, Bits, Chunks, Features, IdfBand, Keywords, Rabin, Shingles, Spots, Terms};
use crate::keys::{Bands, Blocks, EachValue, KeyKind, Keys, Lengths, Prefix, RareKeys, TablePlan};
use crate::measures::levenshtein::Costs;
use crate::measures::{Bound, Measure, TextMeasure};
use crate::pass::compiled::{CompiledPass, SketchContent};
use crate::pass::test::CompiledTest;
use crate::scheme::{self, Argument, CORPUS, FeatureHash, Frame, PUBLIC_SEED, Scheme, Stage, Weight};
use crate::signatures::{
    self, Digest, GivenFingerprint, Levels, Lexicons, MinHash, Minima, Moduli, Projection, Signature, SimHash, SuperShingles, Whole,
};
use crate::signing::counting::Counting;
use crate::terms::lexicon::Lexicon;
use crate::terms::weigher::Weigher;
use crate::util::ratio::Ratio;
use crate::{Error, Result};
use neardup_text::Unit;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// See [`RareKeys::above`]: up to here, comparing costs less than reading the documents again.
const COMMON: u32 = 1000;

/// Makes the one pass of `scheme`, which needs no lexicon, ready to run; every `auto` must be filled in.
///
/// # Errors
/// As [`compile_with`]; [`Error::File`] when the scheme needs a lexicon.
pub fn compile(scheme: &Scheme) -> Result<CompiledPass> {
    compile_with(scheme, &|path| {
        let reason = "no lexicon is at hand here; name a file, which a run leaves as lexicon.parquet".to_owned();
        Err(Error::File { what: LEXICON, path: path.to_owned(), reason })
    })
}

/// What the file of a lexicon is called in errors.
pub const LEXICON: &str = "lexicon";

/// Makes the one pass of `scheme` ready to run, as [`compile_pass`].
///
/// # Errors
/// As [`compile_pass`]; [`Error::Scheme`] for a scheme of several passes.
pub fn compile_with(scheme: &Scheme, open: &dyn Fn(&Path) -> Result<Arc<Lexicon>>) -> Result<CompiledPass> {
    match scheme.passes() {
        [pass] => compile_pass(pass, open),
        _ => Err(refuse("pass", scheme, "one pass at a time is looked at here: write one")),
    }
}

/// Makes a pass ready to run; every `auto` must be filled in. `open` gives the lexicon of a path, and of
/// [`CORPUS`](crate::scheme::CORPUS) that of the documents themselves.
///
/// # Errors
/// [`Error::Scheme`] where an argument is still `auto`. [`Error::SeedFile`] for a secret that cannot be read,
/// [`Error::File`] for a lexicon of other features or a list of antecedents that cannot be used, and what `open` gives.
pub fn compile_pass(pass: &scheme::Pass, open: &dyn Fn(&Path) -> Result<Arc<Lexicon>>) -> Result<CompiledPass> {
    let weigher = weigher(pass, open)?;
    let seed = pass.signature().options().seed().open()?.seed;
    let signatures: Vec<Signature> = pass.signatures().iter().map(|stage| signed(stage, &weigher, seed)).collect::<Result<_>>()?;
    let mut tests = Tests { pass, kept: Vec::new() };
    let compiled: Vec<CompiledTest> = pass.measure().iter().map(|test| tests.test(test)).collect::<Result<_>>()?;
    let unit = pass.tokens().name().parse::<Unit>().map_err(|_| refuse("tokens", pass.tokens(), "not a unit"))?;
    let frame = frame(pass, open)?;
    let features = features(pass.features(), &weigher, frame, unit, seed)?;
    Ok(CompiledPass {
        unit,
        // The bits of a fingerprint are those of the integer itself.
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

/// The shingles that a pass leaves out.
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

/// Refuses a lexicon of other features than a pass looks up.
fn fits(lexicon: &Lexicon, counting: &Counting, path: PathBuf) -> Result<()> {
    if lexicon.counted() == counting.counted() {
        return Ok(());
    }
    let reason = format!("it was counted from `{}`, and the scheme looks up `{}`", lexicon.counted(), counting.counted());
    Err(Error::File { what: LEXICON, path, reason })
}

fn features(stage: &Stage, weigher: &Weigher, frame: Option<Arc<Lexicon>>, unit: Unit, seed: u64) -> Result<Features> {
    match (stage.name(), stage.args()) {
        ("abstract", &[Argument::Count(length)]) => Ok(Features::Abstract(Abstract { length: length as usize })),
        ("bits", &[Argument::Count(bits)]) => Ok(Features::Bits(Bits { bits: bits as usize })),
        ("chunks", &[Argument::Count(length)]) => Ok(Features::Chunks(Chunks { length: length as usize })),
        ("chunks", [Argument::Name(_)]) => Ok(Features::Chunks(Chunks { length: usize::MAX })),
        ("keywords", &[Argument::Count(count), Argument::Name(order)]) => {
            Ok(Features::Keywords(Keywords { count: count as usize, ranked: order == "ranked", weigher: weigher.clone() }))
        }
        ("shingles", &[Argument::Count(width)]) if stage.options().hash() == FeatureHash::Rabin => {
            Ok(Features::Rabin(Rabin::new(width as usize, seed)))
        }
        ("shingles", &[Argument::Count(width)]) => Ok(Features::Shingles(Shingles { width: width as usize, frame })),
        ("spots", &[Argument::Count(chain), Argument::Count(distance)]) => {
            let antecedents = Arc::new(stage.options().antecedents().open(unit, seed)?);
            Ok(Features::Spots(Spots { antecedents, chain: chain as usize, distance: distance as usize }))
        }
        ("terms", &[Argument::Share(low), Argument::Share(high)]) => {
            let is_banded = low != Ratio::ZERO || high != Ratio::ONE;
            let lexicon = weigher.lexicon().filter(|_| is_banded);
            let band = lexicon.map(|lexicon| IdfBand { lexicon: Arc::clone(lexicon), idf: lexicon.band(low, high) });
            Ok(Features::Terms(Terms { band }))
        }
        _ => Err(refuse("features", stage, "is not run")),
    }
}

fn signed(stage: &Stage, weigher: &Weigher, seed: u64) -> Result<Signature> {
    let weigher = match (stage.options().of(), stage.options().weight()) {
        (None, _) => weigher,
        (Some(_), Weight::Frequency) => &Weigher::Frequency,
        (Some(_), _) => &Weigher::One,
    };
    match (stage.name(), stage.args()) {
        ("given", [_]) => Ok(Signature::Given(GivenFingerprint)),
        ("levels", &[Argument::Count(least)]) => Ok(Signature::Levels(Levels { least: least as usize })),
        ("digest", &[Argument::Name(name)]) => Ok(Signature::Digest(Digest { hash: hash(name) })),
        ("lexicons", &[Argument::Count(count), Argument::Share(share)]) => {
            Ok(Signature::Lexicons(Lexicons::new(count as usize, share, seed)))
        }
        ("minhash", &[Argument::Count(slots)]) => Ok(Signature::MinHash(MinHash::new(slots as usize, seed))),
        ("minima", &[Argument::Count(size)]) => Ok(Signature::Minima(Minima { size: size as usize })),
        ("moduli", &[Argument::Count(modulus)]) => Ok(Signature::Moduli(Moduli::new(modulus))),
        ("projection", &[Argument::Count(bits)]) => Ok(Signature::Projection(Projection::new(bits as usize, seed, weigher.clone()))),
        ("simhash", &[Argument::Count(bits)]) => Ok(Signature::SimHash(SimHash { bits: bits as usize, weigher: weigher.clone() })),
        ("supershingles", &[Argument::Count(size), Argument::Count(width)]) => {
            Ok(Signature::SuperShingles(SuperShingles { size: size as usize, width: width as usize }))
        }
        ("whole", []) => Ok(Signature::Whole(Whole)),
        _ => Err(refuse("signature", stage, "is not run; is auto still to be filled in?")),
    }
}

fn hash(name: &str) -> signatures::SetHash {
    match name {
        "md5" => signatures::SetHash::Md5,
        "sha1" => signatures::SetHash::Sha1,
        _ => signatures::SetHash::Blake3,
    }
}

fn kind(stage: &Stage, pass: &scheme::Pass, signature: &Signature, tests: &[CompiledTest]) -> Result<KeyKind> {
    let options = stage.options();
    let cap = options.cap().map(|cap| u32::try_from(cap).unwrap_or(u32::MAX));
    let keys = keys(stage, pass, signature)?;
    // Where several keys are asked for, a document of fewer common ones would be taken in without them.
    let may_give_way = cap.is_none() && keys.least() == 1 && keys.complete_from().is_none();
    let threshold = tests.iter().find_map(CompiledTest::least_resemblance).filter(|_| may_give_way);
    let common = threshold.map(|threshold| RareKeys { above: COMMON, threshold });
    Ok(KeyKind { keys, cap, over: options.over(), common, foreseen: Arc::default() })
}

fn keys(stage: &Stage, pass: &scheme::Pass, signature: &Signature) -> Result<Keys> {
    let least = stage.options().matches();
    match (stage.name(), stage.args()) {
        ("bands", &[Argument::Grid(grid)]) => {
            Ok(Keys::Bands(Bands { bands: grid.bands as usize, rows: grid.rows as usize, least: least as usize }))
        }
        ("blocks", &[Argument::Count(distance), Argument::Name(plan)]) => {
            let bits = count(pass.signature()).ok_or_else(|| refuse("signature", pass.signature(), "its bits are not known"))?;
            let plan = TablePlan::find(plan).ok_or_else(|| refuse("keys", stage, "not a plan"))?;
            Ok(Keys::Blocks(Blocks::new(bits as usize, distance as usize, plan)))
        }
        ("each", []) => Ok(Keys::Each(EachValue { least: least * signature.values_per_key() })),
        ("lengths", &[Argument::Share(threshold)]) => Ok(Keys::Lengths(Lengths::new(threshold))),
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
                let by_features = || match measure.name {
                    "containment" => Some(Measure::Containment),
                    "resemblance" => Some(Measure::Resemblance),
                    _ => None,
                };
                if let Some(measure) = by_features().filter(|_| !estimate) {
                    return Ok(CompiledTest::Features(measure, bound));
                }
                if let Some(measure) = of_texts(measure.name, args).filter(|_| !estimate) {
                    return Ok(CompiledTest::Texts(measure, bound));
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

    /// The number of a part, which is kept from now on.
    fn part(&mut self, kept: SketchContent) -> usize {
        self.kept.iter().position(|part| *part == kept).unwrap_or_else(|| {
            self.kept.push(kept);
            self.kept.len() - 1
        })
    }
}

/// What a measure of two texts is, as `lcs` or `levenshtein:words,1,1,2`.
///
/// # Errors
/// [`Error::Scheme`] for a name or argument that there is not, and for a measure that is no measure of two texts.
pub fn text_measure(written: &str) -> Result<TextMeasure> {
    let (name, args) = scheme::read_measure(written).map_err(|reason| refuse("measure", &written, &reason))?;
    of_texts(name, &args).ok_or_else(|| {
        refuse(
            "measure",
            &written,
            "there are bag, cosine, distinct, euclidean, lcs, levenshtein and sim; resemblance and containments are reported in any case",
        )
    })
}

/// The measure of whole texts of this name; None when there is none.
fn of_texts(name: &str, args: &[Argument]) -> Option<TextMeasure> {
    let unit = || match args.first() {
        Some(Argument::Name(name)) => name.parse::<Unit>().ok(),
        _ => None,
    };
    match (name, args) {
        ("bag", _) => Some(TextMeasure::Bag),
        ("cosine", _) => Some(TextMeasure::Cosine),
        ("euclidean", _) => Some(TextMeasure::Euclidean),
        ("distinct", _) => Some(TextMeasure::Distinct(unit()?)),
        ("lcs", _) => Some(TextMeasure::Lcs(unit()?)),
        ("sim", _) => Some(TextMeasure::Sim),
        ("levenshtein", &[_, Argument::Count(insert), Argument::Count(delete), Argument::Count(replace)]) => {
            let [insert, delete, replace] = [insert, delete, replace].map(|cost| cost as u32);
            Some(TextMeasure::Levenshtein(unit()?, Costs { insert, delete, replace }))
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
                "one pass at a time",
            ),
            ("words | shingles:3 | simhash:64 | blocks:3 | hamming<=3", "still to be filled in"),
            ("words | shingles:3 | simhash:64 | blocks:3,single | hamming<=3 & agree>=65", "has 64 bits: write 64 or less"),
            ("words | shingles:3 weight=idf:words.idf | simhash:64 | blocks:3,single | hamming<=3", "no lexicon is at hand"),
            ("words | terms:0.1,0.9 weight=idf:corpus | digest | each | equal", "lexicon corpus: no lexicon is at hand"),
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
