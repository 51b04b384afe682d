//! Broder, Glassman, Manasse, Zweig 1997: estimates from samples, their errors, and their limits.

use crate::support::unwatched::Unwatched;
use neardup_core::candidates::arrange::arrange;
use neardup_core::candidates::buckets::Buckets;
use neardup_core::candidates::numbered::Candidates;
use neardup_core::candidates::texts::TextAccess;
use neardup_core::candidates::thin_samples::thin;
use neardup_core::compile::compile;
use neardup_core::decide::compare::Comparer;
use neardup_core::decide::pairs::{Pair, score};
use neardup_core::estimates::Estimate;
use neardup_core::keys::{EachValue, Keys};
use neardup_core::measures::Overlap;
use neardup_core::sets::parts::SketchPart;
use neardup_core::sets::set::Set;
use neardup_core::signatures::{Levels, Minima, Moduli, Signature, Values};
use neardup_core::signing::ignored_keys::Ignored;
use neardup_core::signing::segment::ChunkBuilder;
use neardup_core::signing::segments::Segments;
use neardup_core::signing::signer::Signer;
use neardup_core::util::ids::{DocId, Rank};
use neardup_core::util::splitmix::SplitMix;
use neardup_core::util::store::Store;
use neardup_text::Text;
use neardup_text::simd::Level;
use std::sync::Arc;

const ROSE: &str = "a rose is a rose is a rose";

/// Returns the overlap of the w-shingles of two texts, hashed with `hash`.
fn overlap(left: &str, right: &str, width: usize, hash: &str) -> Overlap {
    let line = format!("words | shingles:{width} hash={hash} | whole | each | resemblance>=0.5");
    let mut signer = Signer::new(&compile(&line.parse().unwrap()).unwrap());
    let (mut l, mut r) = (Set::default(), Set::default());
    signer.set(Text::Plain(left.as_bytes()), &mut l);
    signer.set(Text::Plain(right.as_bytes()), &mut r);
    l.overlap(r.features())
}

#[test]
fn the_rose() {
    for hash in ["mix", "rabin"] {
        let of = |left, right, width| {
            let Overlap { shared, left, right } = overlap(left, right, width, hash);
            (shared, left, right)
        };
        // Five runs of four words: (a rose is a) and (rose is a rose) occur twice, (is a rose is) once.
        assert_eq!(of(ROSE, ROSE, 4), (3, 3, 3), "{hash}");
        assert_eq!(of(ROSE, "A rose is a flower", 4), (1, 3, 2), "{hash}");
        assert_eq!(of(ROSE, "a rose is", 1), (3, 3, 3), "{hash}");
        assert_eq!(of(ROSE, "a rose is", 4), (0, 3, 1), "{hash}");
        let flower = overlap(ROSE, "a rose is a flower", 4, hash);
        assert_eq!((flower.union(), flower.right_in_left(), flower.resemblance()), (4, 0.5, 0.25));
    }
}

/// Returns two sets with numbers of features in both, only in the left, and only in the right.
fn sets(shared: usize, left: usize, right: usize, seed: u64) -> (Vec<u64>, Vec<u64>) {
    let mut stream = SplitMix::new(seed);
    let mut draw = |count: usize| (0..count).map(|_| stream.draw()).collect::<Vec<_>>();
    let both = draw(shared);
    ([both.clone(), draw(left)].concat(), [draw(right), both].concat())
}

fn signed(signature: &Signature, features: &[u64]) -> Values {
    let mut values = Values::default();
    signature.sign(Level::best(), features, &mut (), &mut values);
    values
}

fn part(values: &Values) -> SketchPart<'_> {
    SketchPart { level: values.level, values: &values.wide }
}

/// Returns the mean error and the mean squared error of many estimates.
fn errors(signature: &Signature, estimate: Estimate, truth: f64, size: (usize, usize, usize)) -> (f64, f64) {
    const ROUNDS: u64 = 600;
    let errors = (0..ROUNDS).map(|seed| {
        let (left, right) = sets(size.0, size.1, size.2, seed << 32);
        let (left, right) = (signed(signature, &left), signed(signature, &right));
        let (count, whole) = estimate.fraction(part(&left), part(&right));
        count as f64 / whole as f64 - truth
    });
    let errors: Vec<f64> = errors.collect();
    let mean = |square: fn(f64) -> f64| errors.iter().map(|&error| square(error)).sum::<f64>() / ROUNDS as f64;
    (mean(|error| error), mean(|error| error * error))
}

