//! Chart of how long pages live.

use super::chart::{Chart, Path, Tick, place};
use super::precision::LINES;
use crate::{Sweeps, number};

/// Width of a date below the chart on a narrow page, in percent of the plot.
const DATE: f64 = 30.0;

/// Names the times below a chart, as many as have room; the last one is always named, and its name ends with the plot.
pub(super) fn dates(times: &[i64], dates: &[String], at: impl Fn(i64) -> f64) -> Vec<Tick> {
    let mut free = 0.0;
    let mut ticks = Vec::new();
    for (&time, date) in times.iter().zip(dates) {
        if times.last() == Some(&time) || (free..=100.0 - 1.5 * DATE).contains(&at(time)) {
            ticks.push(Tick { at: place(at(time)), text: date.chars().take(10).collect() });
            free = at(time) + DATE;
        }
    }
    ticks
}

/// Draws the share of the pages of each cohort that is left over time, one line per cohort; `None` with fewer than two sweeps.
pub(crate) fn survival(sweeps: &Sweeps) -> Option<Chart> {
    let (first, last) = (*sweeps.times.first()?, *sweeps.times.last()?);
    if first == last {
        return None;
    }
    let at = |time: i64| (time - first) as f64 / (last - first) as f64 * 100.0;
    let mut chart = Chart { y_title: "share left", x: dates(&sweeps.times, &sweeps.dates, at), ..Chart::default() };
    chart.y = (0..=10).step_by(2).map(|i| Tick { at: place(100.0 - f64::from(i) * 10.0), text: format!("{}%", i * 10) }).collect();
    for (birth, cohort) in sweeps.cohorts.iter().enumerate() {
        let Some(&born) = cohort.alive.first().filter(|&&born| born > 0) else { continue };
        let mut line = String::new();
        for (&alive, &time) in cohort.alive.iter().zip(sweeps.times.get(birth..).unwrap_or_default()) {
            let y = place(100.0 - alive as f64 / born as f64 * 100.0);
            line.push_str(&format!("{}{} {y}", if line.is_empty() { "M" } else { "L" }, place(at(time))));
        }
        chart.paths.push(Path { class: LINES[birth % LINES.len()], d: line });
    }
    chart.label = format!("Share of the pages of {} that later sweeps still have", number::plural(chart.paths.len() as u64, "sweep"));
    Some(chart)
}
