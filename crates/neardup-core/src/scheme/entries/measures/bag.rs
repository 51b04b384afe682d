//! `bag`.

use crate::scheme::entry::{ArgumentForm, Entry};

pub(crate) const ENTRY: Entry = Entry {
    number: Some(ArgumentForm::Number),
    meaning: "Jaccard of the bags: the least weight of every feature over the greatest, summed up, so that repeats count",
    paper: "Theobald, Siddharth, Paepcke 2008",
    ..Entry::new("bag")
};
