//! Settling: a document is dropped for one that a later pass may drop, too. Every dropped document follows the originals, pass by
//! pass, to the one that is kept in the end.

use crate::Result;
use crate::distributed::message::{DocName, DocNumber, Follow, GroupShare, Message, Outbox, StageName, part_of};
use crate::distributed::plan::Plan;
use crate::distributed::stages::shelve::send_led;
use crate::distributed::stages::{Inbox, StageTask};
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
    outbox.send_all(StageName::Settle, follows.iter().cloned(), |follow| part_of(follow.leader.number.0, plan.parts), Message::Follows)?;
    // After the last round, those of a leader are in many parts.
    outbox.send_all(StageName::Follow, follows, |follow| part_of(follow.document.0, plan.parts), Message::Follows)?;
    outbox.send_all(StageName::Settle, inbox.fates.iter().cloned(), |(document, _)| part_of(document.0, plan.parts), Message::Fates)
}

/// Counts the documents of a part that follow each leader.
pub fn follow(task: &StageTask<'_, '_>, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let (plan, part) = (task.plan, task.part);
    let mut shares: BTreeMap<DocNumber, GroupShare> = BTreeMap::new();
    let empty = |group| GroupShare { group, part, count: 0, text: 0, is_identical: true, has_input: true, name: None };
    for follow in &inbox.follows {
        let leader = follow.leader.number;
        let share = shares.entry(leader).or_insert_with(|| empty(leader));
        share.count += follow.copies.max(1);
        share.is_identical &= follow.dropped.rule == Rule::Identical;
    }
    send_led(plan, shares.values().map(|share| (share.group, share.count)), outbox)?;
    // What earlier runs dropped for a leader counts, too, if this one drops a document for it.
    for (leader, count) in inbox.led {
        shares.entry(leader).or_insert_with(|| GroupShare { has_input: false, ..empty(leader) }).count += count;
    }
    outbox.send(StageName::Learn, part, &Message::Follows(inbox.follows))?;
    outbox.send_all(StageName::Group, shares.into_values(), |share| part_of(share.group.0, plan.parts), Message::Shares)
}
