//! `cosine`.

use crate::scheme::entry::{ArgumentForm, Entry};

pub(crate) const ENTRY: Entry = Entry {
    number: Some(ArgumentForm::Number),
    signatures: &["simhash", "projection"],
    meaning: "A . B / (|A| |B|) of the features, each weighing as often as it occurs; the estimate cos(pi * (1 - a/b)) is by a equal bits of b",
    paper: "Salton, Wong, Yang 1975; Charikar 2002",
    ..Entry::new("cosine")
};
