//! Losses: the number of pairs that the keys missed, estimated from the found ones, with the uncertainty of the estimate.

use super::document_draw::{DocumentDraw, GROUPS, SampledPair, SharedBands};
use crate::keys::promise::{BandGrid, Chance};
use crate::util::forest::Forest;
use crate::util::ids::DocId;

/// Sums over the pairs of drawn documents, each weighted by the number of pairs that it represents.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairLosses {
    /// Number of verified pairs, each counted once.
    pub pairs: u64,
    /// Number of pairs that were found.
    pub found: f64,
    /// Number of pairs that were missed: (1 - P) / P for every found pair.
    pub missed: f64,
    /// Variance of the number of missed pairs if every clump were found independently. A found pair contributes
    /// (1 - P) / P^2; a clump, the square of the sum of the roots. A clump is a group of pairs of one component that share
    /// the same bands, such as pairs of texts with equal features.
    pub apart: f64,
    /// Additional variance because pairs of one component are found together.
    pub together: f64,
    /// Number of independent deviations from which `together` was estimated.
    pub freedom: f64,
    /// Additional variance because documents were drawn.
    pub drawing: f64,
    /// Number of pairs that a missed one represents.
    pub unit: f64,
    /// Number of found pairs that share exactly one band.
    pub alone: f64,
    /// Expected value of `alone`: b (P - P') / P for every found pair, where P' is the probability with one band less.
    pub alone_expected: f64,
}

/// A pair, with all its sightings.
struct SightedPair {
    pair: [DocId; 2],
    weight: f64,
    shared: SharedBands,
    /// The probability with all bands, and with one less.
    chance: f64,
    less: f64,
}

impl PairLosses {
    /// Computes the losses of `sightings`, which must be sorted, so that the sums are the same for any threads.
    pub fn of(sightings: &[SampledPair], grid: BandGrid, drawing: &DocumentDraw) -> PairLosses {
        let bands = |bands| Chance::Bands { grid: BandGrid { bands, ..grid }, least: 1 };
        let (all, less) = (bands(grid.bands), bands(grid.bands - 1));
        let seen: Vec<SightedPair> = sightings
            .chunk_by(|one, other| one.pair == other.pair)
            .map(|observed| {
                let weight = observed.iter().map(|sighting| drawing.weight(sighting)).sum();
                SightedPair {
                    pair: observed[0].pair,
                    weight,
                    shared: observed[0].shared,
                    chance: chance(&observed[0], all),
                    less: chance(&observed[0], less),
                }
            })
            .collect();
        let sum = |of: &dyn Fn(&SightedPair) -> f64| seen.iter().map(of).sum::<f64>();
        let missed = sum(&|pair| pair.weight * (1.0 - pair.chance) / pair.chance);
        let components = components(&seen);
        let clumps = || {
            components.iter().flat_map(|component| {
                component.chunk_by(|one, other| matches!(one.shared, SharedBands::Same(_)) && one.shared == other.shared)
            })
        };
        // The pairs that were not drawn were found or missed independently, too, so the share of missed pairs varies as
        // that of all pairs; the variance of the draw is counted separately. In a clump, the products of any two pairs
        // count as they were seen.
        let varied = |of: &dyn Fn(&SightedPair) -> f64| {
            let by_themselves = drawing.share() * sum(&|pair| pair.weight * of(pair).powi(2));
            let both = |clump: &[&SightedPair]| {
                let one = |pair: &&SightedPair| pair.weight * of(pair);
                clump.iter().map(one).sum::<f64>().powi(2) - clump.iter().map(|pair| one(pair).powi(2)).sum::<f64>()
            };
            by_themselves + clumps().filter(|clump| clump.len() > 1).map(both).sum::<f64>()
        };
        let weighed = varied(&|pair| ((1.0 - pair.chance) / pair.chance).sqrt());
        let (together, freedom) = together(&components, grid.bands);
        PairLosses {
            pairs: seen.len() as u64,
            found: sum(&|pair| pair.weight),
            missed,
            apart: varied(&|pair| (1.0 - pair.chance).sqrt() / pair.chance),
            together,
            freedom,
            drawing: drawn(sightings, drawing, all),
            unit: if missed > 0.0 { weighed / missed } else { 1.0 },
            alone: seen.iter().filter(|pair| pair.shared.alone().is_some()).map(|pair| pair.weight).sum(),
            alone_expected: sum(&|pair| pair.weight * grid.bands as f64 * (pair.chance - pair.less) / pair.chance),
        }
    }
}

