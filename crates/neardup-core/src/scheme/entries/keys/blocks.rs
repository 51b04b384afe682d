//! `blocks:M,PLAN`.

use crate::Result as Chosen;
use crate::keys::{BlockCost, Blocks, Keys, TablePlan};
use crate::scheme::entry::{ArgumentForm, Entry, KeyTarget};
use crate::scheme::facts::KeyFacts;
use crate::scheme::pass::Pass;
use crate::scheme::stage::{Argument, Stage};

/// Number of documents for which the plan is chosen: few enough for one machine, and enough that the choice matters.
const DOCUMENTS: u64 = 10_000_000;

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[
        ArgumentForm::Count { letter: "M", least: 0, most: 31, auto: false },
        ArgumentForm::Choice {
            letter: "PLAN",
            names: &[TablePlan::Single.name(), TablePlan::Double.name(), TablePlan::Nested.name(), "auto"],
        },
    ],
    defaults: &[Argument::Auto],
    options: &["cap", "over"],
    check,
    key_facts: KeyFacts {
        complete: true,
        choose,
        make: |stage, pass, _| match stage.args() {
            &[Argument::Count(distance), Argument::Name(plan)] => {
                Some(Keys::Blocks(Blocks::new(bits(pass)? as usize, distance as usize, TablePlan::find(plan)?)))
            }
            _ => None,
        },
        ..KeyFacts::NONE
    },
    meaning: "blocks of bits as keys, so that fingerprints that differ in M bits or fewer share one: single, M+1 keys; double, any two of M+2 blocks; nested, M+1 blocks with the others cut in M+1 again; auto is the cheapest for 10,000,000 documents",
    paper: "Manku, Jain, Das Sarma 2007",
    ..Entry::new("blocks")
};

fn check(stage: &Stage, pass: &Pass) -> Result<(), String> {
    let (&[Argument::Count(distance), _], Some(bits)) = (stage.args(), bits(pass)) else {
        return Ok(());
    };
    if distance + 2 > bits {
        return Err(format!("it cuts {} bits in {} blocks: write {} or less", bits, distance + 2, bits.saturating_sub(2)));
    }
    let Some(most) = pass.differing(bits) else {
        return Err(
            "blocks meet only at a Hamming distance, so other pairs would be missed: add `hamming<=NUMBER`, `agree>=NUMBER` or `~cosine>=NUMBER`"
                .to_owned(),
        );
    };
    if most > distance {
        return Err(format!("blocks:{distance} misses pairs that differ in {most} bits, which the measure accepts: write blocks:{most}"));
    }
    Ok(())
}

fn choose(wanted: &KeyTarget) -> Chosen<Argument> {
    match (wanted.keys.args(), bits(wanted.pass)) {
        (&[Argument::Count(distance), _], Some(bits)) => {
            Ok(Argument::Name(BlockCost::choose(DOCUMENTS, bits as usize, distance as usize).name()))
        }
        _ => Err(wanted.refuse("the number of bits is still auto: write it")),
    }
}

/// Returns the number of bits of the fingerprints from which keys are cut.
fn bits(pass: &Pass) -> Option<u64> {
    match pass.signature().args() {
        &[Argument::Count(bits)] => Some(bits),
        _ => None,
    }
}
