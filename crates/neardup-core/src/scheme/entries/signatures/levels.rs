//! `levels:N`.

use crate::estimates::Estimate;
use crate::scheme::entry::{ArgumentForm, Entry, MOST_SAMPLE};
use crate::scheme::facts::SignatureFacts;
use crate::scheme::options::refuse_weights;
use crate::scheme::samples::within;
use crate::signatures::{Levels, Signature};

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[ArgumentForm::Count { letter: "N", least: 1, most: MOST_SAMPLE, auto: false }],
    options: &["of", "seed"],
    check: refuse_weights,
    lossy: true,
    signature_facts: SignatureFacts {
        keys: &["each"],
        measures: &["resemblance", "containment"],
        accuracy: |stage| {
            let least = stage.count()?;
            Some(format!(
                "`{stage}` keeps about {least} to {} features of a text, which estimate a likeness within {} nineteen times of twenty; two texts are compared at the level of the longer, where one that is 2^k times shorter has about 2^k times fewer values: a short text inside a very long one is not recognised",
                least.saturating_mul(2),
                within(least as f64)
            ))
        },
        estimate: |_, measure, bound| match measure {
            "resemblance" => Some((Estimate::Sampled, bound)),
            "containment" => Some((Estimate::Contained, bound)),
            _ => None,
        },
        ..SignatureFacts::of::<Levels>(|stage, _| stage.count().map(|least| Signature::Levels(Levels { least: least as usize })))
    },
    meaning: "of n features those that are 0 mod 2^i, i = max(0, floor(log2(n / N))), so N to 2N: for resemblance and containment",
    paper: "Broder, Glassman, Manasse, Zweig 1997",
    ..Entry::new("levels")
};
