//! Sizes: which families are too large for one task.

use crate::Result;
use crate::distributed::message::{DocNumber, Message, Outbox, StageName, part_of};
use crate::distributed::plan::Plan;
use crate::distributed::stages::Inbox;
use std::collections::HashMap;

/// Counts the nodes of each family in a part of the ties.
pub fn weigh(plan: &Plan, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let sizes = sizes(inbox.links.iter().map(|tie| (tie[1], 1)));
    outbox.send_all(StageName::Large, sizes, |(root, _)| part_of(root.0, plan.parts), Message::Sizes)
}

/// Finds the large families of a part.
pub fn large(plan: &Plan, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    send_large(plan, sizes(inbox.sizes), outbox)
}

/// Adds up the nodes of families, and returns the sums in the order of the roots.
pub fn sizes(nodes: impl IntoIterator<Item = (DocNumber, u64)>) -> Vec<(DocNumber, u64)> {
    let mut sums = HashMap::new();
    nodes.into_iter().for_each(|(root, count)| *sums.entry(root).or_default() += count);
    let mut sizes: Vec<(DocNumber, u64)> = sums.into_iter().collect();
    sizes.sort_unstable();
    sizes
}

/// Sends the roots of the large families to all parts that gather nodes.
pub fn send_large(plan: &Plan, sizes: Vec<(DocNumber, u64)>, outbox: &mut Outbox) -> Result<()> {
    let large: Vec<DocNumber> = sizes.into_iter().filter(|(_, size)| *size > plan.family).map(|(root, _)| root).collect();
    let parts = if large.is_empty() { 0 } else { plan.parts };
    (0..parts).try_for_each(|part| outbox.send(StageName::Gather, part, &Message::Large(large.clone())))
}
