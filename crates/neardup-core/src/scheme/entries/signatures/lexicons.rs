//! `lexicons:K,SHARE`.

use crate::keys::promise::Promise;
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::SignatureFacts;
use crate::scheme::options::refuse_weights;
use crate::scheme::stage::Argument;
use crate::signatures::{Lexicons, Signature};
use crate::util::ratio::Ratio;

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[
        ArgumentForm::Count { letter: "K", least: 1, most: 255, auto: false },
        ArgumentForm::Share { letter: "SHARE", auto: false },
    ],
    defaults: &[Argument::Count(10), Argument::Share(Ratio { numerator: 1, denominator: 3 })],
    options: &["seed"],
    lossy: true,
    check: |stage, pass| match stage.args() {
        [_, Argument::Share(share)] if *share == Ratio::ONE => {
            Err("a SHARE of 1 leaves every term out of every lexicon: write less, as 1/3".to_owned())
        }
        _ => refuse_weights(stage, pass),
    },
    signature_facts: SignatureFacts {
        keys: &["each"],
        most_values: |stage| if let &[Argument::Count(count), _] = stage.args() { Some(count + 1) } else { None },
        shared_value: |_| Promise::Nothing("a pair is found when digests of both are equal, which similar texts have by chance"),
        ..SignatureFacts::of::<Lexicons>(|stage, context| match stage.args() {
            &[Argument::Count(count), Argument::Share(share)] => {
                Some(Signature::Lexicons(Lexicons::new(count as usize, share, context.seed)))
            }
            _ => None,
        })
    },
    meaning: "K+1 digests: of all terms, and of those in each of K random lexicons that lack a SHARE of them; one equal digest is enough",
    paper: "Kołcz, Chowdhury, Alspector 2004",
    ..Entry::new("lexicons")
};
