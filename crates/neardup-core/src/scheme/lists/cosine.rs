//! `cosine`.

use super::Entry;
use crate::scheme::entry::Form;

pub(super) const ENTRY: Entry = Entry {
    number: Some(Form::Number),
    signatures: &["simhash", "projection"],
    meaning: "the cosine of the angle between the weights of all features; its estimate cos(pi * (1 - a/b)) is by a equal bits of b",
    paper: "Salton, Wong, Yang 1975; Charikar 2002",
    ..Entry::new("cosine")
};
