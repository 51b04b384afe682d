//! The page of an evaluation: its figures are right, names are escaped, and missing figures have a reason.

use crate::html::{EVIL, assert_harmless, attributes, texts, valid};
use neardup_report::*;

fn estimate(value: f64, low: f64, high: f64) -> Proportion {
    Proportion { value: Some(value), low: Some(low), high: Some(high), reason: None }
}

fn unknown(reason: &str) -> Proportion {
    Proportion { value: None, low: None, high: None, reason: Some(reason.into()) }
}

fn point(score: f64, tp: u64, precision: f64, recall: f64) -> CurvePoint {
    CurvePoint { score, tp, fp: Some(1), precision: Some(precision), recall: Some(recall), f1: Some(0.75) }
}

fn scheme(line: &str, f1: f64) -> SchemeEvaluation {
    let ratios = || (estimate(0.9375, 0.82, 0.98), estimate(0.75, 0.61, 0.85), estimate(f1, f1 - 0.1, f1 + 0.1));
    let score = || {
        let (precision, recall, f1) = ratios();
        PairScore { tp: 1_500, fp: Some(100), r#fn: 500, components: 72, precision, recall, f1 }
    };
    let (precision, recall, f1) = ratios();
    SchemeEvaluation {
        scheme: line.into(),
        verified: true,
        notes: vec!["a note".into()],
        pairs: score(),
        clusters: score(),
        b_cubed: BCubed { documents: 4_321, components: 80, precision, recall, f1 },
        curve: Curve {
            score: "resemblance".into(),
            scores: 3,
            points: vec![point(1.0, 2, 1.0, 0.25), point(0.9, 4, 0.8, 0.5), point(0.8, 6, 0.75, 0.75)],
            average_precision: Some(0.6375),
            best: Some(point(0.8, 6, 0.75, 0.75)),
            reason: None,
        },
        cost: SchemeCost {
            seconds: 0.5,
            phases: vec![PhaseTime { name: "sign".into(), seconds: 0.4 }],
            documents_per_second: Some(8_642.0),
            megabytes_per_second: Some(25.0),
            sketch_bytes_per_document: None,
            cluster_seconds: 0.25,
        },
    }
}

fn evaluation() -> Evaluation {
    Evaluation {
        neardup: "0.1.0".into(),
        command: Some("neardup evaluate truth.jsonl docs.jsonl".into()),
        truth: Truth {
            source: "truth.jsonl".into(),
            kind: "pairs".into(),
            complete: true,
            documents: 4_321,
            positives: 2_000,
            negatives: 9_000_000,
            left_out: 7,
        },
        documents: 4_321,
        schemes: vec![scheme("one", 0.8), scheme("two", 0.85)],
    }
}

fn page(evaluation: &Evaluation) -> String {
    valid(render_evaluation(evaluation).unwrap())
}

#[test]
fn figures_appear() {
    let page = page(&evaluation());
    assert_eq!(texts(&page, "h1"), ["2 schemes on 2,000 pairs of duplicates: scheme 2 is best, with F1 0.8500."]);
    assert_eq!(texts(&page, ".cards b"), ["4,321", "4,321", "2,000", "9,000,000"]);
    for table in ["#pairs", "#clusters"] {
        assert_eq!(texts(&page, &format!("{table} .ratio b"))[..3], ["0.9375", "0.7500", "0.8000"]);
        assert_eq!(texts(&page, &format!("{table} tbody tr:first-child .n")), ["1,500", "100", "500", "72"]);
    }
    assert_eq!(texts(&page, "#b-cubed tbody tr:first-child .n"), ["4,321", "80"]);
    assert_eq!(texts(&page, "#curves tbody tr:first-child .n"), ["0.6375", "0.8000", "0.7500", "0.7500", "0.7500", "3"]);
    assert_eq!(texts(&page, "#cost tbody tr:first-child .n"), ["500 ms", "250 ms", "8,642/s", "25.0 MB/s", "–"]);
    assert_eq!(texts(&page, "#schemes code"), ["one", "two"]);
    assert!(page.contains("It is complete") && page.contains("7 listed pairs") && page.contains("a note"));
}

#[test]
fn intervals_are_drawn_from_a_common_floor() {
    let page = page(&evaluation());
    // the lowest end is 0.61, so bars run from 0.6 to 1: 0.82 is at 55 %, 0.98 at 95 %, 0.9375 at 84.38 %
    assert!(texts(&page, "#pairs p")[0].contains("from 0.6 to 1"));
    assert_eq!(attributes(&page, "#pairs .range i", "style")[0], "left:55.00%;width:40.00%");
    assert_eq!(attributes(&page, "#pairs .range em", "style")[0], "left:84.38%");
}

#[test]
fn curves_are_steps_with_their_best_point() {
    let page = page(&evaluation());
    // precision runs from 0.7 at the bottom to 1 at the top: 0.8 is two thirds down
    assert_eq!(attributes(&page, "#curves .series.s1", "d"), ["M0 0.00H25.00V66.67H50.00V83.33H75.00"]);
    assert_eq!(texts(&page, "#curves .peak title"), ["scheme 1: F1 0.7500 at 0.8", "scheme 2: F1 0.7500 at 0.8"]);
    assert_eq!(texts(&page, "#curves .y"), ["0.70", "0.76", "0.82", "0.88", "0.94", "1.00"]);
}

#[test]
fn unknown_figures_are_stated_once_with_their_reason() {
    let mut evaluation = evaluation();
    evaluation.truth.complete = false;
    for scheme in &mut evaluation.schemes {
        for score in [&mut scheme.pairs, &mut scheme.clusters] {
            (score.fp, score.precision, score.f1) = (None, unknown("no negatives"), unknown("no negatives"));
        }
        let none = || unknown("not complete");
        scheme.b_cubed = BCubed { documents: 0, components: 0, precision: none(), recall: none(), f1: none() };
        scheme.curve.points.iter_mut().for_each(|point| (point.fp, point.precision, point.f1) = (None, None, None));
        (scheme.curve.average_precision, scheme.curve.best) = (None, None);
        scheme.curve.reason = Some("no precision, no curve".into());
        scheme.verified = false;
    }
    let page = page(&evaluation);
    assert_eq!(texts(&page, "h1"), ["2 schemes compared with 2,000 pairs of duplicates."]);
    assert_eq!(texts(&page, "#pairs .ratio b")[..3], ["–", "0.7500", "–"]);
    assert_eq!(texts(&page, "#pairs .aside"), ["Not known: no negatives."]);
    assert_eq!(texts(&page, "#b-cubed .aside"), ["Not known: not complete."]);
    assert!(texts(&page, "#curves p")[0].contains("no precision, no curve"));
    assert_eq!(texts(&page, "#schemes strong").len(), 2);
    assert!(!page.contains("NaN") && !page.contains("inf%"));
}

#[test]
fn many_schemes_reuse_the_colours() {
    let evaluation = Evaluation { schemes: (0..14).map(|n| scheme(&format!("scheme {n}"), 0.8)).collect(), ..evaluation() };
    let page = page(&evaluation);
    assert_eq!(texts(&page, "#curves .series.s1").len(), 3);
    assert!(texts(&page, "#curves p")[0].contains("in the order of their resemblance, highest"));
    assert_eq!(texts(&page, "#schemes dt").len(), 14);
    assert!(texts(&page, "h1")[0].contains("scheme 1 is best"));
}

#[test]
fn different_scores_of_curves_are_named() {
    let mut evaluation = evaluation();
    evaluation.schemes[1].curve.score = "containment".into();
    assert!(texts(&page(&evaluation), "#curves p")[0].contains("in the order of their resemblance or containment, highest"));
}

#[test]
fn nothing_is_loaded_and_hostile_names_stay_names() {
    let mut evaluation = evaluation();
    (evaluation.truth.source, evaluation.command, evaluation.neardup) = (EVIL.into(), Some(EVIL.into()), EVIL.into());
    let scheme = &mut evaluation.schemes[0];
    (scheme.scheme, scheme.notes, scheme.cost.phases[0].name) = (EVIL.into(), vec![EVIL.into()], EVIL.into());
    (scheme.pairs.precision, scheme.curve.score) = (unknown(EVIL), EVIL.into());
    assert_harmless(&page(&evaluation));
}

#[test]
fn evaluations_are_unchanged_through_json() {
    let json = serde_json::to_string(&evaluation()).unwrap();
    assert!(json.contains("\"fn\":500"));
    assert_eq!(serde_json::from_str::<Evaluation>(&json).unwrap(), evaluation());
}
