//! Chart of clusters by threshold, from which a reader chooses one step.

use super::chart::{LogAxis, place};
use crate::{ThresholdStep, number};
use serde::Serialize;

/// Number of bars of sizes; larger clusters share the last bar.
const SIZES: usize = 11;

/// A threshold that can be chosen, and the figures shown for it.
#[derive(Serialize)]
pub(crate) struct StepView {
    threshold: String,
    clusters: u64,
    clustered: u64,
    largest: u64,
    /// Documents in clusters, in percent of the largest number of any step.
    height: String,
    /// Whether the threshold is written below the bar.
    named: bool,
    sizes: Vec<SizeView>,
}

#[derive(Serialize)]
struct SizeView {
    name: String,
    count: u64,
    /// Height of the bar, as a share from 0 to 1.
    height: String,
}

/// Returns the steps in order, all drawn to the same scales.
pub(crate) fn steps(steps: &[ThresholdStep]) -> Vec<StepView> {
    let most = steps.iter().map(|step| step.clustered).max().unwrap_or(0).max(1);
    let counts: Vec<Vec<u64>> = steps.iter().map(|step| gathered(&step.sizes)).collect();
    let bins = counts.iter().filter_map(|counts| counts.iter().rposition(|&count| count > 0)).max().map_or(0, |last| last + 1);
    let axis = LogAxis::new(1, counts.iter().flatten().copied().max().unwrap_or(1));
    // Labels are at twentieths, or at tenths if steps are narrow.
    let ticks = if steps.len() > 50 { 10.0 } else { 20.0 };
    let named = |step: &ThresholdStep| step.threshold.parse().is_ok_and(|threshold: f64| (threshold * ticks).fract() == 0.0);
    let step = |(step, counts): (&ThresholdStep, Vec<u64>)| StepView {
        threshold: step.threshold.clone(),
        clusters: step.clusters,
        clustered: step.clustered,
        largest: step.largest,
        height: place(step.clustered as f64 / most as f64 * 100.0),
        named: named(step),
        sizes: counts
            .into_iter()
            .take(bins)
            .enumerate()
            .map(|(bin, count)| SizeView { name: name(bin), count, height: height(axis, count) })
            .collect(),
    };
    steps.iter().zip(counts).map(step).collect()
}

/// Returns the counts by size; sizes above the last bar are added to it.
fn gathered(sizes: &[u64]) -> Vec<u64> {
    let mut gathered = sizes.to_vec();
    gathered.resize(sizes.len().max(SIZES), 0);
    let more = gathered.split_off(SIZES);
    gathered[SIZES - 1] += more.iter().sum::<u64>();
    gathered
}

/// Returns the label of the sizes of a bar.
fn name(bin: usize) -> String {
    let (first, last) = ((1u64 << bin) + 1, 2u64 << bin);
    match bin {
        0 => "2".to_owned(),
        bin if bin == SIZES - 1 => format!("{}+", number::count(first)),
        _ => format!("–{}", number::count(last)),
    }
}

fn height(axis: LogAxis, count: u64) -> String {
    place(if count == 0 { 0.0 } else { axis.at(count) / 100.0 })
}