#[test]
fn estimates_are_unbiased_and_their_errors_are_as_stated() {
    let (minima, moduli, levels) =
        (Signature::Minima(Minima { size: 100 }), Signature::Moduli(Moduli::new(20)), Signature::Levels(Levels { least: 50 }));
    // Features in both sets, only left, and only right. A union of 2000 features gives 100 values in each sample. Of texts of
    // 1600 to 3200 features, levels:50 keeps one feature in 32.
    for (shared, left, right) in [(400usize, 800usize, 800usize), (1000, 500, 500), (1600, 200, 200), (1800, 200, 0)] {
        let union = shared + left + right;
        let resemblance = shared as f64 / union as f64;
        let contained = shared as f64 / (shared + left.min(right)) as f64;
        for (signature, estimate, truth, values) in [
            (&minima, Estimate::Minima { size: 100 }, resemblance, 100.0),
            (&moduli, Estimate::Sampled, resemblance, union as f64 / 20.0),
            (&levels, Estimate::Sampled, resemblance, union as f64 / f64::from(1u32 << ((shared + left.max(right)) / 50usize).ilog2())),
            (&moduli, Estimate::Contained, contained, (shared + left.min(right)) as f64 / 20.0),
        ] {
            let (mean, square) = errors(signature, estimate, truth, (shared, left, right));
            let expected = truth * (1.0 - truth) / values;
            // The standard error of a mean of 600 is 24 times smaller: five of it are allowed. A mean square of 600 is within a third.
            let bound = 5.0 * (expected / 600.0).sqrt() + 0.001;
            if estimate != Estimate::Contained {
                assert!(mean.abs() < bound, "{signature:?} {estimate:?} {truth}: {mean} off, {bound} allowed");
                assert!((0.6..1.5).contains(&(square / expected)), "{signature:?} {truth}: {square}, {expected} expected");
            } else {
                // The smaller sample may be that of the larger set: then the estimate is biased upwards.
                assert!(mean > -bound && mean < bound + 0.05, "{signature:?} {estimate:?} {truth}: {mean} off");
            }
        }
    }
}

#[test]
fn a_text_inside_one_ten_times_as_long_is_estimated() {
    let levels = Signature::Levels(Levels { least: 50 });
    let truth = 0.8;
    let (mean, _) = errors(&levels, Estimate::Contained, truth, (1600, 400, 18_400));
    // The level of 20,000 features, 8, keeps 2000 / 256 values of the shorter text: unbiased, but with a large error.
    assert!(mean.abs() < 0.05, "{mean}");
}

#[test]
fn documents_at_different_levels_meet() {
    let (levels, each) = (Signature::Levels(Levels { least: 10 }), Keys::Each(EachValue { least: 1 }));
    let mut met = 0;
    for seed in 0..200 {
        let (left, right) = sets(12, 3 + seed as usize % 10, 40 * seed as usize, seed << 32);
        let (left, right) = (signed(&levels, &left), signed(&levels, &right));
        let keys = |values: &Values| {
            let mut keys = Vec::new();
            each.keys(values, &mut keys);
            keys
        };
        let (l, r) = (keys(&left), keys(&right));
        let shared = Estimate::Sampled.fraction(part(&left), part(&right)).0;
        if shared > 0 {
            assert!(l.iter().any(|key| r.contains(key)), "levels {} and {}", left.level, right.level);
            met += u32::from(left.level != right.level);
        }
    }
    assert!(met > 20, "{met} pairs of different levels met");
}

/// Returns segments of two documents each.
fn segments(texts: &[String], line: &str) -> (neardup_core::pass::compiled::CompiledPass, Segments) {
    let pass = compile(&line.parse().unwrap()).unwrap();
    let store = Arc::new(Store::new(tempfile::tempfile().unwrap(), 0));
    let mut signer = Signer::new(&pass);
    let sealed = texts.chunks(2).map(|texts| {
        let mut draft = ChunkBuilder::default();
        texts.iter().for_each(|text| signer.sign(Text::Plain(text.as_bytes()), &mut draft));
        draft.seal(&store).unwrap()
    });
    let sealed = sealed.collect();
    (pass, Segments::new(store, sealed))
}

struct Corpus<'a>(Vec<String>, &'a Candidates);

impl TextAccess for Corpus<'_> {
    fn text<'b>(&'b self, candidate: u32, _: &'b mut Vec<u8>) -> neardup_core::Result<Text<'b>> {
        Ok(Text::Plain(self.0[self.1.documents[candidate as usize].index()].as_bytes()))
    }
}

fn numbers(pairs: Vec<(DocId, DocId)>) -> Vec<(u32, u32)> {
    pairs.into_iter().map(|(left, right)| (left.0, right.0)).collect()
}

