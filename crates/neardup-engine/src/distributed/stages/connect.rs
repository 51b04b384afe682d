//! Connecting: the components of the links.
//!
//! Few links are connected in one task. More are connected by rounds of two steps, which end when nothing changes: large stars tie
//! the larger neighbours of a node to the smallest of all, small stars tie the smaller ones and the node itself to the smallest
//! (Kiveris, Lattanzi, Mirrokni, Rastogi, Vassilvitskii 2014). In the end, every node is tied to the smallest of its component, and
//! that to itself.

use crate::Result;
use crate::distributed::message::{DocNumber, Message, Outbox, StageName, part_of};
use crate::distributed::plan::Plan;
use crate::distributed::stages::Inbox;
use crate::distributed::stages::blocks::sizes::{send_large, sizes};
use crate::distributed::stages::link::spanning;
use crate::distributed::tally::Tally;

/// Connects all links, and ties every node to the smallest of its component.
pub fn connect(plan: &Plan, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let mut tied = spanning(inbox.links);
    let mut roots: Vec<DocNumber> = tied.iter().map(|link| link[1]).collect();
    roots.sort_unstable();
    roots.dedup();
    tied.extend(roots.into_iter().map(|root| [root, root]));
    if plan.family > 0 && !plan.clusters {
        send_large(plan, sizes(tied.iter().map(|tie| (tie[1], 1))), outbox)?;
    }
    let taker = if plan.clusters { StageName::Join } else { StageName::Gather };
    outbox.send_all(taker, tied, |link| part_of(link[0].0, plan.parts), Message::Links)
}

/// Ties the smaller neighbours of every node, and the node itself, to the smallest of them. A link has the larger node first.
pub fn small_star(plan: &Plan, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let mut links = inbox.links;
    links.sort_unstable();
    links.dedup();
    let (mut sent, mut changes) = (Vec::with_capacity(2 * links.len()), 0);
    for star in links.chunk_by(|one, other| one[0] == other[0]) {
        // A node that is tied to itself is the smallest around, and has no smaller neighbour.
        let mut neighbours = star.iter().copied().filter(|[node, other]| node != other);
        let Some([node, least]) = neighbours.next() else { continue };
        sent.push([node, least]);
        for [_, other] in neighbours {
            changes += 1;
            sent.push([other, least]);
        }
    }
    let both = sent.into_iter().flat_map(|[node, other]| [[node, other], [other, node]]);
    outbox.send_all(StageName::LargeStar, both, |link| part_of(link[0].0, plan.parts), Message::Links)?;
    outbox.hand_on(StageName::LargeStar, [Tally::Stars(changes)])
}

/// Ties the larger neighbours of every node to the smallest of its neighbours and itself. Every link comes in both directions.
pub fn large_star(plan: &Plan, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    outbox.hand_on(StageName::Driver, inbox.tallies)?;
    let mut links = inbox.links;
    links.sort_unstable();
    links.dedup();
    let (mut sent, mut changes) = (Vec::with_capacity(links.len()), 0);
    for star in links.chunk_by(|one, other| one[0] == other[0]) {
        let node = star[0][0];
        let least = star[0][1].min(node);
        if least == node {
            sent.push([node, node]);
        }
        for [_, other] in star.iter().filter(|[node, other]| other > node) {
            changes += u64::from(least != node);
            sent.push([*other, least]);
        }
    }
    outbox.send_all(StageName::SmallStar, sent.iter().copied(), |link| part_of(link[0].0, plan.parts), Message::Links)?;
    outbox.report(Tally::Stars(changes))
}
