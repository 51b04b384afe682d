//! `each`.

use crate::keys::{EachValue, Keys};
use crate::scheme::entry::Entry;
use crate::scheme::facts::KeyFacts;
use crate::scheme::pass::Pass;
use crate::scheme::stage::Stage;

pub(crate) const ENTRY: Entry = Entry {
    options: &["match", "cap", "over"],
    check,
    key_facts: KeyFacts {
        by_value: true,
        make: |stage, _, signature| Some(Keys::Each(EachValue { least: stage.options().matches() * signature.values_per_key() })),
        ..KeyFacts::NONE
    },
    meaning: "every value of the signature is a key",
    paper: "Broder, Glassman, Manasse, Zweig 1997; Shivakumar, Garcia-Molina 1995",
    ..Entry::new("each")
};

fn check(stage: &Stage, pass: &Pass) -> Result<(), String> {
    let (signature, matches) = (pass.signature(), stage.options().matches());
    if let Some(most) = signature.most_values().filter(|&most| matches > most) {
        return Err(format!("match={matches} can never be met by `{signature}`: a document has {most} of its values at most"));
    }
    Ok(())
}
