//! The lists of what there is: a new method is its file here and one name in its list.

mod abstracts;
mod bands;
mod blocks;
mod chunks;
mod containment;
mod digest;
mod each;
mod equal;
mod hamming;
mod keywords;
mod lengths;
mod lexicons;
mod minhash;
mod prefix;
mod resemblance;
mod shingles;
mod simhash;
mod spots;
mod terms;
mod units;
mod whole;

use super::entry::Entry;

/// The `ENTRY` of each file named, in that order.
macro_rules! list {
    ($($name:ident),+) => { &[$($name::ENTRY),+] };
}

pub(super) static TOKENS: &[Entry] = &units::ENTRIES;
pub(super) static FEATURES: &[Entry] = list![shingles, terms, chunks, abstracts, keywords, spots];
pub(super) static SIGNATURES: &[Entry] = list![minhash, simhash, digest, lexicons, whole];
pub(super) static KEYS: &[Entry] = list![bands, blocks, each, prefix, lengths];
pub(super) static MEASURES: &[Entry] = list![resemblance, containment, hamming, equal];
