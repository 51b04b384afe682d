//! `abstract:N`.

use crate::features::{Abstract, Features};
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::FeatureFacts;

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[ArgumentForm::Count { letter: "N", least: 1, most: 1_000_000, auto: false }],
    lossy: true,
    feature_facts: FeatureFacts {
        make: |stage, _| Ok(stage.count().map(|length| Features::Abstract(Abstract { length: length as usize }))),
        ..FeatureFacts::NONE
    },
    meaning: "the first N tokens as one feature; Tianwang uses 512 bytes",
    paper: "Tianwang, Peking University",
    ..Entry::new("abstract")
};
