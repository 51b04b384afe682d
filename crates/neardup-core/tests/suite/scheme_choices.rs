//! The choices, promises and notes of a scheme.

use neardup_core::keys::OverCap;
use neardup_core::keys::promise::{BandGrid, Chance, Promise, RecallPromise};
use neardup_core::scheme::{Argument, Scheme, Seed, StageKind, Test, table};
use neardup_core::util::ratio::Ratio;
use neardup_text::Unit;

fn read(line: &str) -> Scheme {
    line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn recall(text: &str) -> RecallPromise {
    text.parse().unwrap()
}

#[test]
fn default_schemes() {
    let table = [
        ("0.9", "0.99", "words | shingles:5 | minhash:110 | bands:11x10 | resemblance>=0.9"),
        ("0.8", "0.99", "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8"),
        ("0.7", "0.99", "words | shingles:5 | minhash:68 | bands:17x4 | resemblance>=0.7"),
        ("0.5", "0.99", "words | shingles:5 | minhash:105 | bands:35x3 | resemblance>=0.5"),
        ("1", "0.99", "words signs=keep | shingles:5 | minhash:128 | bands:1x128 | resemblance>=1"),
        ("0.8", "exact", "words | shingles:5 | whole | prefix:0.8 | resemblance>=0.8"),
        ("1/3", "exact", "words | shingles:5 | whole | prefix:1/3 | resemblance>=1/3"),
        ("0.01", "exact", "words | shingles:5 | whole | prefix:0.01 | resemblance>=0.01"),
    ];
    for (threshold, wanted, line) in table {
        let scheme = Scheme::plan(&threshold.parse().unwrap(), &recall(wanted)).unwrap();
        assert_eq!(scheme.to_string(), line);
        assert!(scheme.is_resolved() && scheme.is_verified());
    }
}

#[test]
fn impossible_plans_are_refused() {
    let table = [("0", "0.99", "above 0"), ("0", "exact", "above 0"), ("0.02", "0.99", "`exact`")];
    for (threshold, wanted, part) in table {
        let error = Scheme::plan(&threshold.parse().unwrap(), &recall(wanted)).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    let above = Ratio { numerator: 3, denominator: 2 };
    assert!(Scheme::plan(&above, &RecallPromise::Exact).unwrap_err().to_string().contains("at most 1"));
}

#[test]
fn auto_is_filled_in() {
    let fill = [
        (
            "chars | shingles:8 | minhash:auto | bands:auto | resemblance>=0.8",
            "chars | shingles:8 | minhash:96 | bands:16x6 | resemblance>=0.8",
        ),
        (
            "words | shingles:5 | minhash:128 | bands:auto | resemblance>=0.8",
            "words | shingles:5 | minhash:128 | bands:16x6 | resemblance>=0.8",
        ),
        (
            "words | shingles:5 | minhash:1000 | bands:auto | resemblance>=0.8",
            "words | shingles:5 | minhash:1000 | bands:16x6 | resemblance>=0.8",
        ),
        (
            "words | shingles:5 | minhash:64 | bands:auto | resemblance>=0.8",
            "words | shingles:5 | minhash:64 | bands:12x5 | resemblance>=0.8",
        ),
        (
            "words | shingles:5 | minhash:auto | bands:20x5 | resemblance>=0.8",
            "words | shingles:5 | minhash:100 | bands:20x5 | resemblance>=0.8",
        ),
        ("words | shingles:5 | minhash:auto | bands:20x5 | equal", "words | shingles:5 | minhash:100 | bands:20x5 | equal"),
        (
            "words | shingles:5 | minhash:auto | bands:auto | ~resemblance>=0.9 & resemblance>=0.8",
            "words | shingles:5 | minhash:96 | bands:16x6 | ~resemblance>=0.9 & resemblance>=0.8",
        ),
        (
            "words | shingles:5 | minhash:auto | bands:auto | ~resemblance>=0.9",
            "words | shingles:5 | minhash:110 | bands:11x10 | ~resemblance>=0.9",
        ),
        ("words | spots | whole | lengths:auto | resemblance>=0.44", "words | spots:2,1 | whole | lengths:0.44 | resemblance>=0.44"),
        (
            "words | shingles:5 | whole | prefix:auto | resemblance>=0.7 & resemblance>=0.9",
            "words | shingles:5 | whole | prefix:0.9 | resemblance>=0.7 & resemblance>=0.9",
        ),
        (
            "words | shingles:5 | minhash:auto | bands:auto + bands:11x10 | resemblance>=0.8",
            "words | shingles:5 | minhash:110 | bands:16x6 + bands:11x10 | resemblance>=0.8",
        ),
        (
            "words | shingles:5 | minhash:100 | bands:20x5 | containment>=0.8",
            "words | shingles:5 | minhash:100 | bands:20x5 | containment>=0.8",
        ),
    ];
    let blocks = |plan: &str, rest: &str| format!("words | shingles:3 | {}", rest.replace("PLAN", plan));
    // The plan is chosen by its cost for ten million documents.
    for (plan, rest) in [
        ("single", "simhash:64 | blocks:3,PLAN | hamming<=3"),
        ("double", "simhash:64 | blocks:4,PLAN cap=9 over=drop | hamming<=4"),
        ("double", "simhash:64 | blocks:5,PLAN | hamming<=3"),
        ("single", "simhash:128 | blocks:5,PLAN | hamming<=5"),
        ("single", "projection:384 | blocks:12,PLAN | agree>=372"),
    ] {
        assert_eq!(read(&blocks("auto", rest)).resolve(&RecallPromise::default()).unwrap().to_string(), blocks(plan, rest));
        assert_eq!(read(&blocks("nested", rest)).resolve(&RecallPromise::Exact).unwrap().to_string(), blocks("nested", rest));
    }
    for (written, resolved) in fill {
        assert_eq!(read(written).resolve(&RecallPromise::default()).unwrap().to_string(), resolved);
    }
    assert!(!read(fill[0].0).is_resolved());
    let all = read("eojeol | shingles:3 | minhash:auto | bands:auto | resemblance>=0.7").resolve(&RecallPromise::Exact).unwrap();
    assert_eq!(all.to_string(), "eojeol | shingles:3 | whole | prefix:0.7 | resemblance>=0.7");
}

#[test]
fn auto_without_a_value_is_refused() {
    let table = [
        ("words | shingles:5 | minhash:auto | bands:auto | containment>=0.8", "0.99", "measure has none"),
        ("words | shingles:5 | minhash:auto | bands:auto | equal", "0.99", "measure has none"),
        ("words | shingles:5 | minhash:96 | bands:auto | resemblance>=0.8", "exact", "`whole | prefix:auto`"),
        ("words | shingles:5 | minhash:auto seed=3 | bands:auto | resemblance>=0.8", "exact", "`whole | prefix:auto`"),
        ("words | shingles:5 | minhash:auto | bands:auto | ~resemblance>=0.8", "exact", "never surely all"),
        ("words | shingles:5 | minhash:auto | bands:auto match=2 | resemblance>=0.8", "0.99", "auto is for match=1"),
        ("words | shingles:5 | minhash:2 | bands:auto | resemblance>=0.8", "0.99", "at most 2 MinHash slots"),
    ];
    for (line, wanted, part) in table {
        let error = read(line).resolve(&recall(wanted)).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn stages_hold_typed_values() {
    let scheme = read("eojeol | shingles:3 | minhash:84 seed=9 | bands:6x14 match=2 cap=50 over=drop | resemblance>=0.9 & equal");
    let pass = &scheme.passes()[0];
    assert_eq!((pass.tokens().name(), pass.features().args()), ("eojeol", &[Argument::Count(3)][..]));
    assert_eq!((pass.signature().name(), pass.signature().args()), ("minhash", &[Argument::Count(84)][..]));
    assert_eq!(pass.signature().options().seed(), &Seed::Number(9));
    let keys = &pass.keys()[0];
    assert!(matches!(keys.args(), [Argument::Grid(grid)] if (grid.bands, grid.rows) == (6, 14)));
    let options = keys.options();
    assert_eq!((options.matches(), options.cap(), options.over()), (2, Some(50), OverCap::Drop));
    assert!(matches!(pass.measure(), [Test::Compare { estimate: false, measure, .. }, Test::Equal] if measure.name == "resemblance"));
    assert_eq!(pass.threshold(), Some("0.9".parse().unwrap()));
}

#[test]
fn promises() {
    let promise = |line: &str| read(line).passes()[0].promise();
    assert_eq!(promise("words | shingles:5 | whole | prefix:0.7 | resemblance>=0.8"), Promise::Exact);
    let text = promise("words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8").to_string();
    assert!(text.contains("16x6") && text.contains("resemblance 0.8 with probability 0.99"), "{text}");
    // A low promise of the bands is stated, and no error.
    let text = promise("words | shingles:5 | minhash:117 | bands:9x13 | resemblance>=0.8").to_string();
    assert!(text.contains("probability 0.39"), "{text}");
    let several = "words | shingles:5 | minhash:96 | bands:2x48 + bands:16x6 match=2 + bands:16x6 | resemblance>=0.8";
    assert!(promise(several).to_string().contains("bands 16x6 find"), "{}", promise(several));
    let best = Chance::Bands { grid: BandGrid { bands: 16, rows: 6 }, least: 1 };
    assert_eq!(read(several).passes()[0].chance(), Some(best));
    // The best kind of keys counts, and a kind without a cap.
    let both = ["bands:16x6", "bands:6x14 match=2"];
    for (one, other) in [(0, 1), (1, 0)] {
        let text = promise(&format!("words | shingles:5 | minhash:96 | {} + {} | resemblance>=0.8", both[one], both[other])).to_string();
        assert!(text.contains("bands 16x6 find a pair of resemblance 0.8 with probability 0.99"), "{text}");
    }
    for (line, promised) in [
        ("words | shingles:5 | whole | each match=3 + lengths:0.5 | resemblance>=0.5", Promise::Exact),
        ("words | shingles:5 | whole | prefix:0.5 cap=9 + lengths:0.5 | resemblance>=0.5", Promise::Exact),
        ("words | shingles:5 | minhash:96 | bands:16x6 + bands:6x14 match=2 | equal", Promise::Exact),
        ("words | shingles:5 | moduli:9 | each match=2 + each cap=9 over=drop | ~resemblance>=0.5", Promise::Estimated),
    ] {
        assert_eq!(promise(line), promised, "{line}");
    }
    // All pairs that share a feature are found, or a value of the sample that the measure estimates from.
    for (line, promised) in [
        ("words | shingles:5 | whole | each | containment>=0.8", Promise::Exact),
        ("words | shingles:5 | moduli:25 | each | ~resemblance>=0.5", Promise::Estimated),
        ("words | shingles:5 | levels:50 | each | ~containment>=0.5 & resemblance>=0.1", Promise::Estimated),
        ("words | shingles:5 | minima:50 | each cap=9 over=drop | ~resemblance>=0.5", Promise::Estimated),
        ("words | shingles:5 | whole | each match=2 + prefix:0.8 | resemblance>=0.8", Promise::Exact),
        // If a measure accepts pairs with nothing in common, only those that share a feature are promised.
        ("words | shingles:1 | whole | each | levenshtein:words<=9", Promise::Sharing),
        ("words | shingles:1 | whole | each | distinct:words<=9 & lcs:chars>=0.1", Promise::Sharing),
        ("words | shingles:1 | whole | each | euclidean<=9", Promise::Sharing),
        ("words | shingles:1 | whole | each | sim<=1", Promise::Sharing),
        ("words | shingles:1 | whole + minhash:64 | each | ~resemblance>=0.1", Promise::Sharing),
        ("words | shingles:1 | whole + simhash:64 | each | hamming<=31", Promise::Sharing),
        ("words | shingles:1 | whole | each | sim<1", Promise::Exact),
        ("words | shingles:1 | whole | each | bag>=0.1", Promise::Exact),
        ("words | shingles:1 | whole | each | levenshtein:words<=9 & cosine>=0.1", Promise::Exact),
    ] {
        assert_eq!(promise(line), promised, "{line}");
    }
    let text = promise("words | shingles:5 | minima:20 | each | resemblance>=0.5").to_string();
    assert!(text.contains("one of 20 minima") && text.contains("resemblance 0.5") && text.contains("probability 0.9999 or more"), "{text}");
    let text = promise("words | shingles:5 | minima:1000 | each | resemblance>=0.9").to_string();
    assert!(text.contains("probability 0.9999 or more"), "{text}");
    let text = promise("words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=1").to_string();
    assert!(text.contains("probability 1, and more"), "{text}");
    for line in [
        "words | shingles:5 | minima:20 | each | containment>=0.5",
        "words | shingles:5 | moduli:25 | each | resemblance>=0.5",
        "words | shingles:5 | moduli:25 | each match=2 | ~resemblance>=0.5",
        "words | shingles:5 | moduli:25 | each cap=9 over=star | ~resemblance>=0.5",
        "words | shingles:5 | moduli:25 | each cap=9 over=drop | resemblance>=0.5",
        "words | shingles:5 | supershingles | each | resemblance>=0.5",
        "words | shingles:5 | digest | each | resemblance>=0.5",
        "words | shingles:5 | minhash:96 | bands:16x6 | containment>=0.8",
        "words | shingles:5 | whole | prefix:0.8 cap=100 over=drop | resemblance>=0.8",
        "words | shingles:5 | minhash:auto | bands:auto | resemblance>=0.8",
        "words | shingles:5 | minhash:96 | bands:16x6 + bands:6x14 match=2 cap=9 | equal",
        "words | shingles:5 | whole | each match=3 cap=9 + lengths:0.5 cap=9 | resemblance>=0.5",
    ] {
        assert!(matches!(promise(line), Promise::Nothing(_)), "{line}");
    }
}

#[test]
fn notes_warn_of_limits() {
    let default = "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8";
    assert_eq!(read(default).notes().len(), 1);
    let table = [
        ("words | shingles:5 | minhash:96 | bands:16x6 | containment>=0.8", "its recall is not promised"),
        ("words | shingles:5 | minhash:96 | bands:16x6 | equal", "verified: false"),
        ("words | shingles:5 | minhash:96 | bands:16x6 | ~resemblance>=0.8", "verified: false"),
        ("words | shingles:5 | minhash:96 | bands:16x6 | ~resemblance>=0.8 & resemblance<1", "verified: false"),
        ("words | shingles:5 | minhash:96 | bands:16x6 cap=10 over=drop | resemblance>=0.8", "above its cap"),
        ("words | shingles:5 | minhash:100 | bands:16x6 | resemblance>=0.8", "4 of 100 slots of `minhash:100` belong to no band: 96 slots"),
        ("words | shingles:9 | minima:100 | each | ~resemblance>=0.5", "within 0.10 of the resemblance"),
        ("words | shingles:9 | moduli:25 | each | ~containment>=0.5", "1000 features 40 values, which estimate a likeness within 0.16"),
        ("words | shingles:9 | moduli:25 | each | ~containment>=0.5", "fewer than 200 features mostly have fewer than 8 values"),
        (
            "words | shingles:9 | levels:50 | each | ~containment>=0.5",
            "about 50 to 100 features of a text, which estimate a likeness within 0.14",
        ),
        ("words | shingles:9 | levels:50 | each | ~containment>=0.5", "a short text inside a very long one is not recognised"),
        ("words | shingles:9 | moduli:25 | each cap=9 over=drop | ~resemblance>=0.5", "above its cap, and estimates ignore it"),
        ("words | shingles:9 | moduli:25 | each cap=9 over=drop | resemblance>=0.5", "above its cap; such keys are listed"),
        (
            "words | shingles:5 | whole | each match=3 + lengths:0.5 | resemblance>=0.5",
            "`lengths:0.5` proposes every pair that the measure accepts: the other keys add none",
        ),
        ("words | shingles:5 | minhash:100 | bands:16x6 + bands:9x11 cap=5 | equal", "1 of 100 slots of `minhash:100` belong to no band"),
        ("words | shingles:9 hash=rabin | whole | each | resemblance>=0.5", "fingerprints of 40 bits"),
    ];
    for (line, part) in table {
        let notes = read(line).notes();
        assert!(notes.iter().any(|note| note.contains(part)), "{notes:?}");
        let chained = read(&format!("{default} ; {line}")).notes();
        assert!(chained.iter().any(|note| note.starts_with("pass 2: ") && note.contains(part)), "{chained:?}");
    }
    // Keys of samples propose pairs of high containment.
    for measure in ["~containment>=0.5", "containment>=0.5"] {
        let notes = read(&format!("words | shingles:9 | moduli:25 | each | {measure}")).notes();
        assert!(notes.iter().all(|note| !note.contains("keys seldom propose")), "{notes:?}");
    }
    let estimated = "words | shingles:5 | minhash:100 | bands:16x6 | ~resemblance>=0.7 & resemblance>=0.8";
    assert!(read(estimated).is_verified() && read(estimated).notes().len() == 1);
}

#[test]
fn sealing_hides_the_path_of_a_secret() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), b"thirty-two bytes that nobody knows").unwrap();
    let scheme = read(&format!("words | shingles:5 | minhash:96 seed=file:{} | bands:16x6 | resemblance>=0.8", file.path().display()));
    let sealed = scheme.seal().unwrap();
    assert!(sealed.to_string().contains("minhash:96 seed=check:"), "{sealed}");
    assert_eq!(read(&sealed.to_string()), sealed);
    let missing = read("words | shingles:5 | minhash:96 seed=file:no/such/file | bands:16x6 | resemblance>=0.8");
    assert!(missing.seal().unwrap_err().to_string().contains("no/such/file"));
}

#[test]
fn the_table_names_everything_once() {
    let rows: Vec<_> = table().collect();
    for kind in StageKind::ALL {
        let mut names: Vec<&str> = rows.iter().filter(|row| row.0 == kind).map(|row| row.1.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert!(count > 0 && names.len() == count, "{names:?}");
    }
    let described =
        |name: &str| rows.iter().find(|row| row.1.name == name).map(|row| (row.1.form(), row.1.arguments(), row.1.paper)).unwrap();
    assert_eq!(described("minhash").0, "minhash:K");
    assert_eq!(described("minhash").1, "K, a whole number from 1 to 1024 or auto, of=, seed=");
    assert_eq!(described("bands").1, "BxR, bands x rows as 16x6, or auto, match=, cap=, over=");
    assert!(described("prefix").2.contains("2007") && described("words").0 == "words");
    assert!(rows.iter().all(|row| !row.1.meaning.is_empty()));
    let units: Vec<&str> = rows.iter().filter(|row| row.0 == StageKind::Tokens).map(|row| row.1.name).collect();
    assert_eq!(units, Unit::ALL.map(Unit::name));
}
