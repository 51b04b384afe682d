//! `euclidean`.

use crate::scheme::entry::{ArgumentForm, Entry};

pub(crate) const ENTRY: Entry = Entry {
    number: Some(ArgumentForm::Length),
    meaning: "|A - B| of the features, each weighing as often as it occurs: 0 for equal bags, without an upper end",
    ..Entry::new("euclidean")
};
