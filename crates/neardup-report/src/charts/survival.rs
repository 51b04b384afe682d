//! Chart of how long pages live.

use super::chart::{Chart, Path, Tick, place};
use super::precision::LINES;
use crate::Sweeps;

/// Width of a date below the chart on a narrow page, in percent of the plot.
const DATE: f64 = 25.0;

/// Draws the share of the pages of each cohort that is left over time, one line per cohort; `None` with fewer than two sweeps.
pub(crate) fn survival(sweeps: &Sweeps) -> Option<Chart> {
    let (first, last) = (*sweeps.times.first()?, *sweeps.times.last()?);
    if first == last {
        return None;
    }
    let at = |time: i64| (time - first) as f64 / (last - first) as f64 * 100.0;
    let mut chart = Chart { y_title: "share left", ..Chart::default() };
    let mut free = 0.0;
    for (&time, date) in sweeps.times.iter().zip(&sweeps.dates) {
        // the last date is always shown
        if time == last || (free..=100.0 - DATE).contains(&at(time)) {
            chart.x.push(Tick { at: place(at(time)), text: date.chars().take(10).collect() });
            free = at(time) + DATE;
        }
    }
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
    chart.label = format!("Share of the pages of {} sweeps that later sweeps still have", chart.paths.len());
    Some(chart)
}
