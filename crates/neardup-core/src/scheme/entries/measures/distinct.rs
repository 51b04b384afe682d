//! `distinct:UNIT`.

use crate::scheme::entry::{ArgumentForm, Entry};

use crate::scheme::entries::units::UNIT;
use crate::scheme::stage::Argument;

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[UNIT],
    defaults: &[Argument::Name("words")],
    number: Some(ArgumentForm::Differences),
    meaning: "Hamming distance of token sequences: in how many places two of one length differ; others are never near",
    paper: "Hamming 1950",
    ..Entry::new("distinct")
};
