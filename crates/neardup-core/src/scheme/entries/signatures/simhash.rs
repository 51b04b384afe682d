//! `simhash:F`.

use crate::estimates::{Estimate, angle};
use crate::scheme::entry::{ArgumentForm, Entry};

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[ArgumentForm::Either { letter: "F", counts: &[64, 128] }],
    options: &["of", "seed", "weight"],
    lossy: true,
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
    meaning: "F bits: bit i is 1 when the sum of the features' weights, each added where bit i of its hash is 1, else taken off, is 0 or more",
    paper: "Charikar 2002; Manku, Jain, Das Sarma 2007",
    ..Entry::new("simhash")
};
