//! Families: keys under which all documents are connected with each other.
//!
//! Spam comes in thousands of near-copies, under the same keys. A text that is connected with one of them need not look at the
//! others, of which no comparison could connect it with more.

use crate::documents::document_table::MemtableSize;
use crate::documents::state::DocumentStates;
use crate::documents::table_key::TableKey;
use std::collections::HashMap;

/// Under fewer documents it is not worth remembering; tests have few.
const CROWD: usize = if cfg!(test) { 2 } else { 64 };

/// What is remembered of keys that many documents have.
#[derive(Default)]
pub struct Families(HashMap<TableKey, Family>);

/// All documents that were under a key at some time are connected with this one.
struct Family {
    member: u32,
    entered: MemtableSize,
}

impl Families {
    /// Up to which time all documents under a key are connected with a text, as far as is known.
    #[inline]
    pub fn known(&self, key: TableKey, state: &DocumentStates, representative: u32) -> Option<MemtableSize> {
        // Most keys are held by few, and most indexes hold no family.
        let family = if self.0.is_empty() { None } else { self.0.get(&key) }?;
        (state.is_alive(family.member) && state.root(family.member) == state.root(representative)).then_some(family.entered)
    }

    /// Remembers that all `count` documents that were under a key by then are connected with this one.
    pub fn remember(&mut self, key: TableKey, member: u32, entered: MemtableSize, count: usize) {
        if count >= CROWD || self.0.contains_key(&key) {
            self.0.insert(key, Family { member, entered });
        }
    }

    /// Forgets everything: a document is connected no more.
    pub fn forget(&mut self) {
        self.0.clear();
    }
}
