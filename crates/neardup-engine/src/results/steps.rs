//! Steps: the clusters of a run at one threshold after another, for its page.

use crate::Result;
use crate::findings::pairs::{PairRow, ScoredPair, StoredPairs};
use neardup_core::util::forest::Forest;
use neardup_core::util::ids::DocId;
use neardup_core::util::ratio::Ratio;
use neardup_core::util::store::List;

/// Numbers of steps from 0 to 1. Runs from a threshold of 0.5 on have steps of 1/200, lower runs steps of 1/100, so there are at
/// most 101.
const FINE: u64 = 200;
const COARSE: u64 = 100;

/// Counts of the clusters at one threshold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThresholdStep {
    /// The threshold.
    pub threshold: Ratio,
    /// Number of clusters of two or more documents.
    pub clusters: u64,
    /// Number of documents in these clusters.
    pub clustered: u64,
    /// Number of documents in the largest cluster.
    pub largest: u64,
    /// Number of clusters by size: of 2 documents, of 3 and 4, of 5 to 8, and so on.
    pub sizes: Vec<u64>,
}

/// Returns the clusters of `documents` documents that a forest has at every step from `least` on, ascending. Takes a few bytes of
/// memory for every document.
pub fn steps(forest: StoredPairs<'_>, documents: usize, least: Ratio) -> Result<Vec<ThresholdStep>> {
    let thresholds = thresholds(least);
    let by_step = by_step(forest, &thresholds)?;
    let mut growing = GrowingClusters { forest: Forest::new(documents), sizes: vec![1; documents], now: ThresholdStep::empty() };
    let mut steps = Vec::with_capacity(thresholds.len());
    for (&threshold, rows) in thresholds.iter().zip(&by_step).rev() {
        for part in rows.parts(forest.store) {
            part.map_err(neardup_core::Error::from)?.into_iter().for_each(|[left, right]| growing.join(left, right));
        }
        steps.push(ThresholdStep { threshold, ..growing.now.clone() });
    }
    steps.reverse();
    Ok(steps)
}

/// Returns `least`, and the whole steps above it up to 1.
fn thresholds(least: Ratio) -> Vec<Ratio> {
    let grain = if least < (Ratio { numerator: 1, denominator: 2 }) { COARSE } else { FINE };
    let above = (0..=grain).map(|numerator| Ratio { numerator, denominator: grain }).filter(|step| *step > least);
    std::iter::once(least).chain(above).collect()
}

/// Returns the pairs of a forest by the highest threshold that they reach. Pairs that reach none are left out.
fn by_step(forest: StoredPairs<'_>, thresholds: &[Ratio]) -> Result<Vec<List<[DocId; 2]>>> {
    let mut by_step: Vec<List<[DocId; 2]>> = vec![List::default(); thresholds.len()];
    for part in forest.rows.parts(forest.store) {
        let rows: Vec<PairRow> = part.map_err(neardup_core::Error::from)?;
        let mut here: Vec<Vec<[DocId; 2]>> = vec![Vec::new(); thresholds.len()];
        for ScoredPair { left, right, overlap, .. } in rows.into_iter().map(ScoredPair::from) {
            let (part, whole) = overlap.fraction();
            let reached = thresholds.partition_point(|threshold| threshold.at_least(part, whole));
            if let Some(step) = reached.checked_sub(1) {
                here[step].push([left, right]);
            }
        }
        for (list, pairs) in by_step.iter_mut().zip(here) {
            list.append(forest.store, &pairs).map_err(neardup_core::Error::from)?;
        }
    }
    Ok(by_step)
}

/// Clusters that grow as pairs join them.
struct GrowingClusters {
    forest: Forest<DocId>,
    /// Size of every tree, at its root.
    sizes: Vec<u32>,
    now: ThresholdStep,
}

impl GrowingClusters {
    fn join(&mut self, left: DocId, right: DocId) {
        let (left, right) = (self.forest.find(left), self.forest.find(right));
        let [one, other] = [left, right].map(|root| self.sizes[root.index()]);
        self.forest.union(left, right);
        self.sizes[self.forest.find(left).index()] = one + other;
        [one, other].into_iter().for_each(|size| self.now.lose(size));
        self.now.win(one + other);
    }
}

impl ThresholdStep {
    fn empty() -> ThresholdStep {
        ThresholdStep { threshold: Ratio::ONE, clusters: 0, clustered: 0, largest: 0, sizes: vec![0; u32::BITS as usize] }
    }

    fn lose(&mut self, size: u32) {
        if size > 1 {
            self.clusters -= 1;
            self.clustered -= u64::from(size);
            self.sizes[bin(size)] -= 1;
        }
    }

    fn win(&mut self, size: u32) {
        self.clusters += 1;
        self.clustered += u64::from(size);
        self.largest = self.largest.max(size.into());
        self.sizes[bin(size)] += 1;
    }
}

/// Returns the bin of a size of at least 2. Bins are by powers of two: the last size of a bin is one.
fn bin(size: u32) -> usize {
    (size - 1).ilog2() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use neardup_core::decide::value::PairValue;
    use neardup_core::measures::Overlap;
    use neardup_core::pass::rule::Rule;
    use neardup_core::util::store::Store;

    #[test]
    fn every_step_is_made_of_the_pairs_that_reach_it() {
        let store = Store::new(tempfile::tempfile().unwrap(), 0);
        let pairs: [(u32, u32, u32); 6] = [(0, 1, 100), (1, 2, 90), (3, 4, 89), (2, 4, 81), (5, 6, 80), (7, 8, 79)];
        let mut rows = List::default();
        for (left, right, shared) in pairs {
            // The resemblance is `shared` hundredths.
            let overlap = Overlap { shared, left: 100, right: shared };
            let row: PairRow =
                ScoredPair { left: DocId(left), right: DocId(right), rule: Rule::Near, pass: 0, overlap, value: PairValue::NONE }.into();
            rows.append(&store, &[row]).unwrap();
        }
        let least = Ratio { numerator: 4, denominator: 5 };
        let steps = steps(StoredPairs { store: &store, rows: &rows }, 9, least).unwrap();
        assert_eq!(steps.len(), 41);
        for step in &steps {
            let mut forest = Forest::new(9);
            let reaching = pairs.iter().filter(|pair| step.threshold.at_least(pair.2.into(), 100));
            reaching.for_each(|&(left, right, _)| forest.union(left, right));
            let roots: Vec<u32> = (0..9).map(|document| forest.find(document)).collect();
            let sizes: Vec<usize> = (0..9).map(|root| roots.iter().filter(|&&of| of == root).count()).filter(|&size| size > 1).collect();
            let expected = [sizes.len(), sizes.iter().sum(), sizes.iter().copied().max().unwrap_or(0)].map(|count| count as u64);
            assert_eq!([step.clusters, step.clustered, step.largest], expected, "{}", step.threshold);
            let within = |bin: usize| sizes.iter().filter(|&&size| size > 1 << bin && size <= 2 << bin).count() as u64;
            assert_eq!(step.sizes, (0..32).map(within).collect::<Vec<_>>());
        }
        assert_eq!((steps[0].largest, steps[0].threshold), (5, least));
    }

    #[test]
    fn low_runs_have_coarse_steps() {
        let steps = |numerator, denominator| thresholds(Ratio { numerator, denominator });
        assert_eq!((steps(1, 5).len(), steps(1, 2).len(), steps(1, 1).len()), (81, 101, 1));
        assert_eq!(steps(1, 3)[..2].iter().map(ToString::to_string).collect::<Vec<_>>(), ["1/3", "0.34"]);
    }
}
