//! `spots:C,D`.

use crate::features::spots::LONGEST;
use crate::features::{Features, Spots};
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::FeatureFacts;
use crate::scheme::pass::Pass;
use crate::scheme::stage::{Argument, Stage};
use std::sync::Arc;

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[
        ArgumentForm::Count { letter: "C", least: 1, most: LONGEST as u64, auto: false },
        ArgumentForm::Count { letter: "D", least: 1, most: 64, auto: false },
    ],
    defaults: &[Argument::Count(2), Argument::Count(1)],
    options: &["antecedents"],
    lossy: true,
    check,
    feature_facts: FeatureFacts {
        remedy: "write antecedents= of the language of the documents: en, ko, zh, de, fr, es or file:PATH",
        make: |stage, context| {
            let &[Argument::Count(chain), Argument::Count(distance)] = stage.args() else { return Ok(None) };
            let antecedents = Arc::new(stage.options().antecedents().open(context.rules, context.seed)?);
            Ok(Some(Features::Spots(Spots { antecedents, chain: chain as usize, distance: distance as usize })))
        },
        ..FeatureFacts::NONE
    },
    meaning: "the bag of spots: an antecedent and every D-th of the words after it that are not stop words, C of them",
    paper: "Theobald, Siddharth, Paepcke 2008",
    ..Entry::new("spots")
};

fn check(_: &Stage, pass: &Pass) -> Result<(), String> {
    let unit = pass.token_rules().unit;
    if unit.is_of_words() {
        Ok(())
    } else {
        Err(format!("spots are found between words, not between {unit}: write words, eojeol or segmented"))
    }
}
