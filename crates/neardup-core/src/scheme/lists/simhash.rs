//! `simhash:F`.

use super::Entry;
use crate::scheme::entry::Form;

pub(super) const ENTRY: Entry = Entry {
    arguments: &[Form::Count { letter: "F", least: 64, most: 128, auto: false }],
    options: &["seed"],
    lossy: true,
    meaning: "F bits, 64 or 128: bit i is the sign of the sum of the features' weights, each added where bit i of its hash is 1, else taken off",
    paper: "Charikar 2002; Manku, Jain, Das Sarma 2007",
    ..Entry::new("simhash")
};
