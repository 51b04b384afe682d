//! `lengths:TAU`.

use super::prefix;
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::stage::Argument;

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[ArgumentForm::Share { letter: "TAU", auto: true }],
    options: &["cap", "over"],
    signatures: &["whole"],
    complete: true,
    check: prefix::check,
    choose: |wanted| wanted.threshold().map(Argument::Share),
    meaning: "prefix keys in partitions by size, of which only neighbours can reach TAU: twice the keys, fewer pairs where sizes differ",
    paper: "Theobald, Siddharth, Paepcke 2008; Bayardo, Ma, Srikant 2007",
    ..Entry::new("lengths")
};
