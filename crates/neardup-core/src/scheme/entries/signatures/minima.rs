//! `minima:S`.

use crate::estimates::Estimate;
use crate::keys::promise::{Chance, Promise};
use crate::scheme::entry::{ArgumentForm, Entry, MOST_SAMPLE};
use crate::scheme::facts::SignatureFacts;
use crate::scheme::options::refuse_weights;
use crate::scheme::samples::within;
use crate::signatures::{Minima, Signature};

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[ArgumentForm::Count { letter: "S", least: 1, most: MOST_SAMPLE, auto: false }],
    options: &["of", "seed"],
    check: refuse_weights,
    lossy: true,
    signature_facts: SignatureFacts {
        keys: &["each"],
        measures: &["resemblance"],
        most_values: |stage| stage.count(),
        shared_value: |_| {
            Promise::Nothing("a pair is found when it shares one of its minima, and the measure asks for no least resemblance")
        },
        chance: |stage| Some(Chance::Minima { size: stage.count()? }),
        accuracy: |stage| {
            Some(format!(
                "an estimate by `{stage}` is within {} of the resemblance nineteen times of twenty: pairs near the threshold fall on either side",
                within(stage.count()? as f64)
            ))
        },
        estimate: |stage, measure, bound| match measure {
            "resemblance" => Some((Estimate::Minima { size: stage.count()? }, bound)),
            _ => None,
        },
        ..SignatureFacts::of::<Minima>(|stage, _| stage.count().map(|size| Signature::Minima(Minima { size: size as usize })))
    },
    meaning: "the S smallest features: of fixed size, for resemblance",
    paper: "Broder, Glassman, Manasse, Zweig 1997",
    ..Entry::new("minima")
};
