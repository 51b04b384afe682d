//! `projection:B`.

use crate::estimates::{Estimate, angle};
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::SignatureFacts;
use crate::scheme::stage::Argument;
use crate::signatures::{Projection, Signature};

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[ArgumentForm::Multiple { letter: "B", of: 64, most: 1024 }],
    defaults: &[Argument::Count(384)],
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
        ..SignatureFacts::of::<Projection>(|stage, context| {
            let (bits, weigher) = (stage.count()? as usize, context.weigher.clone());
            Some(Signature::Projection(Projection::new(bits, context.seed, weigher)))
        })
    },
    meaning: "B bits, 384 by default: bit i is 1 when the sum of the features' weights, each times its own random +1 or -1, is above 0",
    paper: "Charikar 2002; Henzinger 2006",
    ..Entry::new("projection")
};
