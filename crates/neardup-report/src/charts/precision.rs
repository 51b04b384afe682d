//! Chart of precision over recall, one line per scheme.

use super::chart::{Chart, Dot, Path, Tick, place};
use crate::{Curve, CurvePoint, number};

/// Number of colours and strokes; further schemes reuse them.
pub(crate) const SERIES: usize = 6;

pub(crate) const LINES: [&str; SERIES] = ["series s1", "series s2", "series s3", "series s4", "series s5", "series s6"];
const PEAKS: [&str; SERIES] = ["peak s1", "peak s2", "peak s3", "peak s4", "peak s5", "peak s6"];

/// Draws the curves of all schemes as steps, with a dot at the highest F1; `None` if no precision is known.
///
/// From one recall to the next, the precision is that of the later point, so the area below the steps is the average precision.
/// The vertical axis begins at the last tenth below all precisions.
pub(crate) fn precision(curves: &[&Curve]) -> Option<Chart> {
    let lowest = curves.iter().flat_map(|curve| &curve.points).filter_map(|point| point.precision).reduce(f64::min)?;
    let low = ((lowest * 10.0).floor() / 10.0).clamp(0.0, 0.9);
    let top = |precision: f64| ((1.0 - precision) / (1.0 - low) * 100.0).clamp(0.0, 100.0);
    let mut chart = Chart { x_title: "recall", y_title: "precision", ..Chart::default() };
    chart.x = (0..=10).step_by(2).map(|i| Tick { at: place(f64::from(i) * 10.0), text: format!("{}.{}", i / 10, i % 10) }).collect();
    let ticks = (0..=5).map(|i| low + (1.0 - low) * f64::from(i) / 5.0);
    chart.y = ticks.map(|value| Tick { at: place(top(value)), text: format!("{value:.2}") }).collect();
    for (number, curve) in curves.iter().enumerate() {
        let mut line = String::new();
        for point in &curve.points {
            let Some((x, y)) = at(point, top) else { continue };
            line.push_str(&if line.is_empty() { format!("M0 {y}H{x}") } else { format!("V{y}H{x}") });
        }
        if !line.is_empty() {
            chart.paths.push(Path { class: LINES[number % SERIES], d: line });
        }
        if let Some((best, (x, y))) = curve.best.as_ref().and_then(|best| Some((best, at(best, top)?))) {
            let title = format!("scheme {}: F1 {:.4} at {}", number + 1, best.f1.unwrap_or_default(), best.score);
            chart.dots.push(Dot { class: PEAKS[number % SERIES], x, y, title });
        }
    }
    chart.label = format!("Precision over recall of {}, precision from {low:.1} to 1", number::plural(curves.len() as u64, "scheme"));
    Some(chart)
}

fn at(point: &CurvePoint, top: impl Fn(f64) -> f64) -> Option<(String, String)> {
    Some((place(point.recall? * 100.0), place(top(point.precision?))))
}
