//! Settling: a document is dropped for one that a later pass may drop, too. Every dropped document follows the originals, pass by
//! pass, to the one that is kept in the end.

use crate::Result;
use crate::distributed::message::{DocName, DocNumber, Dropped, Follow, HomeVerdict, Message, Outbox, StageName, part_of};
use crate::distributed::plan::Plan;
use crate::distributed::stages::Inbox;
use crate::distributed::tally::{CompareTally, Tally};
use crate::results::cluster_table::ClusterTable;
use neardup_core::pass::rule::Rule;
use std::collections::{BTreeMap, HashMap};

/// Sends each dropped document on, from a document that was dropped to its original. After as many rounds as there are later passes,
/// all are at documents that are kept.
pub fn settle(plan: &Plan, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let fates: HashMap<DocNumber, &DocName> = inbox.fates.iter().map(|(document, original)| (*document, original)).collect();
    let follow = |follow: Follow| match fates.get(&follow.leader.number) {
        Some(&original) => Follow { leader: original.clone(), ..follow },
        None => follow,
    };
    let follows: Vec<Follow> = inbox.follows.into_iter().map(follow).collect();
    // The last round sends them to the groups.
    for stage in [StageName::Settle, StageName::Group] {
        let part = |follow: &Follow| part_of(follow.leader.number.0, plan.parts);
        outbox.send_all(stage, follows.iter().cloned(), part, Message::Follows)?;
    }
    outbox.send_all(StageName::Settle, inbox.fates.iter().cloned(), |(document, _)| part_of(document.0, plan.parts), Message::Fates)
}

/// Counts the leader groups, and sends the verdicts home.
pub fn group(plan: &Plan, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let mut groups: BTreeMap<DocNumber, Vec<Follow>> = BTreeMap::new();
    inbox.follows.into_iter().for_each(|follow| groups.entry(follow.leader.number).or_default().push(follow));
    let (mut verdicts, mut table) = (Vec::new(), ClusterTable::default());
    for (leader, follows) in groups {
        let group_size = follows.len() as u32 + 1;
        table.add(u64::from(group_size), follows.iter().all(|follow| follow.dropped.rule == Rule::Identical));
        if !plan.is_reference(leader) {
            verdicts.push((leader.home(), HomeVerdict { place: leader.place(), dropped: None, group_size, cluster: None }));
        }
        verdicts.extend(follows.into_iter().map(|Follow { document, leader, dropped }| {
            let leader = (leader.number != dropped.original.number).then_some(leader);
            let dropped = Some(Dropped { leader, ..dropped });
            (document.home(), HomeVerdict { place: document.place(), dropped, group_size, cluster: None })
        }));
    }
    let message = |verdicts: Vec<(u32, HomeVerdict)>| Message::Verdicts(verdicts.into_iter().map(|(_, verdict)| verdict).collect());
    outbox.send_all(StageName::Write, verdicts, |(home, _)| *home, message)?;
    outbox.report(Tally::Compared(CompareTally { clusters: table, ..CompareTally::default() }))
}
