//! `lcs:UNIT`.

use crate::measures::TextMeasure;
use crate::scheme::entries::units::{UNIT, unit_of};
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::MeasureFacts;
use crate::scheme::stage::Argument;

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[UNIT],
    defaults: &[Argument::Name("words")],
    measure_facts: MeasureFacts {
        number: Some(ArgumentForm::Number),
        of_texts: |args| unit_of(args).map(TextMeasure::Lcs),
        ..MeasureFacts::NONE
    },
    meaning: "LCS / (|A| + |B| - LCS), with the longest common subsequence of the tokens: order and repeats count",
    paper: "Wagner, Fischer 1974; Hyyro 2004",
    ..Entry::new("lcs")
};
