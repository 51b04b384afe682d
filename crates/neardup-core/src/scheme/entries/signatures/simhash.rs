//! `simhash:F`.

use crate::scheme::entry::{Entry, Form};

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[Form::Either { letter: "F", counts: &[64, 128] }],
    options: &["of", "seed", "weight"],
    lossy: true,
    meaning: "F bits: bit i is 1 when the sum of the features' weights, each added where bit i of its hash is 1, else taken off, is 0 or more",
    paper: "Charikar 2002; Manku, Jain, Das Sarma 2007",
    ..Entry::new("simhash")
};
