//! The lists of what there is: a new method is its file here and one name in its list.

mod agree;
mod bands;
mod blocks;
mod containment;
mod cosine;
mod digest;
mod each;
mod equal;
mod hamming;
mod minhash;
mod prefix;
mod projection;
mod resemblance;
mod shingles;
mod simhash;
mod units;
mod whole;

use super::entry::Entry;

/// The `ENTRY` of each file named, in that order.
macro_rules! list {
    ($($name:ident),+) => { &[$($name::ENTRY),+] };
}

pub(super) static TOKENS: &[Entry] = &units::ENTRIES;
pub(super) static FEATURES: &[Entry] = list![shingles];
pub(super) static SIGNATURES: &[Entry] = list![minhash, simhash, projection, digest, whole];
pub(super) static KEYS: &[Entry] = list![bands, blocks, each, prefix];
pub(super) static MEASURES: &[Entry] = list![resemblance, containment, cosine, hamming, agree, equal];
