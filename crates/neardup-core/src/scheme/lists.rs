//! The lists of what there is: a new method is its file here and one name in its list.

mod abstracts;
mod agree;
mod bag;
mod bands;
mod bits;
mod blocks;
mod chunks;
mod containment;
mod cosine;
mod digest;
mod distinct;
mod each;
mod equal;
mod euclidean;
mod given;
mod hamming;
mod keywords;
mod lcs;
mod lengths;
mod levels;
mod levenshtein;
mod lexicons;
mod minhash;
mod minima;
mod moduli;
mod prefix;
mod projection;
mod resemblance;
mod shingles;
mod sim;
mod simhash;
mod spots;
mod supershingles;
mod terms;
mod units;
mod whole;

use super::entry::Entry;

/// The `ENTRY` of each file named, in that order.
macro_rules! list {
    ($($name:ident),+) => { &[$($name::ENTRY),+] };
}

pub(super) static TOKENS: &[Entry] = &units::ENTRIES;
pub(super) static FEATURES: &[Entry] = list![shingles, terms, chunks, abstracts, keywords, spots, bits];
pub(super) static SIGNATURES: &[Entry] =
    list![minhash, minima, moduli, levels, supershingles, simhash, projection, digest, lexicons, given, whole];
pub(super) static KEYS: &[Entry] = list![bands, blocks, each, prefix, lengths];
pub(super) static MEASURES: &[Entry] =
    list![resemblance, containment, bag, cosine, lcs, levenshtein, distinct, euclidean, sim, hamming, agree, equal];
