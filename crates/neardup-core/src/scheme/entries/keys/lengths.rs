//! `lengths:TAU`.

use super::prefix;
use crate::keys::{Keys, Lengths};
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::KeyFacts;
use crate::scheme::stage::Argument;

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[ArgumentForm::Share { letter: "TAU", auto: true }],
    options: &["cap", "over"],
    check: prefix::check,
    key_facts: KeyFacts {
        complete: true,
        choose: |wanted| wanted.threshold().map(Argument::Share),
        make: |stage, _, _| match stage.args() {
            &[Argument::Share(threshold)] => Some(Keys::Lengths(Lengths::new(threshold))),
            _ => None,
        },
        ..KeyFacts::NONE
    },
    meaning: "prefix keys in partitions by size, of which only neighbours can reach TAU: twice the keys, fewer pairs where sizes differ",
    paper: "Theobald, Siddharth, Paepcke 2008; Bayardo, Ma, Srikant 2007",
    ..Entry::new("lengths")
};
