//! `supershingles:S,W`.

use crate::keys::promise::Promise;
use crate::scheme::entry::{ArgumentForm, Entry, MOST_SAMPLE};
use crate::scheme::facts::SignatureFacts;
use crate::scheme::options::refuse_weights;
use crate::scheme::pass::Pass;
use crate::scheme::stage::{Argument, Stage};
use crate::signatures::{Signature, SuperShingles};

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[
        ArgumentForm::Count { letter: "S", least: 1, most: MOST_SAMPLE, auto: false },
        ArgumentForm::Count { letter: "W", least: 1, most: 1024, auto: false },
    ],
    defaults: &[Argument::Count(200), Argument::Count(14)],
    options: &["seed"],
    check,
    lossy: true,
    signature_facts: SignatureFacts {
        keys: &["each"],
        most_values: |stage| match stage.args() {
            &[Argument::Count(size), Argument::Count(width)] => Some(size - width + 1),
            _ => None,
        },
        shared_value: |_| Promise::Nothing("a pair is found when it shares a super-shingle, which similar texts do by chance"),
        ..SignatureFacts::of::<SuperShingles>(|stage, _| match stage.args() {
            &[Argument::Count(size), Argument::Count(width)] => {
                Some(Signature::SuperShingles(SuperShingles { size: size as usize, width: width as usize }))
            }
            _ => None,
        })
    },
    meaning: "runs of W of the S smallest features in order, each hashed: texts that share one are alike; 200,14 unless written",
    paper: "Broder, Glassman, Manasse, Zweig 1997",
    ..Entry::new("supershingles")
};

fn check(stage: &Stage, pass: &Pass) -> Result<(), String> {
    match stage.args() {
        &[Argument::Count(size), Argument::Count(width)] if width > size => {
            Err(format!("{size} minima have no run of {width}: write a W from 1 to {size}"))
        }
        _ => refuse_weights(stage, pass),
    }
}
