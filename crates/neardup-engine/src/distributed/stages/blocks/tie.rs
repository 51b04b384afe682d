//! Tying: the documents of every two blocks of a large family are connected, for its clusters.

use crate::Result;
use crate::distributed::message::{Message, Outbox, StageName, part_of};
use crate::distributed::plan::Plan;
use crate::distributed::stages::compared::Compared;
use crate::distributed::stages::link::spanning;
use crate::distributed::stages::{Inbox, StageTask};
use crate::distributed::tally::{CompareTally, Tally};
use crate::job::Verb;
use neardup_core::util::ids::DocId;

/// Sends the documents of a part to all tasks of their blocks.
pub fn pair(plan: &Plan, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let mut placed = Vec::new();
    for row in inbox.large_texts {
        let Ok(number) = plan.divided.binary_search_by_key(&row.root, |family| family.root) else { continue };
        let family = &plan.divided[number];
        let block = part_of(row.node.0, family.blocks);
        placed.extend(family.ties_of(block).map(|tie| (tie, row.clone())));
    }
    outbox.send_all(StageName::Tie, placed, |(tie, _)| *tie, |rows| Message::LargeTexts(rows.into_iter().map(|(_, row)| row).collect()))
}

/// Connects the documents of two blocks.
pub fn tie(task: &mut StageTask<'_, '_>, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let parts = task.plan.parts;
    let compared = Compared::of(task, Verb::Cluster, &task.plan.foreseen, inbox.large_texts, Vec::new())?;
    let number = |document: DocId| compared.rows[document.index()].member.name.number;
    let Some(clusters) = &compared.found.clusters else { return Ok(()) };
    let tied = DocId::first(compared.rows.len()).map(|document| [number(document), number(clusters.of(document))]);
    let links = spanning(tied.filter(|[one, other]| one != other).collect());
    let tally = CompareTally { links: links.len() as u64, ..CompareTally::default() };
    outbox.send_all(StageName::SmallStar, links, |link| part_of(link[0].0, parts), Message::Links)?;
    outbox.report(Tally::Compared(tally))
}
