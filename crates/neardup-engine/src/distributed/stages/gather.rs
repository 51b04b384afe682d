//! Gathering: nodes learn the roots of their families, and order the texts that are compared there.

use crate::Result;
use crate::distributed::message::{ClassMember, CopyClass, DocNumber, Message, Outbox, StageName, Want};
use crate::distributed::plan::Plan;
use crate::distributed::stages::Inbox;
use crate::distributed::tally::policy_key;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Orders the texts of the nodes of a part, and sends their classes and keys to the families.
pub fn gather(plan: &Plan, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let roots: HashMap<DocNumber, DocNumber> = inbox.links.iter().map(|[node, root]| (*node, *root)).collect();
    let large: HashSet<DocNumber> = inbox.large.into_iter().collect();
    let mut classes = inbox.classes;
    classes.iter_mut().for_each(|class| class.root = roots.get(&class.node).copied().unwrap_or(class.node));
    let mut wants: Vec<(u32, Want)> = Vec::new();
    for class in &classes {
        let mut want = |document: DocNumber, text: bool| {
            wants.push((
                document.home(),
                Want {
                    place: document.place(),
                    root: class.root,
                    node: class.node,
                    text,
                    has_copies: true,
                    is_large: large.contains(&class.root),
                },
            ));
        };
        representatives(plan, &class.members).into_iter().for_each(|member| want(member.name.number, true));
        distinct(class).into_iter().for_each(|member| want(member.name.number, false));
    }
    let mut alone: HashMap<DocNumber, DocNumber> = roots.clone();
    classes.iter().for_each(|class| _ = alone.remove(&class.node));
    let single = |(node, root): (DocNumber, DocNumber)| {
        (node.home(), Want { place: node.place(), root, node, text: true, has_copies: false, is_large: large.contains(&root) })
    };
    wants.extend(alone.into_iter().map(single));
    wants.sort_unstable();
    // In order, so those of the past come first.
    let of_homes = wants.split_off(wants.partition_point(|(home, _)| *home < plan.past_homes));
    let (past, wants) = (wants, of_homes);
    let past = past.into_iter().map(|(home, want)| (DocNumber::new(home, want.place), want));
    outbox.send_all(StageName::Fetch, past, |(document, _)| document.home(), Message::PastWants)?;
    outbox.send_all(StageName::Fetch, wants, |(home, _)| *home, |wants| Message::Wants(wants.into_iter().map(|want| want.1).collect()))?;
    // The rest takes the way of the texts, by the home of each root.
    let foreseen = inbox.foreseen.into_iter().filter_map(|(node, key)| Some((*roots.get(&node)?, key)));
    let (large, classes): (Vec<CopyClass>, Vec<CopyClass>) = classes.into_iter().partition(|class| large.contains(&class.root));
    outbox.send_all(StageName::Fetch, large, |class| class.node.home(), Message::LargeClasses)?;
    outbox.send_all(StageName::Fetch, foreseen, |(root, _)| root.home(), Message::Foreseen)?;
    outbox.send_all(StageName::Fetch, classes, |class| class.root.home(), Message::Classes)
}

/// Returns the members of a class that represent it: the first in policy order and, if that is of the reference, the first of the
/// input.
pub fn representatives<'m>(plan: &Plan, members: &'m [ClassMember]) -> Vec<&'m ClassMember> {
    let is_reference = |member: &&ClassMember| plan.is_reference(member.name.number);
    let first = |members: &mut dyn Iterator<Item = &'m ClassMember>| members.min_by(|one, other| policy_order(plan, one, other));
    let firsts = [first(&mut members.iter().filter(is_reference)), first(&mut members.iter().filter(|member| !is_reference(member)))];
    firsts.into_iter().flatten().collect()
}

/// Compares two members by policy order: the reference comes first.
pub fn policy_order(plan: &Plan, one: &ClassMember, other: &ClassMember) -> std::cmp::Ordering {
    policy_key(plan, one).cmp(&policy_key(plan, other))
}

/// Returns the first member with each digest of a stored text, if there are several: the same text may be stored in two ways.
pub fn distinct(class: &CopyClass) -> Vec<&ClassMember> {
    let mut firsts: BTreeMap<u128, &ClassMember> = BTreeMap::new();
    class.members.iter().for_each(|member| _ = firsts.entry(member.raw).or_insert(member));
    if firsts.len() > 1 { firsts.into_values().collect() } else { Vec::new() }
}
