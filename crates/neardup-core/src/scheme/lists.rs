//! The lists of what there is: a new method is its file here and one name in its list.

mod bands;
mod containment;
mod equal;
mod minhash;
mod prefix;
mod resemblance;
mod shingles;
mod units;
mod whole;

use super::entry::Entry;

/// The `ENTRY` of each file named, in that order.
macro_rules! list {
    ($($name:ident),+) => { &[$($name::ENTRY),+] };
}

pub(super) static TOKENS: &[Entry] = &units::ENTRIES;
pub(super) static FEATURES: &[Entry] = list![shingles];
pub(super) static SIGNATURES: &[Entry] = list![minhash, whole];
pub(super) static KEYS: &[Entry] = list![bands, prefix];
pub(super) static MEASURES: &[Entry] = list![resemblance, containment, equal];
