//! Grouping: leader groups, and clusters that several passes connect, are counted where their documents are, part by part. So a group
//! may have more documents than one task can take.

use crate::Result;
use crate::distributed::message::{
    ClusterNode, DocNumber, Dropped, GroupShare, GroupSum, HomeVerdict, Message, Outbox, StageName, part_of,
};
use crate::distributed::plan::Plan;
use crate::distributed::stages::{Inbox, StageTask};
use crate::distributed::tally::{CompareTally, Tally};
use crate::results::cluster_table::ClusterTable;
use std::collections::{BTreeMap, HashMap};

/// Counts the documents of a part in each cluster.
pub fn join(task: &StageTask<'_, '_>, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let (plan, part) = (task.plan, task.part);
    let roots: HashMap<DocNumber, DocNumber> = inbox.links.iter().map(|[node, root]| (*node, *root)).collect();
    let mut nodes = inbox.nodes;
    nodes.sort_by_key(|node| (node.name.number, node.pass));
    // The first pass that saw a document knows which texts are equal.
    nodes.dedup_by_key(|node| node.name.number);
    nodes.iter_mut().for_each(|node| node.root = roots.get(&node.name.number).copied().unwrap_or(node.name.number));
    let mut shares: BTreeMap<DocNumber, GroupShare> = BTreeMap::new();
    for ClusterNode { root, name, text, count, least, .. } in &nodes {
        let (group, has_input) = (*root, !plan.is_reference(name.number));
        let alone = GroupShare { group, part, count: *count, text: *text, is_identical: true, has_input, name: Some(least.clone()) };
        match shares.get_mut(root) {
            Some(share) => add(plan, share, alone),
            None => _ = shares.insert(*root, alone),
        }
    }
    outbox.send(StageName::Learn, part, &Message::Nodes(nodes))?;
    outbox.send_all(StageName::Group, shares.into_values(), |share| part_of(share.group.0, plan.parts), Message::Shares)
}

/// Adds a share of the same group.
fn add(plan: &Plan, share: &mut GroupShare, more: GroupShare) {
    share.count += more.count;
    share.is_identical &= more.is_identical && share.text == more.text;
    share.has_input |= more.has_input;
    if let (Some(name), Some(other)) = (&share.name, &more.name)
        && plan.order(other, name).is_lt()
    {
        share.name = more.name;
    }
}

/// Adds up the shares of each group, and sends the sum to the parts that have one.
pub fn group(plan: &Plan, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let mut groups: BTreeMap<DocNumber, (GroupShare, Vec<u32>)> = BTreeMap::new();
    for share in inbox.shares {
        let part = share.part;
        match groups.get_mut(&share.group) {
            Some((sum, parts)) => {
                add(plan, sum, share);
                parts.push(part);
            }
            None => _ = groups.insert(share.group, (share, vec![part])),
        }
    }
    let (mut sums, mut table) = (Vec::new(), ClusterTable::default());
    for (group, (share, parts)) in groups {
        let size = share.count + u32::from(!plan.clusters);
        // A document of a divided family may be alone.
        if size < 2 {
            continue;
        }
        if share.has_input {
            table.add(u64::from(size), share.is_identical);
        }
        let sum = |(number, part): (usize, u32)| (part, GroupSum { group, size, name: share.name.clone(), is_first: number == 0 });
        sums.extend(parts.into_iter().enumerate().map(sum));
    }
    let message = |sums: Vec<(u32, GroupSum)>| Message::Groups(sums.into_iter().map(|(_, sum)| sum).collect());
    outbox.send_all(StageName::Learn, sums, |(part, _)| *part, message)?;
    outbox.hand_on(StageName::Learn, [Tally::Compared(CompareTally { clusters: table, ..CompareTally::default() })])
}

/// Sends the verdicts on the documents of a part home.
pub fn learn(plan: &Plan, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let groups: HashMap<DocNumber, &GroupSum> = inbox.groups.iter().map(|sum| (sum.group, sum)).collect();
    let of_leader = |sum: &&GroupSum| sum.is_first && !plan.clusters && !plan.is_reference(sum.group);
    let leader = |sum: &GroupSum| (sum.group, HomeVerdict { group_size: sum.size, ..HomeVerdict::kept(sum.group.place()) });
    let leaders = inbox.groups.iter().filter(of_leader).map(leader);
    let verdicts = leaders.chain(inbox.follows.into_iter().map(|follow| {
        let group_size = groups.get(&follow.leader.number).map_or(1, |sum| sum.size);
        let leader = (follow.leader.number != follow.dropped.original.number).then_some(follow.leader);
        let dropped = Some(Dropped { leader, ..follow.dropped });
        let (place, of_copies) = (follow.document.place(), follow.copies > 0);
        (follow.document, HomeVerdict { dropped, group_size, of_copies, ..HomeVerdict::kept(place) })
    }));
    let message = |verdicts: Vec<(DocNumber, HomeVerdict)>| Message::Verdicts(verdicts.into_iter().map(|(_, verdict)| verdict).collect());
    outbox.send_all(StageName::Write, verdicts, |(document, _)| document.home(), message)?;
    let clustered = inbox.nodes.into_iter().filter(|node| !plan.is_reference(node.name.number)).filter_map(|node| {
        let sum = groups.get(&node.root)?;
        Some((node.name.number, (node.name.number.place(), sum.name.clone()?, sum.size)))
    });
    let message = |rows: Vec<(DocNumber, _)>| Message::Clustered(rows.into_iter().map(|(_, row)| row).collect());
    outbox.send_all(StageName::Write, clustered, |(document, _)| document.home(), message)?;
    outbox.hand_on(StageName::Driver, inbox.tallies)
}
