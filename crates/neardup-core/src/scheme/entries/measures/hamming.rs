//! `hamming`.

use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::MeasureFacts;

pub(crate) const ENTRY: Entry = Entry {
    measure_facts: MeasureFacts { number: Some(ArgumentForm::Differences), of_signatures: true, ..MeasureFacts::NONE },
    meaning: "the number of bits in which the fingerprints differ",
    paper: "Hamming 1950; Manku, Jain, Das Sarma 2007",
    ..Entry::new("hamming")
};
