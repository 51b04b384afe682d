//! Chart of how many pages changed between the sweeps.

use super::amount::lines;
use super::chart::{Bar, Chart, place};
use super::survival::dates;
use crate::{SweepChanges, number};

/// Gap between two bars, in percent of the plot.
const GAP: f64 = 0.3;
/// Least width of a bar, in percent of the plot.
const LEAST: f64 = 0.4;

/// Draws the steps of every interval as a bar from one sweep to the next, with a part for each kind, whose classes are
/// `class_of(kind)`; `None` if there are no steps.
pub(crate) fn timeline(changes: &SweepChanges, class_of: impl Fn(&str) -> &'static str) -> Option<Chart> {
    let (first, last) = (*changes.times.first()?, *changes.times.last()?);
    let totals: Vec<u64> = changes.intervals.iter().map(|interval| interval.lists.iter().map(|list| list.total).sum()).collect();
    let top = totals.iter().copied().max().filter(|&top| top > 0)?;
    let at = |time: i64| (time - first) as f64 / (last - first).max(1) as f64 * 100.0;
    let mut chart =
        Chart { y_title: "steps from each sweep to the next", x: dates(&changes.times, &changes.dates, at), ..Chart::default() };
    chart.y = lines(top);
    let mut labels = Vec::new();
    for (number, (interval, &total)) in changes.intervals.iter().zip(&totals).enumerate() {
        let [start, end] = [number, number + 1].map(|sweep| changes.times.get(sweep).copied().unwrap_or(last));
        let [from, to] = [number, number + 1].map(|sweep| changes.dates.get(sweep).map_or("", String::as_str));
        let x = at(start);
        let width = (at(end) - x - GAP).max(LEAST);
        // a part is drawn over the higher ones behind it, from the top of the bar to its foot
        let mut height = total;
        for (list, kind) in interval.lists.iter().zip(&changes.kinds).rev() {
            if list.total > 0 {
                let title = format!("{from} to {to}: {} {kind}", number::count(list.total));
                let tall = place(height as f64 / top as f64 * 100.0);
                chart.bars.push(Bar { class: class_of(kind), x: place(x), width: place(width), height: tall, title });
                height -= list.total;
            }
        }
        labels.push(format!("{from} to {to} {}", number::count(total)));
    }
    chart.label = format!("Steps from each sweep to the next: {}", labels.join(", "));
    Some(chart)
}
