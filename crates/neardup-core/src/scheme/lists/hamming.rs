//! `hamming`.

use super::Entry;
use crate::scheme::entry::Form;

pub(super) const ENTRY: Entry = Entry {
    number: Some(Form::Differences),
    signatures: &["simhash", "given"],
    lossy: true,
    meaning: "in how many bits the fingerprints differ",
    paper: "Hamming 1950; Manku, Jain, Das Sarma 2007",
    ..Entry::new("hamming")
};
