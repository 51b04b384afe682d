//! `keywords:N,ORDER`.

use crate::features::{Features, Keywords};
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::FeatureFacts;
use crate::scheme::options::Weight;
use crate::scheme::pass::Pass;
use crate::scheme::stage::{Argument, Stage};

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[
        ArgumentForm::Count { letter: "N", least: 1, most: 1024, auto: false },
        ArgumentForm::Choice { letter: "ORDER", names: &["ranked", "sorted"] },
    ],
    defaults: &[Argument::Count(10), Argument::Name("ranked")],
    options: &["weight"],
    lossy: true,
    check,
    feature_facts: FeatureFacts {
        chosen_by_weight: true,
        make: |stage, context| {
            let &[Argument::Count(count), Argument::Name(order)] = stage.args() else { return Ok(None) };
            let (ranked, weigher) = (order == "ranked", context.weigher.clone());
            Ok(Some(Features::Keywords(Keywords { count: count as usize, ranked, weigher })))
        },
        ..FeatureFacts::NONE
    },
    meaning: "the N terms with the greatest weights: ranked ones are compared in order, sorted ones in any order",
    paper: "Tianwang, Peking University",
    ..Entry::new("keywords")
};

fn check(stage: &Stage, pass: &Pass) -> Result<(), String> {
    if stage.options().weight() == Weight::One {
        return Err("keywords are those that weigh most: add weight=idf:corpus, weight=idf:FILE or weight=tf".to_owned());
    }
    let sums = |signature: &&Stage| signature.sums() && signature.options().of().is_none();
    match pass.signatures().iter().find(sums) {
        Some(signature) => Err(format!("{} sums up the weights of all terms, not of a few: write terms", signature.name())),
        None => Ok(()),
    }
}
