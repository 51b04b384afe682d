//! `containment`.

use crate::measures::Measure;
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::MeasureFacts;

pub(crate) const ENTRY: Entry = Entry {
    measure_facts: MeasureFacts {
        number: Some(ArgumentForm::Number),
        of_features: Some(Measure::Containment),
        needs_shared_feature: true,
        ..MeasureFacts::NONE
    },
    meaning: "|A n B| / min(|A|, |B|): a test holds when it holds for the smaller of the two in the larger",
    paper: "Broder, Glassman, Manasse, Zweig 1997",
    ..Entry::new("containment")
};
