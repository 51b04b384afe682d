//! The entries of schemes. A new method is one file in the folder of its kind, and one name in the list of that folder.

/// Lists the `ENTRY` of each file, in the same order.
macro_rules! list {
    ($($name:ident),+) => { &[$($name::ENTRY),+] };
}

mod features;
mod keys;
mod measures;
mod signatures;
mod units;

use super::entry::{Entry, StageKind};

impl StageKind {
    /// Returns all entries for a stage of this kind.
    pub fn entries(self) -> &'static [Entry] {
        match self {
            StageKind::Tokens => &units::ENTRIES,
            StageKind::Features => features::ALL,
            StageKind::Signature => signatures::ALL,
            StageKind::Keys => keys::ALL,
            StageKind::Measure => measures::ALL,
        }
    }

    /// Returns the entry with this name; the error lists the names that exist.
    pub(super) fn find(self, name: &str) -> Result<&'static Entry, String> {
        self.entries().iter().find(|entry| entry.name == name).ok_or_else(|| {
            let written: Vec<String> = self.entries().iter().map(Entry::form).collect();
            let near =
                self.entries().iter().max_by_key(|entry| likeness(entry.name, name)).filter(|entry| likeness(entry.name, name) >= NEAR);
            let hint = near.map_or_else(String::new, |entry| format!("did you mean {}? ", entry.form()));
            format!("there is no `{name}`; {hint}there are {}", written.join(", "))
        })
    }
}

/// Similarity, in thousandths, from which a written name may be a misspelling of another.
const NEAR: u32 = 700;

/// Returns the similarity of two names, in thousandths.
fn likeness(left: &str, right: &str) -> u32 {
    (strsim::jaro_winkler(left, right) * 1000.0) as u32
}

/// Returns all entries, kind by kind: the table that `neardup schemes` prints.
pub fn table() -> impl Iterator<Item = (StageKind, &'static Entry)> {
    StageKind::ALL.into_iter().flat_map(|kind| kind.entries().iter().map(move |entry| (kind, entry)))
}
