//! `minima:S`.

use crate::scheme::entry::{Entry, Form, MOST_SAMPLE};
use crate::scheme::options::refuse_weights;

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[Form::Count { letter: "S", least: 1, most: MOST_SAMPLE, auto: false }],
    options: &["of", "seed"],
    check: refuse_weights,
    lossy: true,
    meaning: "the S smallest features: of fixed size, for resemblance",
    paper: "Broder, Glassman, Manasse, Zweig 1997",
    ..Entry::new("minima")
};
