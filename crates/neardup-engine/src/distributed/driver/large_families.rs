//! Large families: which of their documents are decided next, and by which tasks.

use crate::distributed::plan::DividedFamily;
use crate::distributed::records::{DocNumber, PolicyKey};
use crate::distributed::tally::{CompareTally, LargeFamily, LargeTally};
use std::collections::BTreeMap;

/// The large families of a pass.
#[derive(Debug, Default)]
pub struct LargeFamilies {
    /// Whether any pass has some.
    pub are_there: bool,
    /// The steps that have their documents: the one that gathered all, and those that decided blocks.
    pub steps: Vec<String>,
    /// Number of all documents of each family.
    all: BTreeMap<DocNumber, u64>,
    /// Documents that are not decided yet.
    pub left: BTreeMap<DocNumber, LargeFamily>,
}

impl LargeFamilies {
    /// Begins with the families of a pass.
    pub fn begin(&mut self, step: &str, large: LargeTally) {
        self.are_there = true;
        self.steps = vec![step.to_owned()];
        self.all = large.families.iter().map(|(root, family)| (*root, family.count)).collect();
        self.left = large.families;
    }

    /// Takes what a step left.
    pub fn lead(&mut self, step: &str, tallies: Vec<CompareTally>) {
        self.steps.push(step.to_owned());
        let mut left = LargeTally::default();
        tallies.into_iter().for_each(|tally| left.add(tally.large));
        self.left = left.families;
    }

    /// Returns the step that has all documents.
    pub fn first(&self) -> &str {
        self.steps.first().map_or("", String::as_str)
    }

    /// Returns the step that has the documents which are left.
    pub fn last(&self) -> &str {
        self.steps.last().map_or("", String::as_str)
    }

    /// Returns the next blocks, of about `most` documents each, and the chunks of the rest.
    pub fn blocks(&self, most: u64) -> Vec<DividedFamily> {
        let mut end = 0;
        let family = |(root, family): (&DocNumber, &LargeFamily)| {
            let first = end;
            end += family.count.saturating_sub(most).div_ceil(most).max(1) as u32;
            DividedFamily { root: *root, limit: limit(family, most), chunks: first..end, blocks: 1, first_tie: 0 }
        };
        self.left.iter().map(family).collect()
    }

    /// Returns the tasks that connect the documents of every two blocks of about `most` documents together.
    pub fn ties(&self, most: u64) -> Vec<DividedFamily> {
        let mut end = 0;
        let family = |(root, count): (&DocNumber, &u64)| {
            // Two blocks are compared in one task.
            let blocks = (2 * count).div_ceil(most).max(2) as u32;
            let family = DividedFamily { root: *root, limit: None, chunks: 0..1, blocks, first_tie: end };
            end += family.ties();
            family
        };
        self.all.iter().map(family).collect()
    }
}

/// Returns the last document of the first `most`, by the sample; `None` if there are hardly more.
fn limit(family: &LargeFamily, most: u64) -> Option<PolicyKey> {
    if family.count <= most + most / 2 {
        return None;
    }
    let mut sample: Vec<&(PolicyKey, u64)> = family.sample.iter().collect();
    sample.sort_unstable();
    let mut before = 0;
    let last = sample.into_iter().find(|(_, count)| {
        before += count;
        before >= most
    });
    last.map(|(key, _)| key.clone())
}
