//! The features that a scheme can name: one file and one name in the list for each.

mod abstracts;
mod bits;
mod chunks;
mod keywords;
mod shingles;
mod spots;
mod terms;

use crate::scheme::entry::Entry;

pub(crate) static ALL: &[Entry] = list![shingles, terms, chunks, abstracts, keywords, spots, bits];
