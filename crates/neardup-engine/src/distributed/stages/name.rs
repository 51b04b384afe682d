//! Naming: clusters that several passes connect are named by the document whose id comes first.

use crate::Result;
use crate::distributed::message::{ClusterNode, DocNumber, Message, Outbox, StageName, part_of};
use crate::distributed::plan::Plan;
use crate::distributed::stages::Inbox;
use crate::distributed::tally::{CompareTally, Tally};
use crate::results::cluster_table::ClusterTable;
use std::collections::{BTreeMap, HashMap};

/// Sends the documents to the roots of their clusters.
pub fn join(plan: &Plan, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let roots: HashMap<DocNumber, DocNumber> = inbox.links.iter().map(|[node, root]| (*node, *root)).collect();
    let mut nodes = inbox.nodes;
    nodes.iter_mut().for_each(|node| node.root = roots.get(&node.name.number).copied().unwrap_or(node.name.number));
    outbox.send_all(StageName::Name, nodes, |node| part_of(node.root.0, plan.parts), Message::Nodes)
}

/// Names the clusters, and sends their names home.
pub fn name(plan: &Plan, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let mut nodes = inbox.nodes;
    nodes.sort_by_key(|node| (node.root, node.name.number, node.pass));
    // The first pass that saw a document knows which texts are equal.
    nodes.dedup_by_key(|node| node.name.number);
    let mut clusters: BTreeMap<DocNumber, Vec<ClusterNode>> = BTreeMap::new();
    nodes.into_iter().for_each(|node| clusters.entry(node.root).or_default().push(node));
    let (mut clustered, mut table) = (Vec::new(), ClusterTable::default());
    // A document of a divided family may be alone.
    for members in clusters.into_values().filter(|members| members.len() > 1) {
        let Some(name) = members.iter().map(|node| &node.name).min_by(|one, other| plan.order(one, other)) else { continue };
        let (size, name) = (members.len() as u32, name.clone());
        if members.iter().any(|node| !plan.is_reference(node.name.number)) {
            table.add(u64::from(size), members.iter().all(|node| node.text == members[0].text));
        }
        let of_input = members.iter().map(|node| node.name.number).filter(|number| !plan.is_reference(*number));
        clustered.extend(of_input.map(|number| (number.home(), (number.place(), name.clone(), size))));
    }
    let message = |rows: Vec<(u32, (u32, crate::distributed::message::DocName, u32))>| {
        Message::Clustered(rows.into_iter().map(|(_, row)| row).collect())
    };
    outbox.send_all(StageName::Write, clustered, |(home, _)| *home, message)?;
    outbox.report(Tally::Compared(CompareTally { clusters: table, ..CompareTally::default() }))
}
