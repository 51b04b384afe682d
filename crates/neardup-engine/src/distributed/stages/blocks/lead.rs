//! Leading: the first block of a large family is decided, and then its other documents are compared with the leaders of that block.

use crate::Result;
use crate::distributed::message::{Message, NodeFate, Outbox, StageName, TextRow, part_of};
use crate::distributed::stages::compare::dropped;
use crate::distributed::stages::compared::Compared;
use crate::distributed::stages::{Inbox, StageTask};
use crate::distributed::tally::{CompareTally, LargeTally, Tally};
use crate::job::Verb;
use neardup_core::util::ids::DocId;

/// Decides a block, and sends its leaders to the chunks of its family; or passes a chunk on.
pub fn lead(task: &mut StageTask<'_, '_>, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let (plan, blocks) = (task.plan, task.plan.divided.len() as u32);
    let Some(family) = plan.divided.get(task.part as usize) else {
        let chunk = task.part - blocks;
        return outbox.send_all(StageName::Chase, inbox.large_texts, |_| chunk, Message::LargeTexts);
    };
    let block = Compared::of(task, Verb::Dedup, &plan.foreseen, inbox.large_texts, Vec::new())?;
    outbox.send_all(StageName::Chase, fates(&block, plan.pass, |_| true), |_| family.chunks.start, Message::NodeFates)?;
    if family.limit.is_some() {
        let leaders: Vec<&TextRow<'_>> =
            block.numbered().filter(|(document, _)| original(&block, *document).is_none()).map(|(_, row)| row).collect();
        for chunk in family.chunks.clone() {
            outbox.send(StageName::Chase, chunk, &Message::Leaders(leaders.iter().map(|row| (*row).clone()).collect()))?;
        }
    }
    Ok(())
}

/// Compares a chunk with the leaders of its family.
pub fn chase(task: &mut StageTask<'_, '_>, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let (plan, parts) = (task.plan, task.plan.parts);
    outbox.send_all(StageName::Expand, inbox.fates_of_nodes, |fate| part_of(fate.node.0, parts), Message::NodeFates)?;
    // Documents of the reference are never dropped.
    let (inputs, references): (Vec<TextRow<'_>>, Vec<TextRow<'_>>) =
        inbox.large_texts.into_iter().partition(|row| !plan.is_reference(row.member.name.number));
    let mut rest = references;
    if !inputs.is_empty() {
        let chunk = Compared::of(task, Verb::Dedup, &plan.foreseen, inputs, inbox.leaders)?;
        // A document that is dropped for another one of the chunk may be left for a leader that comes before.
        let is_led = |document: DocId| original(&chunk, document).is_some_and(|original| original.index() >= chunk.inputs);
        outbox.send_all(StageName::Expand, fates(&chunk, plan.pass, is_led), |fate| part_of(fate.node.0, parts), Message::NodeFates)?;
        rest.extend(chunk.numbered().take(chunk.inputs).filter(|(document, _)| !is_led(*document)).map(|(_, row)| row.clone()));
    }
    let large = LargeTally::of(plan, &rest);
    outbox.send_all(StageName::Divide, rest, |row| part_of(row.node.0, parts), Message::LargeTexts)?;
    outbox.report(Tally::Compared(CompareTally { large, ..CompareTally::default() }))
}

/// Returns the original of a dropped document.
fn original(compared: &Compared<'_>, document: DocId) -> Option<DocId> {
    compared.found.verdicts.get(document).map(|dropped| dropped.original)
}

/// Returns what was found about some documents by a pass.
fn fates(compared: &Compared<'_>, pass: u32, is_wanted: impl Fn(DocId) -> bool) -> Vec<NodeFate> {
    let name = |document: DocId| compared.rows[document.index()].member.name.clone();
    let fate = |(document, row): (DocId, &TextRow<'_>)| NodeFate {
        node: row.node,
        member: row.member.clone(),
        size: compared.sizes.get(&document).copied().unwrap_or(0),
        led: row.led,
        dropped: compared.found.verdicts.get(document).map(|found| dropped(found, name(found.original), pass)),
    };
    compared.numbered().filter(|(document, _)| is_wanted(*document)).map(fate).collect()
}
