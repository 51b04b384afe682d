//! Counts of the documents of each group.

use crate::Result;
use crate::findings::decisions::DroppedDocuments;
use crate::findings::pairs::StoredPairs;
use crate::tables::names::TableNames;
use neardup_core::candidates::scope::NO_GROUP;
use neardup_core::util::ids::DocId;
use serde::Serialize;

/// Number of groups that are listed.
const LISTED: usize = 100;

/// Counts of the groups of a run.
#[derive(Clone, Debug, Serialize)]
pub struct GroupCounts {
    /// Number of groups that documents of the input have.
    pub count: u64,
    /// Number of documents of the input without a group.
    pub without: u64,
    /// The groups with most documents, at most a hundred; of equal ones that with the smaller name first.
    pub listed: Vec<GroupCount>,
}

/// Counts of one group.
#[derive(Clone, Debug, Default, Serialize)]
pub struct GroupCount {
    /// Its name.
    pub name: String,
    /// Number of its documents in the input.
    pub documents: u64,
    /// Number of these that are dropped; `None` if the run does not decide.
    pub dropped: Option<u64>,
    /// Number of listed pairs with a document of the group; `None` if the run lists none.
    pub pairs: Option<u64>,
}

impl GroupCounts {
    /// Counts the groups of a run; `None` if no field for them was named.
    pub fn of(names: &TableNames<'_>, verdicts: Option<&DroppedDocuments>, pairs: Option<StoredPairs<'_>>) -> Result<Option<Self>> {
        let Some(groups) = &names.signed.groups else { return Ok(None) };
        let (decides, lists) = (verdicts.map(|_| 0), pairs.as_ref().map(|_| 0));
        let fresh = |name: &String| GroupCount { name: name.clone(), documents: 0, dropped: decides, pairs: lists };
        let mut counts: Vec<GroupCount> = groups.names.iter().map(fresh).collect();
        let mut without = 0;
        let group = |document: DocId| groups.of[document.index()] as usize;
        for &document in &names.documents {
            match groups.of[document.index()] {
                NO_GROUP => without += 1,
                group => counts[group as usize].documents += 1,
            }
        }
        for dropped in verdicts.iter().flat_map(|verdicts| &verdicts.dropped) {
            counts.get_mut(group(dropped.document)).and_then(|count| count.dropped.as_mut()).into_iter().for_each(|count| *count += 1);
        }
        if let Some(pairs) = pairs {
            pairs.each(|pair| {
                let (left, right) = (group(pair.left), group(pair.right));
                let both = [Some(left), Some(right).filter(|&right| right != left)];
                for group in both.into_iter().flatten() {
                    counts.get_mut(group).and_then(|count| count.pairs.as_mut()).into_iter().for_each(|count| *count += 1);
                }
            })?;
        }
        counts.retain(|count| count.documents > 0);
        counts.sort_by(|one, other| other.documents.cmp(&one.documents).then_with(|| one.name.cmp(&other.name)));
        let count = counts.len() as u64;
        counts.truncate(LISTED);
        Ok(Some(GroupCounts { count, without, listed: counts }))
    }
}