/// Returns the pairs of every component. Clumps are adjacent, and pairs that share one band alone are sorted by band.
fn components(seen: &[SightedPair]) -> Vec<Vec<&SightedPair>> {
    let mut documents: Vec<DocId> = seen.iter().flat_map(|pair| pair.pair).collect();
    documents.sort_unstable();
    documents.dedup();
    let place = |document: DocId| documents.partition_point(|&other| other < document) as u32;
    let mut forest = Forest::new(documents.len());
    seen.iter().for_each(|pair| forest.union(place(pair.pair[0]), place(pair.pair[1])));
    let mut rooted: Vec<(u32, &SightedPair)> = seen.iter().map(|pair| (forest.find(place(pair.pair[0])), pair)).collect();
    rooted.sort_unstable_by_key(|(root, pair)| (*root, pair.shared, pair.pair));
    rooted.chunk_by(|one, other| one.0 == other.0).map(|component| component.iter().map(|&(_, pair)| pair).collect()).collect()
}

/// Returns the probability that a pair is found by these bands.
fn chance(sighting: &SampledPair, bands: Chance) -> f64 {
    let [shared, union] = sighting.resemblance.map(|count| count as f64);
    if sighting.shared == SharedBands::Surely { 1.0 } else { bands.at(shared / union) }
}

/// The jackknife over bands, component by component.
///
/// Bands are independent and identically distributed, so the found pairs are a symmetric function of b independent
/// variables. Without band t, the sum of 1 / P' over the found pairs is less by d_t, the sum over pairs that share t alone.
/// (b - 1) / b * sum of (d_t - mean)^2 is on average no less than the variance of that sum (Efron, Stein 1981). Components
/// share no feature that decides, so their variances add up. The contribution of clumps by themselves is known better
/// ([`PairLosses::apart`]). It is subtracted, which leaves the part that they contribute together.
///
/// Returns that part, and the number of deviations from which it is estimated: b - 1 for every component, where components
/// of little weight count little (Satterthwaite 1946).
fn together(components: &[Vec<&SightedPair>], bands: u64) -> (f64, f64) {
    let b = bands as f64;
    let (mut sum, mut squares, mut by_itself) = (0.0, 0.0, 0.0);
    for component in components {
        let alone: Vec<(u32, f64)> = component.iter().filter_map(|pair| Some((pair.shared.alone()?, pair.weight / pair.less))).collect();
        let without = alone.chunk_by(|one, other| one.0 == other.0).map(|band| band.iter().map(|pair| pair.1).sum::<f64>());
        let (total, square) = without.fold((0.0, 0.0), |(total, square), d| (total + d, square + d * d));
        let variance = (b - 1.0) / b * (square - total * total / b);
        sum += variance;
        squares += variance * variance;
        by_itself += alone.iter().map(|pair| ((b - 1.0) / b * pair.1).powi(2)).sum::<f64>();
    }
    let components = if squares > 0.0 { (sum * sum / squares).max(1.0) } else { 1.0 };
    ((sum - by_itself).max(0.0), (b - 1.0) * components)
}

/// The delete-a-group jackknife over drawn documents (Kott 2001). Returns how much the number of missed pairs, for the same
/// number of found ones, varies with the draw. It is 0 if all documents were drawn.
fn drawn(sightings: &[SampledPair], drawing: &DocumentDraw, bands: Chance) -> f64 {
    let left = if sightings.iter().all(|sighting| drawing.is_even(sighting)) { 1.0 - drawing.share() } else { 1.0 };
    let mut groups = [(0.0, 0.0); GROUPS];
    for sighting in sightings {
        let (weight, p) = (drawing.weight(sighting), chance(sighting, bands));
        let (missed, all) = &mut groups[usize::from(sighting.group) % GROUPS];
        *missed += weight * (1.0 - p) / p;
        *all += weight / p;
    }
    let (missed, all) = groups.iter().fold((0.0, 0.0), |sum, group| (sum.0 + group.0, sum.1 + group.1));
    let without: Vec<f64> =
        groups.iter().filter(|group| group.1 > 0.0 && group.1 < all).map(|group| (missed - group.0) / (all - group.1)).collect();
    let count = without.len() as f64;
    if without.len() < 2 {
        // One group is no evidence of how groups vary.
        return left * missed * missed;
    }
    let mean = without.iter().sum::<f64>() / count;
    left * (count - 1.0) / count * without.iter().map(|share| (share - mean).powi(2)).sum::<f64>() * all * all
}
