//! The documents that changed after a step, for stores that follow the index.

use crate::decide::comparer::TextComparer;
use crate::decide::verdict::{Verdict, name, verdict};
use crate::shards::topic::Topic;
use crate::snapshot::contents::Snapshot;
use crate::snapshot::journal::DocumentEffect;
use neardup_core::util::ids::DocId;
use std::collections::BTreeMap;

/// The documents that changed after a step, with their present state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The last step that is included.
    pub position: u64,
    /// Ids that no document has any more.
    pub removed: Vec<String>,
    /// Documents that were added, by number, in order of arrival.
    pub added: Vec<DocId>,
    /// Verdicts on other documents that changed.
    pub changed: Vec<Verdict>,
}

impl Snapshot {
    /// Returns the changes after `step`; `None` if the journal does not reach back that far.
    pub fn changes_since(&self, step: u64, comparer: &mut TextComparer) -> Option<Changes> {
        let mut added: BTreeMap<&str, bool> = BTreeMap::new();
        let touches = self.journal.since(step);
        // The journal of each shard begins when that shard was loaded.
        if self.index_state.shards.gather(Topic::Count, vec![u64::from(touches.is_some())]).contains(&0) {
            return None;
        }
        for touch in touches? {
            match touch {
                DocumentEffect::Added(id) => drop(added.insert(id, true)),
                DocumentEffect::Removed(id) | DocumentEffect::Changed(id) => drop(added.entry(id).or_insert(false)),
            }
        }
        let mut changes = Changes { position: self.steps, ..Changes::default() };
        for (id, added) in added {
            match self.of_id(id) {
                None => changes.removed.push(id.to_owned()),
                Some(number) if added => changes.added.push(number),
                Some(number) => changes.changed.push(verdict(&self.index_state, number, comparer)),
            }
        }
        changes.added.sort_unstable();
        Some(changes)
    }

    /// Returns the id of every living document with the id of its original, in ascending order.
    pub fn roles(&self) -> Vec<(String, String)> {
        let (document_table, state) = (&self.index_state.document_table, &self.index_state.state);
        let name = |number: DocId| name(&document_table.row(number));
        let mut roles: Vec<(String, String)> = self.living_from(0).map(|number| (name(number), name(state.original(number)))).collect();
        roles.sort_unstable();
        roles
    }
}
