//! Choices: the requested pairs of a finished run.

use crate::finished::{Finished, PairTable};
use crate::{Error, Result};
use neardup_core::pass::rule::Rule;
use std::collections::BinaryHeap;

/// The conditions that a chosen pair meets; without any, all pairs are chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairChoice {
    /// One of its documents has one of these ids.
    pub ids: Vec<String>,
    /// It belongs to one of these clusters. A cluster of `cluster` is named by its smallest id, one of `dedup` by the id of the
    /// leader.
    pub clusters: Vec<String>,
    /// It was found by this rule.
    pub rule: Option<String>,
    /// Number of pairs to sample from those, by the digests of their ids: the same sample every time.
    pub sample: Option<usize>,
}

impl PairChoice {
    /// Refuses a choice that the tables of the run cannot answer.
    pub fn check(&self, run: &Finished) -> Result<()> {
        let refuse = |reason: String| Err(Error::Usage(reason));
        if let Some(rule) = &self.rule {
            if run.table == PairTable::Clusters {
                return refuse("rule: clusters.parquet has no rules; runs of dedup and pairs write them".to_owned());
            }
            let rules = Rule::ALL.map(Rule::name);
            if !rules.contains(&rule.as_str()) {
                return refuse(format!("rule: `{rule}`; allowed are {}", rules.join(", ")));
            }
        }
        if run.table == PairTable::Pairs && !self.clusters.is_empty() {
            return refuse("cluster: pairs.parquet has no clusters; runs of dedup and cluster write them".to_owned());
        }
        Ok(())
    }

    /// Whether a pair of these ids, cluster and rule is chosen, before sampling.
    pub fn takes(&self, left: &str, right: &str, cluster: &str, rule: &str) -> bool {
        let any = |wanted: &[String], given: &[&str]| wanted.is_empty() || wanted.iter().any(|one| given.contains(&one.as_str()));
        any(&self.ids, &[left, right]) && any(&self.clusters, &[cluster]) && self.rule.as_ref().is_none_or(|wanted| wanted == rule)
    }

    /// Returns an empty sample, if one was requested.
    pub fn drawing<T>(&self) -> Option<PairDraw<T>> {
        self.sample.map(|count| PairDraw { count, drawn: BinaryHeap::new(), seen: 0 })
    }
}

/// A sample of pairs: those whose ids have the smallest digests.
pub struct PairDraw<T> {
    count: usize,
    drawn: BinaryHeap<DrawnPair<T>>,
    seen: u64,
}

struct DrawnPair<T> {
    /// Digest of the ids, and number among all pairs.
    lot: ([u8; 32], u64),
    pair: T,
}

impl<T> PairDraw<T> {
    /// Adds a pair, and removes the one with the largest digest if there are too many.
    pub fn push(&mut self, left: &str, right: &str, pair: T) {
        let mut hash = blake3::Hasher::new();
        hash.update(&(left.len() as u64).to_le_bytes()).update(left.as_bytes()).update(right.as_bytes());
        self.drawn.push(DrawnPair { lot: (*hash.finalize().as_bytes(), self.seen), pair });
        self.seen += 1;
        if self.drawn.len() > self.count {
            self.drawn.pop();
        }
    }

    /// Returns the sampled pairs, in the order in which they were added.
    pub fn finish(self) -> Vec<T> {
        let mut drawn = self.drawn.into_vec();
        drawn.sort_unstable_by_key(|drawn| drawn.lot.1);
        drawn.into_iter().map(|drawn| drawn.pair).collect()
    }
}

impl<T> PartialEq for DrawnPair<T> {
    fn eq(&self, other: &Self) -> bool {
        self.lot == other.lot
    }
}

impl<T> Eq for DrawnPair<T> {}

impl<T> PartialOrd for DrawnPair<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for DrawnPair<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.lot.cmp(&other.lot)
    }
}
