//! `moduli:M`.

use crate::scheme::entry::{Entry, Form, MOST_SAMPLE};
use crate::scheme::options::refuse_weights;

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[Form::Count { letter: "M", least: 1, most: MOST_SAMPLE, auto: false }],
    options: &["of", "seed"],
    check: refuse_weights,
    lossy: true,
    meaning: "the features that are 0 mod M, about one of M: grows with the text, for resemblance and containment",
    paper: "Broder, Glassman, Manasse, Zweig 1997",
    ..Entry::new("moduli")
};
