//! The page of a run: a frame, with as many texts in it as the cap allows.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{Environment, UndefinedBehavior, context};

use crate::escape::{EscapedPlace, escape};
use crate::pages::view::{ClusterView, PairView, frame};
use crate::{Error, PageLimits, Report, ReportedJob, number};

/// Bytes reserved for the words around a list of texts, which are written after the list.
const SECTION: usize = 1_000;

#[derive(Clone, Copy)]
enum ReportList {
    Riskiest,
    Rejected,
    Largest,
}

impl ReportList {
    /// Returns the lists of texts, in the order of the page.
    fn of(job: ReportedJob) -> &'static [ReportList] {
        match job {
            ReportedJob::Pairs => &[ReportList::Rejected],
            ReportedJob::Dedup | ReportedJob::Cluster => &[ReportList::Riskiest, ReportList::Rejected, ReportList::Largest],
        }
    }
}

/// Renders the page of a run: one HTML file without scripts that loads nothing.
///
/// Its length is at most `limits.page` bytes. The lists of texts take turns until the next entry would not fit. The page says how
/// many entries of how many are shown, and where texts are cut.
///
/// # Errors
/// [`Error::CapTooSmall`] if the page does not fit even without texts.
pub fn render(report: &Report, limits: &PageLimits) -> Result<String, Error> {
    let templates = templates()?;
    let frame = templates.get_template("report.html")?.render(frame(report, limits))?;
    let lists = ReportList::of(report.job);
    let needed = frame.len() + lists.len() * SECTION;
    // The page prints the cap, and a larger cap can take a few digits more.
    let room = limits.page.checked_sub(needed).ok_or(Error::CapTooSmall { cap: limits.page, needed: needed + 32 })?;
    let entries = entries(&templates, lists, report, limits, room)?;

    let mut page = String::with_capacity(needed + entries.iter().map(|(html, _)| html.len()).sum::<usize>());
    let mut rest = frame.as_str();
    for (&list, (html, shown)) in lists.iter().zip(entries) {
        // No text of a user can look like this, because its "<" would be escaped.
        let Some((before, after)) = rest.split_once("<!--list-->") else {
            break;
        };
        page.push_str(before);
        page.push_str(&section(&templates, list, report, limits, html, shown)?);
        rest = after;
    }
    page.push_str(rest);
    Ok(page)
}

/// Returns the entries of each list that fit into `room` bytes together, and their number.
fn entries(
    templates: &Environment,
    lists: &[ReportList],
    report: &Report,
    limits: &PageLimits,
    mut room: usize,
) -> Result<Vec<(String, usize)>, Error> {
    let mut entries = vec![(String::new(), 0); lists.len()];
    let mut open = vec![true; lists.len()];
    while open.contains(&true) {
        for ((&list, (html, shown)), open) in lists.iter().zip(&mut entries).zip(&mut open) {
            let entry = if *open && *shown < limits.entries { entry(templates, list, report, limits, *shown)? } else { None };
            match entry {
                Some(entry) if entry.len() <= room => {
                    room -= entry.len();
                    html.push_str(&entry);
                    *shown += 1;
                }
                // An entry that does not fit ends its list, so the shown entries are the first of the list.
                _ => *open = false,
            }
        }
    }
    Ok(entries)
}

fn entry(templates: &Environment, list: ReportList, report: &Report, limits: &PageLimits, index: usize) -> Result<Option<String>, Error> {
    let clusters = match list {
        ReportList::Riskiest => &report.riskiest,
        ReportList::Largest => &report.largest,
        ReportList::Rejected => {
            let Some(pair) = report.rejected.get(index) else {
                return Ok(None);
            };
            let pair = PairView::new(&pair.left, &pair.right, &pair.evidence, ["first", "second"], limits);
            let context =
                context! { pair => Value::from(Serde(pair)), features => &report.features, rank => index + 1, open => index == 0 };
            return Ok(Some(templates.get_template("rejected.html")?.render(context)?));
        }
    };
    let Some(cluster) = clusters.get(index) else {
        return Ok(None);
    };
    let cluster = Value::from(Serde(ClusterView::new(cluster, limits)));
    let context = context! { cluster, features => &report.features, rank => index + 1, open => index == 0 };
    Ok(Some(templates.get_template("cluster.html")?.render(context)?))
}

fn section(
    templates: &Environment,
    list: ReportList,
    report: &Report,
    limits: &PageLimits,
    html: String,
    shown: usize,
) -> Result<String, Error> {
    let shown = shown as u64;
    let (name, total) = match list {
        ReportList::Riskiest => ("riskiest", report.leader_groups.mixed_clusters),
        ReportList::Largest => ("largest", report.leader_groups.clusters),
        ReportList::Rejected => ("rejected", report.histogram.rejected.iter().sum()),
    };
    let context = context! {
        name, shown, total => total.max(shown), entries => Value::from_safe_string(html),
        text => limits.text as u64, page => limits.page as u64, verified => report.verified, group => report.job.group(),
    };
    Ok(templates.get_template("list.html")?.render(context)?)
}

/// Returns the templates of all pages.
pub(crate) fn templates() -> Result<Environment<'static>, Error> {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    templates.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    templates.set_formatter(|out, state, value| match value.as_str() {
        Some(text) if !value.is_safe() => {
            let mut html = String::with_capacity(text.len() + 16);
            escape(&mut html, text, EscapedPlace::Label);
            Ok(out.write_str(&html)?)
        }
        _ => minijinja::escape_formatter(out, state, value),
    });
    templates.add_filter("count", number::count);
    templates.add_filter("noun", number::noun);
    templates.add_filter("plural", number::plural);
    templates.add_filter("bytes", number::bytes);
    templates.add_filter("limit", number::limit);
    templates.add_filter("percent", number::percent);
    templates.add_filter("duration", number::duration);
    templates.add_template("page.html", include_str!("../templates/page.html"))?;
    templates.add_template("report.html", include_str!("../templates/report.html"))?;
    templates.add_template("evaluation.html", include_str!("../templates/evaluation.html"))?;
    templates.add_template("evaluation.css", include_str!("../templates/evaluation.css"))?;
    templates.add_template("measures.html", include_str!("../templates/measures.html"))?;
    templates.add_template("series.css", include_str!("../templates/series.css"))?;
    templates.add_template("sweeps.html", include_str!("../templates/sweeps.html"))?;
    templates.add_template("changes.html", include_str!("../templates/changes.html"))?;
    templates.add_template("changes.css", include_str!("../templates/changes.css"))?;
    templates.add_template("kinds.html", include_str!("../templates/kinds.html"))?;
    templates.add_template("sweeps_plots.html", include_str!("../templates/sweeps_plots.html"))?;
    templates.add_template("sweeps.css", include_str!("../templates/sweeps.css"))?;
    templates.add_template("repeats.html", include_str!("../templates/repeats.html"))?;
    templates.add_template("report.css", include_str!("../templates/report.css"))?;
    templates.add_template("chart.html", include_str!("../templates/chart.html"))?;
    templates.add_template("list.html", include_str!("../templates/list.html"))?;
    templates.add_template("cluster.html", include_str!("../templates/cluster.html"))?;
    templates.add_template("rejected.html", include_str!("../templates/rejected.html"))?;
    templates.add_template("steps.html", include_str!("../templates/steps.html"))?;
    templates.add_template("steps.css", include_str!("../templates/steps.css"))?;
    templates.add_template("phases.html", include_str!("../templates/phases.html"))?;
    templates.add_template("pair.html", include_str!("../templates/pair.html"))?;
    Ok(templates)
}
