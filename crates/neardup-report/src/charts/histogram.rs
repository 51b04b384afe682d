//! Histogram of pairs by resemblance.

use super::chart::{Bar, Chart, LogAxis, Mark, Tick, place};
use crate::{BINS, Histogram, number};

/// Draws pairs by resemblance, accepted beside rejected ones, on a logarithmic axis; `None` if no pair was compared. `accepted`
/// is the name of the pairs that met the measure.
pub(crate) fn histogram(histogram: &Histogram, threshold: Option<f64>, accepted: &str) -> Option<Chart> {
    let max = [&histogram.accepted, &histogram.rejected].into_iter().flat_map(|bins| bins.iter().take(BINS)).copied().max()?;
    if max == 0 {
        return None;
    }
    let axis = LogAxis::new(1, max);
    let mut chart = Chart { x_title: "resemblance", y_title: "pairs", ..Chart::default() };
    chart.x = (0..=10).map(|i| Tick { at: place(f64::from(i) * 10.0), text: format!("{}.{}", i / 10, i % 10) }).collect();
    chart.y = axis.ticks().into_iter().map(|n| Tick { at: place(100.0 - axis.at(n)), text: number::count(n) }).collect();
    let shared = |bin: usize| histogram.accepted.get(bin).is_some_and(|&n| n > 0) && histogram.rejected.get(bin).is_some_and(|&n| n > 0);
    for (class, name, bins) in [("accepted", accepted, &histogram.accepted), ("rejected", "rejected", &histogram.rejected)] {
        for (bin, &n) in bins.iter().enumerate().take(BINS).filter(|&(_, &n)| n > 0) {
            // The bin of the threshold can have both kinds: then each gets half the width.
            let (left, width) = match (shared(bin), class) {
                (false, _) => (0.08, 0.84),
                (true, "rejected") => (0.04, 0.44),
                (true, _) => (0.52, 0.44),
            };
            chart.bars.push(Bar {
                class,
                x: place(bin as f64 + left),
                width: place(width),
                height: place(axis.at(n)),
                title: format!("{}: {} {name}", range(bin), number::count(n)),
            });
        }
    }
    if let Some(tau) = threshold {
        chart.marks.push(Mark::threshold(tau));
    }
    let total = |bins: &[u64]| number::count(bins.iter().sum());
    chart.label = format!("Pairs by resemblance: {} {accepted} and {} rejected", total(&histogram.accepted), total(&histogram.rejected));
    Some(chart)
}

fn range(bin: usize) -> String {
    let upper = bin + 1;
    format!("0.{bin:02} to {}.{:02}", upper / 100, upper % 100)
}
