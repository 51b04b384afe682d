//! `terms:LOW,HIGH`.

use crate::features::{Features, IdfBand, Terms};
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::FeatureFacts;
use crate::scheme::options::Weight;
use crate::scheme::pass::Pass;
use crate::scheme::stage::{Argument, Stage};
use crate::util::ratio::Ratio;
use std::sync::Arc;

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[ArgumentForm::Fraction { letter: "LOW" }, ArgumentForm::Fraction { letter: "HIGH" }],
    defaults: &[Argument::Share(Ratio::ZERO), Argument::Share(Ratio::ONE)],
    options: &["weight"],
    lossy: true,
    check,
    feature_facts: FeatureFacts {
        remedy: "write percentiles nearer to 0 and 1",
        chosen_by_weight: true,
        make: |stage, context| {
            let &[Argument::Share(low), Argument::Share(high)] = stage.args() else { return Ok(None) };
            let is_banded = low != Ratio::ZERO || high != Ratio::ONE;
            let lexicon = context.weigher.lexicon().filter(|_| is_banded);
            let band = lexicon.map(|lexicon| IdfBand { lexicon: Arc::clone(lexicon), idf: lexicon.band(low, high) });
            Ok(Some(Features::Terms(Terms { band })))
        },
        ..FeatureFacts::NONE
    },
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
