//! `levenshtein:UNIT,INSERT,DELETE,REPLACE`.

use crate::scheme::entry::{ArgumentForm, Entry};

use crate::scheme::entries::units::UNIT;
use crate::scheme::stage::Argument;

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[UNIT, cost("INSERT"), cost("DELETE"), cost("REPLACE")],
    defaults: &[Argument::Name("chars"), Argument::Count(1), Argument::Count(1), Argument::Count(1)],
    number: Some(ArgumentForm::Differences),
    meaning: "the least cost of insertions, deletions and replacements that turn one token sequence into the other",
    paper: "Levenshtein 1966; Hyyro 2001",
    ..Entry::new("levenshtein")
};

const fn cost(letter: &'static str) -> ArgumentForm {
    ArgumentForm::Count { letter, least: 0, most: 1 << 20, auto: false }
}
