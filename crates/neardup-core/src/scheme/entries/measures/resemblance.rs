//! `resemblance`.

use crate::measures::Measure;
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::MeasureFacts;

pub(crate) const ENTRY: Entry = Entry {
    measure_facts: MeasureFacts {
        number: Some(ArgumentForm::Number),
        of_features: Some(Measure::Resemblance),
        needs_shared_feature: true,
        ..MeasureFacts::NONE
    },
    meaning: "|A n B| / |A u B|, the share of all features that both have",
    paper: "Jaccard 1901; Broder, Glassman, Manasse, Zweig 1997",
    ..Entry::new("resemblance")
};