/// Returns the pairs of `texts` that meet the measure.
fn pairs(texts: &[&str], line: &str) -> Vec<(DocId, DocId)> {
    let texts: Vec<String> = texts.iter().map(ToString::to_string).collect();
    let (pass, segments) = segments(&texts, line);
    let arranged = arrange(&segments, &pass, &|_| true, 1 << 20).unwrap();
    let buckets = Buckets::load(segments.store(), &arranged.parts).unwrap();
    let candidates =
        Candidates::new(&segments, &buckets, &Ignored::new(&pass, &arranged.capped), &|document: DocId| Rank(document.0)).unwrap();
    let texts = Corpus(texts, &candidates);
    let (comparer, mut pairs) = (Comparer::new(&candidates, &pass, &texts, 0), Vec::new());
    let mut take = |found: Vec<Pair>| -> neardup_core::Result<()> {
        pairs.extend(found.iter().map(|pair| (candidates.documents[pair.left.index()], candidates.documents[pair.right.index()])));
        Ok(())
    };
    score(&candidates, &comparer, &|_, _| true, usize::MAX, &Unwatched, &mut take).unwrap();
    pairs.sort_unstable();
    pairs
}

#[test]
fn estimates_ignore_dropped_keys_and_plain_measures_do_not() {
    // One line is in five texts. Without it, the first shares 1 of 5 words with the second, and 2 of 3 with the third.
    let texts = [
        "home about contact imprint pears apples",
        "home about contact imprint pears plums quinces cherries",
        "home about contact imprint pears apples figs",
        "home about contact imprint one two three four five six seven",
        "home about contact imprint eight nine ten eleven twelve",
        "eleven twelve",
    ];
    for signature in ["moduli:1", "levels:50", "minima:50", "minima:50 + minhash:64"] {
        let run = |rest: &str| numbers(pairs(&texts, &format!("words | shingles:1 | {signature} | each {rest}")));
        let plain = vec![(0, 1), (0, 2), (1, 2)];
        assert_eq!(run("cap=4 over=drop | ~resemblance>=0.5"), [(0, 2)], "{signature}");
        assert_eq!(run("cap=4 over=drop | ~resemblance>=0.2"), [(0, 1), (0, 2), (4, 5)], "{signature}");
        assert_eq!(run("cap=5 over=drop | ~resemblance>=0.5"), plain, "{signature}");
        if !signature.contains('+') {
            assert_eq!(run("cap=4 over=drop | resemblance>=0.5"), plain, "{signature}");
            assert_eq!(run("cap=4 over=drop | resemblance>=0.5 & ~resemblance>=0.5"), [(0, 2)], "{signature}");
        }
    }
    let contained =
        |over: &str| numbers(pairs(&texts, &format!("words | shingles:1 | moduli:1 | each cap=4 over={over} | ~containment>=0.5")));
    assert_eq!(contained("drop"), [(0, 1), (0, 2), (4, 5)]);
}

#[test]
fn thin_samples_are_reported() {
    let words = |count: usize| (0..count).map(|at| format!("w{at}")).collect::<Vec<_>>().join(" ");
    let texts: Vec<String> = [0, 3, 40, 2000, 9].into_iter().map(words).collect();
    let thin_samples = |signature: &str, measure: &str| {
        let (pass, segments) = segments(&texts, &format!("words | shingles:1 | {signature} | each | {measure}"));
        thin(&segments, &pass, &Ignored::default()).unwrap()
    };
    // moduli:25 keeps about 2 of 40 words, and about 80 of 2000.
    assert_eq!(thin_samples("moduli:25", "~resemblance>=0.5"), [1, 2, 4].map(DocId));
    assert!(thin_samples("moduli:25", "resemblance>=0.5").is_empty());
    assert!(thin_samples("moduli:1", "~containment>=0.5").is_empty());
    assert!(thin_samples("levels:50", "~containment>=0.5").is_empty());
    assert_eq!(thin_samples("levels:1", "~containment>=0.5"), [1, 2, 3, 4].map(DocId));
    assert_eq!(thin_samples("minima:7", "~resemblance>=0.5"), [2, 3, 4].map(DocId));
    assert!(thin_samples("minima:9", "~resemblance>=0.5").is_empty());
    assert!(thin_samples("moduli:1 + minima:7", "~containment>=0.5 & ~resemblance>=0.5").is_empty());
}

#[test]
fn ignored_keys_make_samples_thin() {
    let texts: Vec<String> = (0..6).map(|at| format!("one two three four five six seven eight nine own{at}")).collect();
    for (signature, expected) in [("moduli:1", 0), ("levels:50", 0), ("levels:5", 6), ("minima:9", 6)] {
        let (pass, segments) = segments(&texts, &format!("words | shingles:1 | {signature} | each cap=5 over=drop | ~resemblance>=0.5"));
        let arranged = arrange(&segments, &pass, &|_| true, 1 << 20).unwrap();
        let ignored = Ignored::new(&pass, &arranged.capped);
        assert_eq!(thin(&segments, &pass, &ignored).unwrap().len(), expected, "{signature}");
    }
}
