//! `blocks:M`.

use super::Entry;
use crate::ratio::Ratio;
use crate::scheme::entry::Form;
use crate::scheme::pass::Pass;
use crate::scheme::stage::{Argument, Stage};

pub(super) const ENTRY: Entry = Entry {
    arguments: &[Form::Count { letter: "M", least: 0, most: 31, auto: false }],
    options: &["cap", "over"],
    signatures: &["simhash", "given"],
    check,
    meaning: "M+1 blocks of bits, each a key: fingerprints that differ in M bits or fewer share one",
    paper: "Manku, Jain, Das Sarma 2007",
    ..Entry::new("blocks")
};

fn check(stage: &Stage, pass: &Pass) -> Result<(), String> {
    let Some(most) = pass.most("hamming") else {
        return Err("blocks meet only at a Hamming distance, so other pairs would be missed: add `hamming<=NUMBER`".to_owned());
    };
    match stage.args() {
        [Argument::Count(distance)] if most > (Ratio { numerator: *distance, denominator: 1 }) => {
            Err(format!("blocks:{distance} misses pairs that differ in {most} bits, which the measure accepts: write blocks:{most}"))
        }
        _ => Ok(()),
    }
}
