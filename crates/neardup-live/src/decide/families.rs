//! Families: keys whose documents are all connected with each other.
//!
//! Spam occurs in thousands of near-copies, under the same keys. A text that is connected with one of them need not be compared
//! with the others, because no comparison could connect it with more documents.

use crate::documents::document_table::MemtableSize;
use crate::documents::state::DocumentStates;
use crate::documents::table_key::TableKey;
use neardup_core::util::ids::DocId;
use std::collections::HashMap;

/// Smallest number of documents for which a family is worth remembering. Tests use small families.
const CROWD: usize = if cfg!(test) { 2 } else { 64 };

/// The families of the keys that many documents share.
#[derive(Default)]
pub struct Families(HashMap<TableKey, Family>);

/// A document with which all documents that were under a key at some moment are connected.
struct Family {
    member: DocId,
    entered: MemtableSize,
}

impl Families {
    /// Returns the moment up to which all documents under a key are known to be connected with `representative`.
    #[inline]
    pub fn known(&self, key: TableKey, state: &DocumentStates, representative: DocId) -> Option<MemtableSize> {
        // Most keys have few documents, and most indexes have no family.
        let family = if self.0.is_empty() { None } else { self.0.get(&key) }?;
        (state.is_alive(family.member) && state.root(family.member) == state.root(representative)).then_some(family.entered)
    }

    /// Remembers that all `count` documents that were under a key at the moment `entered` are connected with `member`.
    pub fn remember(&mut self, key: TableKey, member: DocId, entered: MemtableSize, count: usize) {
        if count >= CROWD || self.0.contains_key(&key) {
            self.0.insert(key, Family { member, entered });
        }
    }

    /// Forgets all families, because documents were disconnected.
    pub fn forget(&mut self) {
        self.0.clear();
    }
}
