//! Choices: which pairs of a finished run are asked for.

use crate::finished::{Finished, PairTable};
use crate::{Error, Result};
use neardup_core::pass::rule::Rule;
use std::collections::BinaryHeap;

/// What a pair must be to be chosen; nothing said takes all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairChoice {
    /// One of its documents has one of these ids.
    pub ids: Vec<String>,
    /// It is of one of these clusters: of `cluster` by their smallest id, of `dedup` by the id of the leader.
    pub clusters: Vec<String>,
    /// It was found by this rule.
    pub rule: Option<String>,
    /// This many of those, drawn by the digests of their ids: the same every time.
    pub sample: Option<usize>,
}

impl PairChoice {
    /// An error when the run cannot say what is asked.
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

    /// Whether a pair of these ids, cluster and rule is chosen, before any is drawn.
    pub fn takes(&self, left: &str, right: &str, cluster: &str, rule: &str) -> bool {
        let any = |wanted: &[String], given: &[&str]| wanted.is_empty() || wanted.iter().any(|one| given.contains(&one.as_str()));
        any(&self.ids, &[left, right]) && any(&self.clusters, &[cluster]) && self.rule.as_ref().is_none_or(|wanted| wanted == rule)
    }

    /// A way to draw from them.
    pub fn drawing<T>(&self) -> Option<PairDraw<T>> {
        self.sample.map(|count| PairDraw { count, drawn: BinaryHeap::new(), seen: 0 })
    }
}

/// The pairs whose ids have the smallest digests.
pub struct PairDraw<T> {
    count: usize,
    drawn: BinaryHeap<DrawnPair<T>>,
    seen: u64,
}

struct DrawnPair<T> {
    /// The digest, and the place among all pairs.
    lot: ([u8; 32], u64),
    pair: T,
}

impl<T> PairDraw<T> {
    /// Takes a pair, and lets another go.
    pub fn push(&mut self, left: &str, right: &str, pair: T) {
        let mut hash = blake3::Hasher::new();
        hash.update(&(left.len() as u64).to_le_bytes()).update(left.as_bytes()).update(right.as_bytes());
        self.drawn.push(DrawnPair { lot: (*hash.finalize().as_bytes(), self.seen), pair });
        self.seen += 1;
        if self.drawn.len() > self.count {
            self.drawn.pop();
        }
    }

    /// The pairs that were drawn, in the order they came.
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
