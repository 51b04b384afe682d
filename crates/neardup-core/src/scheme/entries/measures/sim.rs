//! `sim`.

use crate::scheme::entry::{ArgumentForm, Entry};

pub(crate) const ENTRY: Entry = Entry {
    number: Some(ArgumentForm::Distance),
    meaning: "|A - B|^2 / (|A|^2 + |B|^2) of the weighted features: 0 for equal ones, 1 for orthogonal ones; it minds length and angle",
    paper: "Tianwang, Peking University",
    ..Entry::new("sim")
};
