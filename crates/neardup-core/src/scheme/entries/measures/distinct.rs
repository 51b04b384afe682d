//! `distinct:UNIT`.

use crate::measures::TextMeasure;
use crate::scheme::entries::units::{UNIT, unit_of};
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::MeasureFacts;
use crate::scheme::stage::Argument;

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[UNIT],
    defaults: &[Argument::Name("words")],
    measure_facts: MeasureFacts {
        number: Some(ArgumentForm::Differences),
        of_texts: |args| unit_of(args).map(TextMeasure::Distinct),
        ..MeasureFacts::NONE
    },
    meaning: "Hamming distance of token sequences: the number of positions in which two of equal length differ; others are never near",
    paper: "Hamming 1950",
    ..Entry::new("distinct")
};
