//! `terms:LOW,HIGH`.

use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::options::Weight;
use crate::scheme::pass::Pass;
use crate::scheme::stage::{Argument, Stage};
use crate::util::ratio::Ratio;

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[ArgumentForm::Fraction { letter: "LOW" }, ArgumentForm::Fraction { letter: "HIGH" }],
    defaults: &[Argument::Share(Ratio::ZERO), Argument::Share(Ratio::ONE)],
    options: &["weight"],
    lossy: true,
    remedy: "write percentiles nearer to 0 and 1",
    check,
    chosen_by_weight: true,
    meaning: "the distinct tokens; with LOW or HIGH only those whose idf lies between these percentiles, both included",
    paper: "Chowdhury, Frieder, Grossman, McCabe 2002",
    ..Entry::new("terms")
};

fn check(stage: &Stage, _: &Pass) -> Result<(), String> {
    let &[Argument::Share(low), Argument::Share(high)] = stage.args() else {
        return Ok(());
    };
    if low > high {
        return Err(format!("no term lies above {low} and below {high}: write the lower percentile first"));
    }
    match stage.options().weight() {
        Weight::Rarity(_) => Ok(()),
        _ if low == Ratio::ZERO && high == Ratio::ONE => Ok(()),
        _ => Err("percentiles are of idf, which a lexicon provides: add weight=idf:corpus, or weight=idf:FILE".to_owned()),
    }
}
