//! `bits:F`.

use crate::features::{Bits, Features};
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::FeatureFacts;
use crate::scheme::pass::Pass;
use crate::scheme::stage::Stage;

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[ArgumentForm::Either { letter: "F", counts: &[64, 128] }],
    check,
    feature_facts: FeatureFacts {
        made_elsewhere: true,
        make: |stage, _| Ok(stage.count().map(|bits| Features::Bits(Bits { bits: bits as usize }))),
        ..FeatureFacts::NONE
    },
    meaning: "the (position, bit) pairs of a fingerprint of F bits, 64 or 128, that was made elsewhere",
    paper: "Manku, Jain, Das Sarma 2007",
    ..Entry::new("bits")
};

fn check(stage: &Stage, pass: &Pass) -> Result<(), String> {
    if pass.tokens().name() != "given" || pass.signature().name() != "given" || pass.signature().args() != stage.args() {
        return Err(format!("it is for fingerprints made elsewhere: write `given | {stage} | given:{} | ...`", stage.args()[0]));
    }
    Ok(())
}
