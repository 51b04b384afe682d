//! `shingles:W`.

use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::frame::check;

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[ArgumentForm::Count { letter: "W", least: 1, most: 64, auto: false }],
    options: &["weight", "hash", "frame"],
    check,
    meaning: "the set of runs of W consecutive tokens, each by a hash of 64 bits, or with hash=rabin of 40; with frame= without those of a host's frame",
    paper: "Broder, Glassman, Manasse, Zweig 1997; Rabin 1981",
    ..Entry::new("shingles")
};
