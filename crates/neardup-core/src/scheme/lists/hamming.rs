//! `hamming`.

use super::Entry;
use crate::scheme::entry::Form;

/// Signatures that are bit strings of one length.
pub(super) const FINGERPRINTS: &[&str] = &["simhash", "projection", "given"];

pub(super) const ENTRY: Entry = Entry {
    number: Some(Form::Differences),
    signatures: FINGERPRINTS,
    lossy: true,
    meaning: "in how many bits the fingerprints differ",
    paper: "Hamming 1950; Manku, Jain, Das Sarma 2007",
    ..Entry::new("hamming")
};
