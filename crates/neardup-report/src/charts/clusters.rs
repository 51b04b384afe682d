//! Chart of clusters by size.

use std::collections::{BTreeMap, BTreeSet};

use super::chart::{Chart, Dot, LogAxis, Tick, place};
use crate::number;

/// Greatest number of dots, apart from that of the largest cluster. No run with a plausible spread of sizes comes near.
const DOTS: usize = 1_000;

/// Draws clusters by size on two logarithmic axes; `None` if there are no clusters.
pub(crate) fn clusters(sizes: &BTreeMap<u64, u64>) -> Option<Chart> {
    let present = || sizes.iter().filter(|&(&size, &n)| size > 0 && n > 0).map(|(&size, &n)| (size, n));
    let (smallest, largest) = (present().next()?.0, present().next_back()?.0);
    let most = present().map(|(_, n)| n).max()?;
    let (x, y) = (LogAxis::new(smallest, largest), LogAxis::new(1, most));
    let mut chart = Chart { x_title: "documents in a cluster", y_title: "clusters", ..Chart::default() };
    // Most clusters have the smallest size, which powers of ten alone would leave without a label.
    let smallest = Some(smallest).filter(|&size| size < 5);
    let ticks = BTreeSet::from_iter(x.ticks().into_iter().chain(smallest));
    chart.x = ticks.into_iter().map(|n| Tick { at: place(x.at(n)), text: number::count(n) }).collect();
    chart.y = y.ticks().into_iter().map(|n| Tick { at: place(100.0 - y.at(n)), text: number::count(n) }).collect();
    // A run can have a hundred thousand sizes; dots on the same percent hide each other anyway.
    let mut taken = BTreeSet::new();
    for (size, n) in present() {
        let (left, bottom) = (x.at(size), y.at(n));
        if taken.len() < DOTS && taken.insert((left as u32, bottom as u32)) || size == largest {
            chart.dots.push(Dot {
                class: "dot",
                x: place(left),
                y: place(100.0 - bottom),
                title: format!("{} of {}", number::count(n), number::plural(size, "document")),
            });
        }
    }
    let total = present().map(|(_, n)| n).sum();
    chart.label = format!("Cluster sizes: {}, the largest of {}", number::plural(total, "cluster"), number::plural(largest, "document"));
    Some(chart)
}
