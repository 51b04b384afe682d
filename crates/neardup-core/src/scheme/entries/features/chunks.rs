//! `chunks:N`.

use crate::features::{Chunks, Features};
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::FeatureFacts;

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[ArgumentForm::CountOr { letter: "N", least: 1, most: 1_000_000, name: "document" }],
    feature_facts: FeatureFacts {
        make: |stage, _| Ok(Some(Features::Chunks(Chunks { length: stage.count().map_or(usize::MAX, |length| length as usize) }))),
        ..FeatureFacts::NONE
    },
    meaning: "runs of N tokens that do not overlap; `document`: all of them as one",
    paper: "Brin, Davis, Garcia-Molina 1995; Shivakumar, Garcia-Molina 1995",
    ..Entry::new("chunks")
};
