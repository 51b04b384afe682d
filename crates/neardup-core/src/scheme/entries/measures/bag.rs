//! `bag`.

use crate::measures::TextMeasure;
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::MeasureFacts;

pub(crate) const ENTRY: Entry = Entry {
    measure_facts: MeasureFacts {
        number: Some(ArgumentForm::Number),
        of_texts: |_| Some(TextMeasure::Bag),
        needs_shared_feature: true,
        ..MeasureFacts::NONE
    },
    meaning: "Jaccard of the bags: the least weight of every feature over the greatest, summed up, so that repeats count",
    paper: "Theobald, Siddharth, Paepcke 2008",
    ..Entry::new("bag")
};
