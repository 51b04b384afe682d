//! `whole`.

use crate::scheme::entry::Entry;
use crate::scheme::options::refuse_weights;

pub(crate) const ENTRY: Entry = Entry {
    options: &["seed"],
    check: refuse_weights,
    meaning: "the whole feature set, for joins that miss nothing",
    ..Entry::new("whole")
};
