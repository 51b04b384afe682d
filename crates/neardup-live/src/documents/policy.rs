//! Policies: the order that decides which of several similar documents is kept.

use crate::documents::document_table::DocumentTable;
use crate::documents::row::DocumentRow;
use neardup_core::util::ids::DocId;
use serde::{Deserialize, Serialize};

/// The document that comes first in policy order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// The document that arrived first.
    First,
    /// The document with the smallest time, then the smallest id. A missing time and a missing id sort last.
    Earliest,
}

/// A place in policy order. No two documents have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PolicyPlace<'a> {
    time: i64,
    is_unnamed: bool,
    id: &'a [u8],
    /// Numbers ascend by arrival.
    number: DocId,
}

impl Policy {
    /// Returns the place of a document.
    #[inline]
    pub fn place(self, document_table: &DocumentTable, number: DocId) -> PolicyPlace<'_> {
        self.place_of(&document_table.row(number), number)
    }

    /// Returns the place of a document that would have this number.
    #[inline]
    pub fn place_of<'a>(self, row: &DocumentRow<'a>, number: DocId) -> PolicyPlace<'a> {
        match self {
            Policy::First => PolicyPlace { time: 0, is_unnamed: false, id: &[], number },
            Policy::Earliest => PolicyPlace { time: row.time, is_unnamed: row.id.is_empty(), id: row.id, number },
        }
    }
}

impl PolicyPlace<'_> {
    /// Returns an owned copy, which sorts in the same order.
    pub fn owned(self) -> (i64, bool, Vec<u8>, DocId) {
        (self.time, self.is_unnamed, self.id.to_vec(), self.number)
    }
}
