//! `given:F`.

use crate::estimates::Estimate;
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::SignatureFacts;
use crate::signatures::{GivenFingerprint, Signature};

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[ArgumentForm::Either { letter: "F", counts: &[64, 128] }],
    options: &["seed"],
    check: |stage, pass| {
        if pass.features().are_made_elsewhere() {
            Ok(())
        } else {
            Err(format!("it is for features of fingerprints: write `given | bits:{0} | {stage} | ...`", stage.args()[0]))
        }
    },
    signature_facts: SignatureFacts {
        keys: &["blocks"],
        measures: &["hamming", "agree"],
        estimate: |stage, measure, bound| match measure {
            "hamming" => Some((Estimate::Differing, bound)),
            "agree" => Some((Estimate::Agreeing { bits: stage.count()? }, bound)),
            _ => None,
        },
        ..SignatureFacts::of::<GivenFingerprint>(|_, _| Some(Signature::GivenFingerprint(GivenFingerprint)))
    },
    meaning: "a fingerprint of F bits, 64 or 128, that was made elsewhere",
    paper: "Manku, Jain, Das Sarma 2007",
    ..Entry::new("given")
};
