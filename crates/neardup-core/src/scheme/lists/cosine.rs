//! `cosine`.

use super::Entry;
use crate::scheme::entry::Form;

pub(super) const ENTRY: Entry = Entry {
    number: Some(Form::Number),
    meaning: "A . B / (|A| |B|) of the features, each weighing as often as it occurs: the angle between two documents",
    paper: "Salton, Wong, Yang 1975",
    ..Entry::new("cosine")
};
