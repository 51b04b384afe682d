//! The page about the changes of pages from sweep to sweep.

use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;

use crate::charts;
use crate::pages::report::templates;
use crate::pages::sweeps::class_of;
use crate::pages::view::cut;
use crate::{ChangedInterval, Error, ListedStep, StepList, SweepChanges};

/// Number of characters shown of a URL or a remark.
const LINE: usize = 2_000;

/// Renders the page of the changes between sweeps: one HTML file without scripts that loads nothing.
///
/// # Errors
/// [`Error::Template`] if a built-in template does not fit its data.
pub fn render_changes(changes: &SweepChanges) -> Result<String, Error> {
    let dates: Vec<String> = changes.dates.iter().map(|date| cut(date, LINE)).collect();
    let kinds: Vec<_> = changes.kinds.iter().map(|name| context! { name, class => class_of(name) }).collect();
    let pairs = changes.intervals.iter().zip(dates.windows(2));
    let intervals: Vec<_> = pairs.map(|(interval, dates)| ChangesView::new(interval, dates, &changes.kinds)).collect();
    let total: u64 = intervals.iter().map(|interval| interval.total).sum();
    let shown: usize = intervals.iter().flat_map(|interval| &interval.lists).map(|list| list.steps.len()).sum();
    let context = context! {
        version => &changes.neardup, first => dates.first(), last => dates.last(), most => changes.most, total, shown, kinds,
        intervals => Value::from(Serde(intervals)), timeline => Value::from(Serde(charts::timeline(changes, class_of))),
    };
    Ok(templates()?.get_template("changes.html")?.render(context)?)
}

/// An interval, with its lists.
#[derive(Serialize)]
struct ChangesView {
    start: String,
    end: String,
    total: u64,
    lists: Vec<ListView>,
}

impl ChangesView {
    fn new(interval: &ChangedInterval, dates: &[String], kinds: &[String]) -> ChangesView {
        let [start, end] = [0, 1].map(|at| dates.get(at).cloned().unwrap_or_default());
        let lists: Vec<_> = interval.lists.iter().zip(kinds).map(|(list, kind)| ListView::new(list, kind)).collect();
        ChangesView { start, end, total: lists.iter().map(|list| list.total).sum(), lists }
    }
}

/// The steps of a kind.
#[derive(Serialize)]
struct ListView {
    kind: String,
    class: &'static str,
    total: u64,
    steps: Vec<ListedStepView>,
}

impl ListView {
    fn new(list: &StepList, kind: &str) -> ListView {
        let steps = list.steps.iter().map(ListedStepView::new).collect();
        ListView { kind: kind.to_owned(), class: class_of(kind), total: list.total, steps }
    }
}

/// A step; a URL that stays is shown once.
#[derive(Serialize)]
struct ListedStepView {
    old: Option<String>,
    new: Option<String>,
    resemblance: Option<String>,
    remark: Option<String>,
}

impl ListedStepView {
    fn new(step: &ListedStep) -> ListedStepView {
        let shown = |text: &Option<String>| text.as_deref().map(|text| cut(text, LINE));
        ListedStepView {
            old: shown(&step.old),
            new: if step.new == step.old { None } else { shown(&step.new) },
            resemblance: step.resemblance.map(|value| format!("{value:.3}")),
            remark: shown(&step.remark),
        }
    }
}
