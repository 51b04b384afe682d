//! The page about schemes compared with labels.

use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;

use crate::charts::{self, SERIES};
use crate::pages::report::templates;
use crate::pages::view::cut;
use crate::{BCubed, CurvePoint, Error, Evaluation, PairScore, Proportion, SchemeEvaluation};

/// Number of characters shown of a name, a command or a scheme line.
const LINE: usize = 2_000;

/// Renders the page of an evaluation: one HTML file without scripts that loads nothing.
///
/// # Errors
/// [`Error::Template`] if a built-in template does not fit its data.
pub fn render_evaluation(evaluation: &Evaluation) -> Result<String, Error> {
    let schemes = &evaluation.schemes;
    let floor = floor(schemes);
    let measures = [
        Measure::new("Pairs found", "pairs", schemes.iter().map(|scheme| SchemeRow::of_pairs(&scheme.pairs, floor)).collect()),
        Measure::new("Clusters", "clusters", schemes.iter().map(|scheme| SchemeRow::of_pairs(&scheme.clusters, floor)).collect()),
        Measure::new(
            "Clusters, by document",
            "b-cubed",
            schemes.iter().map(|scheme| SchemeRow::of_documents(&scheme.b_cubed, floor)).collect(),
        ),
    ];
    let curves: Vec<_> = schemes.iter().map(|scheme| &scheme.curve).collect();
    let longest = schemes.iter().map(|scheme| scheme.cost.seconds + scheme.cost.cluster_seconds).fold(0.0, f64::max);
    let context = context! {
        version => &evaluation.neardup, command => evaluation.command.as_ref().map(|command| cut(command, LINE)),
        truth => Value::from(Serde(evaluation.truth.clone())), source => cut(&evaluation.truth.source, LINE),
        documents => evaluation.documents, best => best(schemes).map(Serde).map(Value::from),
        schemes => schemes.iter().enumerate().map(|(at, scheme)| Value::from(Serde(SchemeView::new(at, scheme, longest)))).collect::<Vec<_>>(),
        measures => Value::from(Serde(measures)), floor => format!("{floor:.1}"),
        curve => Value::from(Serde(charts::precision(&curves))),
        scores => distinct(curves.iter().map(|curve| &curve.score)).join(" or "),
        no_curve => curves.iter().find_map(|curve| curve.reason.as_ref()),
    };
    Ok(templates()?.get_template("evaluation.html")?.render(context)?)
}

/// Returns the value at which all interval bars begin: the last tenth below every interval, so that close values can be
/// distinguished.
fn floor(schemes: &[SchemeEvaluation]) -> f64 {
    let estimates = schemes.iter().flat_map(|scheme| {
        let [pairs, clusters, documents] = [&scheme.pairs.precision, &scheme.clusters.precision, &scheme.b_cubed.precision];
        let rest = [&scheme.pairs.recall, &scheme.pairs.f1, &scheme.clusters.recall, &scheme.clusters.f1];
        [pairs, clusters, documents, &scheme.b_cubed.recall, &scheme.b_cubed.f1].into_iter().chain(rest)
    });
    let lowest = estimates.filter_map(|estimate| estimate.low.or(estimate.value)).fold(1.0, f64::min);
    ((lowest * 10.0).floor() / 10.0).clamp(0.0, 0.9)
}

/// The scheme that finds pairs best.
#[derive(Serialize)]
struct Best {
    number: usize,
    f1: String,
}

/// Returns the first of the schemes with the highest F1 of pairs.
fn best(schemes: &[SchemeEvaluation]) -> Option<Best> {
    let mut best: Option<(usize, f64)> = None;
    for (at, scheme) in schemes.iter().enumerate() {
        if let Some(f1) = scheme.pairs.f1.value.filter(|&f1| best.is_none_or(|(_, highest)| f1 > highest)) {
            best = Some((at, f1));
        }
    }
    best.map(|(at, f1)| Best { number: at + 1, f1: decimal(f1) })
}

/// Returns the texts in their order, each once and cut to a length.
fn distinct<'a>(texts: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for text in texts.map(|text| cut(text, LINE)) {
        if !found.contains(&text) {
            found.push(text);
        }
    }
    found
}

/// A table of the page: one measure of all schemes.
#[derive(Serialize)]
struct Measure {
    title: &'static str,
    name: &'static str,
    rows: Vec<SchemeRow>,
    /// Reasons why something in the table is not known, each once.
    reasons: Vec<String>,
}

impl Measure {
    fn new(title: &'static str, name: &'static str, rows: Vec<SchemeRow>) -> Measure {
        let reasons = distinct(rows.iter().flat_map(|row| &row.ratios).filter_map(|ratio| ratio.reason.as_ref()));
        Measure { title, name, rows, reasons }
    }
}

