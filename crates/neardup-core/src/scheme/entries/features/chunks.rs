//! `chunks:N`.

use crate::scheme::entry::{ArgumentForm, Entry};

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[ArgumentForm::CountOr { letter: "N", least: 1, most: 1_000_000, name: "document" }],
    meaning: "runs of N tokens that do not overlap; `document`: all of them as one",
    paper: "Brin, Davis, Garcia-Molina 1995; Shivakumar, Garcia-Molina 1995",
    ..Entry::new("chunks")
};
