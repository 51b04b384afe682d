//! Charts of how much pages changed, and how often.

use super::chart::{Bar, Chart, Tick, place};
use crate::{SweepInterval, number};
use std::collections::BTreeMap;

/// Greatest number of bars after the first; larger values count in the last bar.
const MOST: usize = 12;
/// Greatest number of steps between the lines across a chart.
const LINES: u64 = 6;

/// Draws the changed texts of all intervals by their resemblance to the text before; `None` if there are none.
pub(crate) fn amount(intervals: &[SweepInterval]) -> Option<Chart> {
    let bins = intervals.iter().map(|interval| interval.amount.len()).max()?;
    let counts: Vec<u64> = (0..bins).map(|bin| intervals.iter().filter_map(|interval| interval.amount.get(bin)).sum()).collect();
    let name = |bin: usize| if bin + 1 == bins { "all".to_owned() } else { format!("0.{bin}") };
    let title = |bin: usize| if bin + 1 == bins { "equal features".to_owned() } else { format!("from 0.{bin}") };
    bars(&counts, name, title, ["resemblance to the text before, from", "changes"])
}

/// Draws pages by how often their text changed; `None` if no page was seen twice.
pub(crate) fn changes(changes: &BTreeMap<u64, u64>) -> Option<Chart> {
    let most = usize::try_from(*changes.keys().last()?).unwrap_or(MOST).min(MOST);
    let mut counts = vec![0; most + 1];
    for (&times, &pages) in changes {
        counts[usize::try_from(times).unwrap_or(most).min(most)] += pages;
    }
    let name = |times: usize| if times == MOST { format!("{times}+") } else { times.to_string() };
    bars(&counts, name, |times| format!("{} {}", name(times), number::noun(times as u64, "time")), ["times that a page changed", "pages"])
}

/// Draws a bar for every count, the largest as high as the chart; `None` if all counts are 0.
fn bars(
    counts: &[u64],
    name: impl Fn(usize) -> String,
    title: impl Fn(usize) -> String,
    [x_title, y_title]: [&'static str; 2],
) -> Option<Chart> {
    let top = counts.iter().copied().max().filter(|&top| top > 0)?;
    let mut chart = Chart { x_title, y_title, ..Chart::default() };
    let width = 100.0 / counts.len() as f64;
    let height = |count: u64| count as f64 / top as f64 * 100.0;
    for (at, &count) in counts.iter().enumerate() {
        let left = at as f64 * width;
        chart.x.push(Tick { at: place(left + width / 2.0), text: name(at) });
        if count > 0 {
            let title = format!("{}: {}", title(at), number::count(count));
            chart.bars.push(Bar {
                class: "accepted",
                x: place(left + width * 0.1),
                width: place(width * 0.8),
                height: place(height(count)),
                title,
            });
        }
    }
    chart.y = lines(top);
    let labels: Vec<String> = counts.iter().enumerate().map(|(at, &count)| format!("{} {}", name(at), number::count(count))).collect();
    chart.label = format!("{y_title} by {x_title}: {}", labels.join(", "));
    Some(chart)
}

/// Returns the lines across a chart whose height is `top`: at 0 and at multiples of 1, 2, 5, 10, 20, ..., of which few are enough.
pub(super) fn lines(top: u64) -> Vec<Tick> {
    let steps = (0..=18).flat_map(|power| [1, 2, 5].map(|step| step * 10u64.pow(power)));
    let step = steps.into_iter().find(|&step| top / step <= LINES).unwrap_or(top);
    let line = |n: u64| Tick { at: place(100.0 - n as f64 / top as f64 * 100.0), text: number::count(n) };
    (0..=top / step).map(|at| line(at * step)).collect()
}
