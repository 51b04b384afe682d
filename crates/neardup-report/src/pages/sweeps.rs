//! The page about the life of pages over several sweeps.

use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;

use crate::charts::{self, SERIES, place};
use crate::pages::report::templates;
use crate::pages::view::cut;
use crate::{Error, Kinds, SweepInterval, Sweeps};

/// The kinds of pages, each with the classes that give it a colour.
const KINDS: [(&str, &str); 7] = [
    ("same", "kind same"),
    ("changed", "kind changed"),
    ("moved", "kind moved"),
    ("moved+changed", "kind rewritten"),
    ("new", "kind new"),
    ("gone", "kind gone"),
    ("replaced", "kind replaced"),
];

/// Returns the classes of a kind; an unknown one has no colour.
pub(crate) fn class_of(kind: &str) -> &'static str {
    KINDS.iter().find(|(name, _)| *name == kind).map_or("kind", |(_, class)| class)
}

/// Number of characters shown of a date or a scheme line.
const LINE: usize = 2_000;

/// Renders the page of the statistics of sweeps: one HTML file without scripts that loads nothing.
///
/// # Errors
/// [`Error::Template`] if a built-in template does not fit its data.
pub fn render_sweeps(sweeps: &Sweeps) -> Result<String, Error> {
    Ok(templates()?.get_template("sweeps.html")?.render(context(sweeps))?)
}

/// Renders the content of `<main>` of that page: figures, plots and tables, for a page whose style is [`STYLE`](crate::STYLE).
///
/// No tag of it has a style attribute. Sections have the ids intervals, amount, lives and words.
///
/// # Errors
/// As [`render_sweeps`].
pub fn render_sweeps_plots(sweeps: &Sweeps) -> Result<String, Error> {
    Ok(templates()?.get_template("sweeps_plots.html")?.render(context(sweeps))?)
}

fn context(sweeps: &Sweeps) -> Value {
    let dates: Vec<String> = sweeps.dates.iter().map(|date| cut(date, LINE)).collect();
    let intervals: Vec<_> = sweeps.intervals.iter().map(IntervalView::new).collect();
    let cohorts = sweeps.cohorts.iter().enumerate().map(|(at, cohort)| CohortView {
        series: at % SERIES + 1,
        date: cut(&cohort.date, LINE),
        // Later cohorts begin later: they have no pages in the sweeps before.
        alive: (0..at).map(|_| None).chain(cohort.alive.iter().copied().map(Some)).collect(),
    });
    context! {
        version => &sweeps.neardup, scheme => cut(&sweeps.scheme, LINE),
        first => dates.first(), last => dates.last(), pages => sweeps.pages.last(),
        texts => sweeps.texts, lives => sweeps.lives, ended => sweeps.ended,
        lifetime => sweeps.lifetime.map(|days| days.round() as u64),
        intervals => Value::from(Serde(intervals)), cohorts => Value::from(Serde(cohorts.collect::<Vec<_>>())),
        amount => Value::from(Serde(charts::amount(&sweeps.intervals))),
        changes => Value::from(Serde(charts::changes(&sweeps.changes))),
        survival => Value::from(Serde(charts::survival(sweeps))),
        dates,
    }
}

/// A row of the table of intervals, with its bar.
#[derive(Serialize)]
struct IntervalView {
    start: String,
    end: String,
    days: u64,
    kinds: Vec<BarPart>,
    within: u64,
    between: u64,
    resemblance: Option<String>,
}

/// A kind of page in an interval, and its place in the bar.
#[derive(Serialize)]
struct BarPart {
    class: &'static str,
    name: &'static str,
    count: u64,
    /// Percent of all pages of both sweeps.
    share: String,
    /// Percent of the bar before it.
    x: String,
    /// Width in percent of the bar.
    width: String,
}

/// Width of the gap between two parts, in percent of the bar.
const GAP: f64 = 0.25;

/// Least width of a part in percent of the bar, so that few pages can still be seen.
const LEAST: f64 = 0.3;

impl IntervalView {
    fn new(interval: &SweepInterval) -> IntervalView {
        IntervalView {
            start: cut(&interval.start, LINE),
            end: cut(&interval.end, LINE),
            days: interval.days.round() as u64,
            kinds: parts(&interval.kinds),
            within: interval.within,
            between: interval.between,
            resemblance: interval.resemblance.map(|value| format!("{value:.3}")),
        }
    }
}

fn parts(kinds: &Kinds) -> Vec<BarPart> {
    let Kinds { same, changed, moved, moved_changed, new, gone, replaced } = *kinds;
    let counts = [same, changed, moved, moved_changed, new, gone, replaced];
    let whole = counts.iter().sum::<u64>().max(1) as f64;
    let free = 100.0 - (GAP + LEAST) * counts.iter().filter(|&&count| count > 0).count() as f64 + GAP;
    let mut x = 0.0;
    let part = |(count, (name, class)): (u64, (&'static str, &'static str))| {
        let share = count as f64 / whole;
        let width = if count > 0 { LEAST + free * share } else { 0.0 };
        let part = BarPart { class, name, count, share: format!("{:.3}", share * 100.0), x: place(x), width: place(width) };
        x += if count > 0 { width + GAP } else { 0.0 };
        part
    };
    counts.into_iter().zip(KINDS).map(part).collect()
}

/// Pages first seen in one sweep, sweep by sweep.
#[derive(Serialize)]
struct CohortView {
    series: usize,
    date: String,
    alive: Vec<Option<u64>>,
}
