//! `agree`.

use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::MeasureFacts;

pub(crate) const ENTRY: Entry = Entry {
    measure_facts: MeasureFacts { number: Some(ArgumentForm::Equals), of_signatures: true, ..MeasureFacts::NONE },
    meaning: "the number of bits in which the fingerprints are equal",
    paper: "Charikar 2002; Henzinger 2006",
    ..Entry::new("agree")
};
