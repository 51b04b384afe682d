//! `hamming`.

use crate::scheme::entries::signatures::FINGERPRINTS;
use crate::scheme::entry::{ArgumentForm, Entry};

pub(crate) const ENTRY: Entry = Entry {
    number: Some(ArgumentForm::Differences),
    signatures: FINGERPRINTS,
    lossy: true,
    meaning: "in how many bits the fingerprints differ",
    paper: "Hamming 1950; Manku, Jain, Das Sarma 2007",
    ..Entry::new("hamming")
};