/// One scheme in a table of measures.
#[derive(Serialize)]
struct SchemeRow {
    /// tp, fp and fn; or the number of documents.
    counts: Vec<Option<u64>>,
    components: u64,
    ratios: [ShownProportion; 3],
}

impl SchemeRow {
    fn of_pairs(score: &PairScore, floor: f64) -> SchemeRow {
        let ratios = [&score.precision, &score.recall, &score.f1].map(|estimate| ShownProportion::new(estimate, floor));
        SchemeRow { counts: vec![Some(score.tp), score.fp, Some(score.r#fn)], components: score.components, ratios }
    }

    fn of_documents(score: &BCubed, floor: f64) -> SchemeRow {
        let ratios = [&score.precision, &score.recall, &score.f1].map(|estimate| ShownProportion::new(estimate, floor));
        SchemeRow { counts: vec![(score.documents > 0).then_some(score.documents)], components: score.components, ratios }
    }
}

/// An estimate, as it is printed and drawn. Places are percent of a bar that goes from the floor to 1.
#[derive(Serialize)]
struct ShownProportion {
    value: Option<String>,
    reason: Option<String>,
    interval: Option<ShownInterval>,
}

#[derive(Serialize)]
struct ShownInterval {
    low: String,
    high: String,
    left: String,
    width: String,
    at: String,
}

impl ShownProportion {
    fn new(estimate: &Proportion, floor: f64) -> ShownProportion {
        let place = |value: f64| ((value - floor) / (1.0 - floor) * 100.0).clamp(0.0, 100.0);
        let percent = |value: f64| format!("{value:.2}");
        let interval = match (estimate.value, estimate.low, estimate.high) {
            (Some(value), Some(low), Some(high)) => Some(ShownInterval {
                low: decimal(low),
                high: decimal(high),
                left: percent(place(low)),
                width: percent(place(high) - place(low)),
                at: percent(place(value)),
            }),
            _ => None,
        };
        ShownProportion { value: estimate.value.map(decimal), reason: estimate.reason.as_ref().map(|reason| cut(reason, LINE)), interval }
    }
}

/// A scheme, with the figures of its curve and its cost.
#[derive(Serialize)]
struct SchemeView {
    number: usize,
    series: usize,
    line: String,
    verified: bool,
    notes: Vec<String>,
    average_precision: Option<String>,
    scores: u64,
    best: Option<PointView>,
    seconds: f64,
    cluster_seconds: f64,
    /// Time in percent of that of the slowest scheme.
    share: String,
    documents_per_second: Option<u64>,
    bytes_per_second: Option<u64>,
    sketch_bytes: Option<String>,
    phases: Vec<(String, f64)>,
}

impl SchemeView {
    fn new(at: usize, scheme: &SchemeEvaluation, longest: f64) -> SchemeView {
        let cost = &scheme.cost;
        let share = if longest > 0.0 { (cost.seconds + cost.cluster_seconds) / longest * 100.0 } else { 0.0 };
        SchemeView {
            number: at + 1,
            series: at % SERIES + 1,
            line: cut(&scheme.scheme, LINE),
            verified: scheme.verified,
            notes: scheme.notes.iter().map(|note| cut(note, LINE)).collect(),
            average_precision: scheme.curve.average_precision.map(decimal),
            scores: scheme.curve.scores,
            best: scheme.curve.best.as_ref().map(PointView::new),
            seconds: cost.seconds,
            cluster_seconds: cost.cluster_seconds,
            share: format!("{share:.1}"),
            documents_per_second: cost.documents_per_second.map(|rate| rate.round() as u64),
            bytes_per_second: cost.megabytes_per_second.map(|rate| (rate * 1e6).round() as u64),
            sketch_bytes: cost.sketch_bytes_per_document.map(|bytes| format!("{bytes:.1}")),
            phases: cost.phases.iter().map(|phase| (cut(&phase.name, LINE), phase.seconds)).collect(),
        }
    }
}

#[derive(Serialize)]
struct PointView {
    score: String,
    precision: String,
    recall: String,
    f1: String,
}

impl PointView {
    fn new(point: &CurvePoint) -> PointView {
        let write = |value: Option<f64>| value.map_or_else(String::new, decimal);
        PointView { score: decimal(point.score), precision: write(point.precision), recall: write(point.recall), f1: write(point.f1) }
    }
}

/// Formats four decimals, cut and not rounded, so that 1.0000 means all. The input is exact to six decimals.
fn decimal(value: f64) -> String {
    let tenths = (value.clamp(0.0, 1.0) * 1e6).round() as u64 / 100;
    format!("{}.{:04}", tenths / 10_000, tenths % 10_000)
}
