//! `shingles:W`.

use super::Entry;
use crate::scheme::entry::Form;

pub(super) const ENTRY: Entry = Entry {
    arguments: &[Form::Count { letter: "W", least: 1, most: 64, auto: false }],
    options: &["weight"],
    meaning: "the set of runs of W consecutive tokens",
    paper: "Broder, Glassman, Manasse, Zweig 1997",
    ..Entry::new("shingles")
};
