//! Expanding: the verdicts on the nodes of large families become verdicts on all their documents, copies included.

use crate::Result;
use crate::distributed::message::{ClusterNode, CopyClass, DocNumber, Message, NodeFate, Outbox, StageName, TextDigest, part_of};
use crate::distributed::stages::copies::{CopyVerdicts, DecidedMember, count_dropped, send_decided};
use crate::distributed::stages::{Inbox, StageTask};
use crate::distributed::tally::{CompareTally, Tally};
use crate::job::Verb;
use std::collections::{BTreeMap, HashMap};

/// Expands the nodes of a part.
pub fn expand(task: &mut StageTask<'_, '_>, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let (plan, is_clustered) = (task.plan, task.job.verb == Verb::Cluster);
    let classes: HashMap<DocNumber, &CopyClass> = inbox.large_classes.iter().map(|class| (class.node, class)).collect();
    let digests: HashMap<(DocNumber, u128), TextDigest> =
        inbox.large_digests.iter().map(|digest| ((digest.node, digest.raw), *digest)).collect();
    let copies = CopyVerdicts { plan, digests: &digests };
    let mut fates: BTreeMap<DocNumber, Vec<NodeFate>> = BTreeMap::new();
    inbox.fates_of_nodes.into_iter().for_each(|fate| fates.entry(fate.node).or_default().push(fate));
    let (mut decided, mut nodes, mut links, mut signs_only) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for of_node in fates.values_mut() {
        of_node.sort_by_key(|fate| !plan.is_reference(fate.member.name.number));
    }
    for (node, of_node) in &fates {
        let (Some(first), Some(last)) = (of_node.first(), of_node.last()) else { continue };
        // The first of the input, if there is one.
        let of_input = Some(last).filter(|fate| !plan.is_reference(fate.member.name.number));
        let cluster_node = |member, text| ClusterNode::of(member, *node, plan.pass, text);
        match classes.get(node) {
            None => {
                decided.extend(of_input.map(|fate| DecidedMember { name: &fate.member.name, copies: 0, dropped: fate.dropped.clone() }));
                nodes.push(cluster_node(&first.member, first.member.raw));
            }
            Some(class) => {
                let fate = of_input.and_then(|fate| fate.dropped.clone());
                signs_only += copies.expand(class, &first.member, fate, first.size, &mut decided);
                nodes.extend(class.members.iter().map(|member| cluster_node(member, copies.text(class, member.raw))));
                let others = class.members.iter().map(|member| member.name.number).filter(|number| number != node);
                links.extend(others.map(|number| [number, *node]));
            }
        }
    }
    let led = fates.values().flatten().filter(|fate| fate.led > 0).map(|fate| (fate.member.name.number, fate.led));
    outbox.send_all(StageName::Follow, led, |(leader, _)| part_of(leader.0, plan.parts), Message::Led)?;
    let dropped = count_dropped(&decided);
    send_decided(plan, decided, outbox)?;
    let mut tally = CompareTally { dropped, signs_only, ..CompareTally::default() };
    if is_clustered {
        tally.links = links.len() as u64;
        outbox.send_all(StageName::SmallStar, links, |link| part_of(link[0].0, plan.parts), Message::Links)?;
        outbox.send_all(StageName::Join, nodes, |node| part_of(node.name.number.0, plan.parts), Message::Nodes)?;
    }
    outbox.report(Tally::Compared(tally))
}
