//! `prefix:TAU`.

use crate::keys::{Keys, Prefix};
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::KeyFacts;
use crate::scheme::pass::Pass;
use crate::scheme::stage::{Argument, Stage};

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[ArgumentForm::Share { letter: "TAU", auto: true }],
    options: &["cap", "over"],
    check,
    key_facts: KeyFacts {
        complete: true,
        choose: |wanted| wanted.threshold().map(Argument::Share),
        make: |stage, _, _| match stage.args() {
            &[Argument::Share(threshold)] => Some(Keys::Prefix(Prefix { threshold })),
            _ => None,
        },
        ..KeyFacts::NONE
    },
    meaning: "the (1-TAU)n+1 smallest of n features; two sets of resemblance TAU or more always share one",
    paper: "Chaudhuri, Ganti, Kaushik 2006; Bayardo, Ma, Srikant 2007",
    ..Entry::new("prefix")
};

/// Checks keys that find every pair of a resemblance, but promise nothing for other measures.
pub(crate) fn check(stage: &Stage, pass: &Pass) -> Result<(), String> {
    let name = stage.name();
    let Some(least) = pass.least("resemblance", false) else {
        return Err(format!(
            "{name} keys meet only at a resemblance, so other pairs would be missed: add `resemblance>=NUMBER`, or use bands"
        ));
    };
    match stage.args() {
        [Argument::Share(tau)] if *tau > least => {
            Err(format!("{name}:{tau} misses pairs of resemblance {least}, which the measure accepts: write {name}:{least} or {name}:auto"))
        }
        _ => Ok(()),
    }
}
