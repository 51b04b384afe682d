//! The signatures that a scheme can name: one file and one name in the list for each.

mod digest;
mod given;
mod levels;
mod lexicons;
mod minhash;
mod minima;
mod moduli;
mod projection;
mod simhash;
mod supershingles;
mod whole;

use crate::scheme::entry::Entry;

pub(crate) static ALL: &[Entry] =
    list![minhash, minima, moduli, levels, supershingles, simhash, projection, digest, lexicons, given, whole];
