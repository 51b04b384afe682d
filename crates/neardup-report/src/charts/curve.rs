//! The chance to find a pair, by its resemblance.

use super::chart::{Chart, Dot, Mark, Path, Tick, place};
use crate::{Recall, scurve};

/// Steps of the drawn curve.
const STEPS: u32 = 200;

/// P(found) over resemblance, with the promised point at the threshold; none without a promise.
pub(crate) fn curve(recall: &Recall, threshold: Option<f64>) -> Option<Chart> {
    let tau = threshold.unwrap_or(1.0);
    let mut chart = Chart { x_title: "resemblance", y_title: "chance to be found", ..Chart::default() };
    let tenths = |i: u32| format!("{}.{}", i / 10, i % 10);
    chart.x = (0..=10).map(|i| Tick { at: place(f64::from(i) * 10.0), text: tenths(i) }).collect();
    chart.y = (0..=10).step_by(2).map(|i| Tick { at: place(100.0 - f64::from(i) * 10.0), text: tenths(i) }).collect();
    let line = match *recall {
        Recall::Nothing { .. } => return None,
        Recall::Exact => {
            chart.label = format!("Every pair at or above {tau} is found");
            let at = place(tau * 100.0);
            format!("M0 100H{at}V0H100")
        }
        Recall::Bands { bands, rows, .. } => {
            let chance = scurve(bands, rows, tau);
            chart.label = format!("S-curve of {bands} bands of {rows} rows: {chance:.4} at {tau}");
            let (x, y) = (place(tau * 100.0), place(100.0 - chance * 100.0));
            chart.dots.push(Dot { class: "promise", x, y, title: format!("{chance:.4} at {tau}") });
            let mut line = String::new();
            for step in 0..=STEPS {
                let s = f64::from(step) / f64::from(STEPS);
                line.push(if step == 0 { 'M' } else { 'L' });
                line.push_str(&format!("{} {}", place(s * 100.0), place(100.0 - scurve(bands, rows, s) * 100.0)));
            }
            line
        }
    };
    chart.paths.push(Path { class: "area", d: format!("{line}V100H0Z") });
    chart.paths.push(Path { class: "line", d: line });
    if threshold.is_some() {
        chart.marks.push(Mark { at: place(tau * 100.0), text: format!("threshold {tau}"), before: tau > 0.3 });
    }
    Some(chart)
}
