//! Leading: the first block of a large family is decided, and then its other documents are compared with the leaders of that block.

use crate::Result;
use crate::distributed::family::{self, ComparedPass, FamilyFindings};
use crate::distributed::message::{ClassMember, Message, NodeFate, Outbox, StageName, TextRow, part_of};
use crate::distributed::stages::compare::dropped;
use crate::distributed::stages::gather::policy_order;
use crate::distributed::stages::{Inbox, StageTask};
use crate::distributed::tally::{CompareTally, LargeTally, Tally};
use crate::job::Verb;
use neardup_core::util::ids::DocId;
use std::collections::HashMap;

/// Decides a block, and sends its leaders to the chunks of its family; or passes a chunk on.
pub fn lead(task: &mut StageTask<'_, '_>, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let (plan, blocks) = (task.plan, task.plan.divided.len() as u32);
    let Some(family) = plan.divided.get(task.part as usize) else {
        let chunk = task.part - blocks;
        return outbox.send_all(StageName::Chase, inbox.large_texts, |_| chunk, Message::LargeTexts);
    };
    let block = Compared::of(task, Verb::Dedup, inbox.large_texts, Vec::new())?;
    outbox.send_all(StageName::Chase, block.fates(|_| true), |_| family.chunks.start, Message::NodeFates)?;
    if family.limit.is_some() {
        let leaders: Vec<&TextRow<'_>> =
            block.rows().filter(|(document, _)| block.dropped(*document).is_none()).map(|(_, row)| row).collect();
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
        let chunk = Compared::of(task, Verb::Dedup, inputs, inbox.leaders)?;
        // A document that is dropped for another one of the chunk may be left for a leader that comes before.
        let is_led = |document: DocId| chunk.dropped(document).is_some_and(|original| original.index() >= chunk.inputs.len());
        outbox.send_all(StageName::Expand, chunk.fates(is_led), |fate| part_of(fate.node.0, parts), Message::NodeFates)?;
        rest.extend(chunk.rows().take(chunk.inputs.len()).filter(|(document, _)| !is_led(*document)).map(|(_, row)| row.clone()));
    }
    let large = LargeTally::of(plan, &rest);
    outbox.send_all(StageName::Divide, rest, |row| part_of(row.node.0, parts), Message::LargeTexts)?;
    outbox.report(Tally::Compared(CompareTally { large, ..CompareTally::default() }))
}

/// Documents that were compared: those of the input, then those of the reference and the leaders, which are not decided here.
pub struct Compared<'t> {
    inputs: Vec<TextRow<'t>>,
    others: Vec<TextRow<'t>>,
    /// What was found.
    pub found: FamilyFindings,
    pass: u32,
}

impl<'t> Compared<'t> {
    /// Compares documents, and with `leaders`.
    pub fn of(task: &StageTask<'_, '_>, verb: Verb, rows: Vec<TextRow<'t>>, leaders: Vec<TextRow<'t>>) -> Result<Self> {
        let plan = task.plan;
        let (mut inputs, mut others): (Vec<TextRow<'t>>, Vec<TextRow<'t>>) =
            rows.into_iter().partition(|row| !plan.is_reference(row.member.name.number));
        others.extend(leaders);
        for side in [&mut inputs, &mut others] {
            side.sort_by(|one, other| policy_order(plan, &one.member, &other.member));
        }
        let pass = ComparedPass { verb, number: plan.pass as usize, is_last: plan.pass + 1 == plan.passes, lexicon: task.lexicon.as_ref() };
        let measured = measured(&inputs, &others);
        let sides = [&inputs, &others].map(|rows| rows.iter().map(|row| &*row.text).collect::<Vec<&str>>());
        let found = family::compare(task.job, &pass, sides, &plan.foreseen, &measured, task.watch)?;
        Ok(Compared { inputs, others, found, pass: plan.pass })
    }

    /// Returns all documents with their numbers here.
    pub fn rows(&self) -> impl Iterator<Item = (DocId, &TextRow<'t>)> {
        DocId::FIRST.onwards().zip(self.inputs.iter().chain(&self.others))
    }

    fn member(&self, document: DocId) -> &ClassMember {
        let place = document.index();
        &self.inputs.get(place).unwrap_or_else(|| &self.others[place - self.inputs.len()]).member
    }

    /// Returns the original of a dropped document.
    fn dropped(&self, document: DocId) -> Option<DocId> {
        self.found.verdicts.get(document).map(|dropped| dropped.original)
    }

    /// Returns what was found about some documents.
    fn fates(&self, is_wanted: impl Fn(DocId) -> bool) -> Vec<NodeFate> {
        let sizes: HashMap<DocId, u32> = measured(&self.inputs, &self.others).into_iter().zip(self.found.sizes.iter().copied()).collect();
        let fate = |(document, row): (DocId, &TextRow<'t>)| NodeFate {
            node: row.node,
            member: row.member.clone(),
            size: sizes.get(&document).copied().unwrap_or(0),
            dropped: self.found.verdicts.get(document).map(|found| dropped(found, self.member(found.original).name.clone(), self.pass)),
        };
        self.rows().filter(|(document, _)| is_wanted(*document)).map(fate).collect()
    }
}

/// Returns the documents whose number of features is wanted: it is the evidence of their copies.
fn measured(inputs: &[TextRow<'_>], others: &[TextRow<'_>]) -> Vec<DocId> {
    let rows = DocId::FIRST.onwards().zip(inputs.iter().chain(others));
    rows.filter(|(_, row)| row.has_copies).map(|(document, _)| document).collect()
}
