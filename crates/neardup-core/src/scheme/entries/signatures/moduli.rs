//! `moduli:M`.

use crate::estimates::Estimate;
use crate::scheme::entry::{ArgumentForm, Entry, MOST_SAMPLE};
use crate::scheme::facts::SignatureFacts;
use crate::scheme::options::refuse_weights;
use crate::scheme::samples::within;
use crate::signatures::{Moduli, Signature};

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[ArgumentForm::Count { letter: "M", least: 1, most: MOST_SAMPLE, auto: false }],
    options: &["of", "seed"],
    check: refuse_weights,
    lossy: true,
    signature_facts: SignatureFacts {
        keys: &["each"],
        measures: &["resemblance", "containment"],
        accuracy: |stage| {
            let modulus = stage.count()?;
            Some(format!(
                "`{stage}` keeps about one feature of {modulus}: of a text of 1000 features {} values, which estimate a likeness within {} nineteen times of twenty; texts of fewer than {} features mostly have fewer than 8 values and are counted as thin_samples",
                1000 / modulus,
                within(1000.0 / modulus as f64),
                modulus.saturating_mul(8)
            ))
        },
        estimate: |_, measure, bound| match measure {
            "resemblance" => Some((Estimate::Sampled, bound)),
            "containment" => Some((Estimate::Contained, bound)),
            _ => None,
        },
        ..SignatureFacts::of::<Moduli>(|stage, _| stage.count().map(|modulus| Signature::Moduli(Moduli::new(modulus))))
    },
    meaning: "the features that are 0 mod M, about one of M: grows with the text, for resemblance and containment",
    paper: "Broder, Glassman, Manasse, Zweig 1997",
    ..Entry::new("moduli")
};
