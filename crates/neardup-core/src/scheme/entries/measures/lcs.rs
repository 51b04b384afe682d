//! `lcs:UNIT`.

use crate::scheme::entry::{ArgumentForm, Entry};

use crate::scheme::entries::units::UNIT;
use crate::scheme::stage::Argument;

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[UNIT],
    defaults: &[Argument::Name("words")],
    number: Some(ArgumentForm::Number),
    meaning: "LCS / (|A| + |B| - LCS), with the longest common subsequence of the tokens: order and repeats count",
    paper: "Wagner, Fischer 1974; Hyyro 2004",
    ..Entry::new("lcs")
};
