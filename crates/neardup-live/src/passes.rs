//! The passes of an index: one that decides, and one that finds parts.

use neardup_core::keys::Kind;
use neardup_core::pass::Pass;

/// What documents of an index are signed by.
#[derive(Clone, Debug)]
pub struct Passes {
    /// Decides which documents are near-duplicates.
    pub main: Pass,
    /// Its keys find texts that stand in one another, whatever their sizes; its measure is not asked.
    pub parts: Option<Pass>,
    /// Whether the main pass decides by an exact measure.
    pub is_verified: bool,
}

impl Passes {
    /// How many tables of keys the main pass fills; those of parts follow.
    pub fn main_tables(&self) -> usize {
        tables(&self.main)
    }

    /// How many tables of keys there are in all.
    pub fn tables(&self) -> usize {
        self.main_tables() + self.parts.as_ref().map_or(0, tables)
    }

    /// The kind of keys that stand in a table.
    pub fn kind_of(&self, table: usize) -> Option<&Kind> {
        let main = self.main_tables();
        if table < main { self.main.kind_of(table) } else { self.parts.as_ref().and_then(|pass| pass.kind_of(table - main)) }
    }

    /// From how many documents on a key is only looked up for the first of them.
    pub fn cap_of(&self, table: usize) -> usize {
        self.kind_of(table).and_then(|kind| kind.cap).map_or(usize::MAX, |cap| cap as usize)
    }
}

fn tables(pass: &Pass) -> usize {
    pass.kinds.iter().map(|kind| kind.keys.tables()).sum()
}
