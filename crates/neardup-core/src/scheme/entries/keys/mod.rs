//! The keys that a scheme can name: one file and one name in the list for each.

mod bands;
mod blocks;
mod each;
mod lengths;
mod prefix;

use crate::scheme::entry::Entry;

pub(crate) static ALL: &[Entry] = list![bands, blocks, each, prefix, lengths];
