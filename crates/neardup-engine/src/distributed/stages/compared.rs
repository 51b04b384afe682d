//! Documents that were compared in one task, in policy order.

use crate::Result;
use crate::distributed::family::{self, ComparedPass, FamilyFindings};
use crate::distributed::message::TextRow;
use crate::distributed::stages::StageTask;
use crate::distributed::stages::gather::policy_order;
use crate::job::Verb;
use neardup_core::util::ids::DocId;
use std::collections::HashMap;

/// Documents that were compared: those of the input, then those of the reference and the leaders, which are not decided here.
pub struct Compared<'t> {
    /// The documents, numbered as in the findings.
    pub rows: Vec<TextRow<'t>>,
    /// Number of those of the input.
    pub inputs: usize,
    /// What was found.
    pub found: FamilyFindings,
    /// Number of features of the documents that represent copies: it is the evidence of these.
    pub sizes: HashMap<DocId, u32>,
}

impl<'t> Compared<'t> {
    /// Compares documents, and with `leaders`. `foreseen` are keys that propose no pair.
    pub fn of(task: &StageTask<'_, '_>, verb: Verb, foreseen: &[u64], rows: Vec<TextRow<'t>>, leaders: Vec<TextRow<'t>>) -> Result<Self> {
        let plan = task.plan;
        let (mut rows, mut others): (Vec<TextRow<'t>>, Vec<TextRow<'t>>) =
            rows.into_iter().partition(|row| !plan.is_reference(row.member.name.number));
        others.extend(leaders);
        for side in [&mut rows, &mut others] {
            side.sort_by(|one, other| policy_order(plan, &one.member, &other.member));
        }
        let inputs = rows.len();
        rows.append(&mut others);
        let pass = ComparedPass { verb, number: plan.pass as usize, is_last: plan.pass + 1 == plan.passes, lexicon: task.lexicon.as_ref() };
        let numbered = DocId::FIRST.onwards().zip(&rows);
        let measured: Vec<DocId> = numbered.filter(|(_, row)| row.has_copies).map(|(document, _)| document).collect();
        let sides = [&rows[..inputs], &rows[inputs..]].map(|rows| rows.iter().map(|row| &*row.text).collect::<Vec<&str>>());
        let found = family::compare(task.job, &pass, sides, foreseen, &measured, task.watch)?;
        let sizes = measured.into_iter().zip(found.sizes.iter().copied()).collect();
        Ok(Compared { rows, inputs, found, sizes })
    }

    /// Returns all documents with their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (DocId, &TextRow<'t>)> {
        DocId::FIRST.onwards().zip(&self.rows)
    }
}
