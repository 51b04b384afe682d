//! Chart of the chance to find a pair, by its resemblance.

use super::chart::{Chart, Dot, Mark, Path, Tick, place};
use crate::Recall;

/// Draws P(proposed) over resemblance, with the chance at the threshold; `None` if it does not follow from the resemblance.
pub(crate) fn curve(recall: &Recall, threshold: Option<f64>) -> Option<Chart> {
    let mut points = recall.curve.iter().map(|&(s, chance)| (place(s * 100.0), place(100.0 - chance * 100.0)));
    let (x, y) = points.next()?;
    let line = points.fold(format!("M{x} {y}"), |line, (x, y)| format!("{line}L{x} {y}"));
    let mut chart = Chart { x_title: "resemblance", y_title: "chance to be proposed", ..Chart::default() };
    chart.label = format!("Chance to be proposed by resemblance: {}", recall.promise);
    let tenths = |i: u32| format!("{}.{}", i / 10, i % 10);
    chart.x = (0..=10).map(|i| Tick { at: place(f64::from(i) * 10.0), text: tenths(i) }).collect();
    chart.y = (0..=10).step_by(2).map(|i| Tick { at: place(100.0 - f64::from(i) * 10.0), text: tenths(i) }).collect();
    chart.paths.push(Path { class: "area", d: format!("{line}V100H0Z") });
    chart.paths.push(Path { class: "line", d: line });
    if let Some(tau) = threshold {
        chart.marks.push(Mark::threshold(tau));
        if let Some(chance) = recall.chance.and_then(|chance| chance.at_threshold) {
            let (x, y) = (place(tau * 100.0), place(100.0 - chance * 100.0));
            chart.dots.push(Dot { class: "promise", x, y, title: format!("{chance:.4} at {tau}") });
        }
    }
    Some(chart)
}
