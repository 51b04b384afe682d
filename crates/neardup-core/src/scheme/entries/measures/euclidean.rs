//! `euclidean`.

use crate::measures::TextMeasure;
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::MeasureFacts;

pub(crate) const ENTRY: Entry = Entry {
    measure_facts: MeasureFacts { number: Some(ArgumentForm::Length), of_texts: |_| Some(TextMeasure::Euclidean), ..MeasureFacts::NONE },
    meaning: "|A - B| of the features, each weighing as often as it occurs: 0 for equal bags, without an upper end",
    ..Entry::new("euclidean")
};
