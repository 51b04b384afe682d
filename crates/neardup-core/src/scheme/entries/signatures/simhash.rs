//! `simhash:F`.

use crate::estimates::{Estimate, angle};
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::SignatureFacts;
use crate::signatures::{Signature, SimHash};

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[ArgumentForm::Either { letter: "F", counts: &[64, 128] }],
    options: &["of", "seed", "weight"],
    lossy: true,
    signature_facts: SignatureFacts {
        keys: &["blocks"],
        measures: &["hamming", "agree", "cosine"],
        sums: true,
        estimate: |stage, measure, bound| match measure {
            "hamming" => Some((Estimate::Differing, bound)),
            "agree" => Some((Estimate::Agreeing { bits: stage.count()? }, bound)),
            "cosine" => {
                let bits = stage.count()?;
                Some((Estimate::Cosine { bits }, angle::agreeing(bits, &bound)))
            }
            _ => None,
        },
        ..SignatureFacts::of::<SimHash>(|stage, context| {
            let (bits, weigher) = (stage.count()? as usize, context.weigher.clone());
            Some(Signature::SimHash(SimHash { bits, weigher }))
        })
    },
    meaning: "F bits: bit i is 1 when the sum of the features' weights, each added if bit i of its hash is 1 and subtracted otherwise, is 0 or more",
    paper: "Charikar 2002; Manku, Jain, Das Sarma 2007",
    ..Entry::new("simhash")
};
