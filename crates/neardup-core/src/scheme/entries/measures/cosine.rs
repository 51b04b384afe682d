//! `cosine`.

use crate::measures::TextMeasure;
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::MeasureFacts;

pub(crate) const ENTRY: Entry = Entry {
    measure_facts: MeasureFacts {
        number: Some(ArgumentForm::Number),
        of_texts: |_| Some(TextMeasure::Cosine),
        needs_shared_feature: true,
        ..MeasureFacts::NONE
    },
    meaning: "A . B / (|A| |B|) of the features, each weighing as often as it occurs; the estimate cos(pi * (1 - a/b)) is by a equal bits of b",
    paper: "Salton, Wong, Yang 1975; Charikar 2002",
    ..Entry::new("cosine")
};
