//! `levels:N`.

use crate::scheme::entry::{Entry, Form, MOST_SAMPLE};
use crate::scheme::options::refuse_weights;

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[Form::Count { letter: "N", least: 1, most: MOST_SAMPLE, auto: false }],
    options: &["of", "seed"],
    check: refuse_weights,
    lossy: true,
    meaning: "of n features those that are 0 mod 2^i, i = max(0, floor(log2(n / N))), so N to 2N: for resemblance and containment",
    paper: "Broder, Glassman, Manasse, Zweig 1997",
    ..Entry::new("levels")
};
