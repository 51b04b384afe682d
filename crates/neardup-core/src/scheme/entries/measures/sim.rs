//! `sim`.

use crate::measures::TextMeasure;
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::MeasureFacts;

pub(crate) const ENTRY: Entry = Entry {
    measure_facts: MeasureFacts { number: Some(ArgumentForm::Distance), of_texts: |_| Some(TextMeasure::Sim), ..MeasureFacts::NONE },
    meaning: "|A - B|^2 / (|A|^2 + |B|^2) of the weighted features: 0 for equal ones, 1 for orthogonal ones; it depends on length and angle",
    paper: "Tianwang, Peking University",
    ..Entry::new("sim")
};
