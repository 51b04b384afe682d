//! `minhash:K`.

use crate::estimates::Estimate;
use crate::scheme::entry::{ArgumentForm, Entry, MOST_SLOTS};
use crate::scheme::facts::SignatureFacts;
use crate::scheme::options::refuse_weights;
use crate::signatures::{MinHash, Signature};

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[ArgumentForm::Count { letter: "K", least: 1, most: MOST_SLOTS, auto: true }],
    options: &["of", "seed"],
    check: refuse_weights,
    lossy: true,
    signature_facts: SignatureFacts {
        keys: &["bands"],
        measures: &["resemblance"],
        estimate: |stage, measure, bound| match measure {
            "resemblance" => Some((Estimate::Slots { slots: stage.count()? }, bound)),
            _ => None,
        },
        ..SignatureFacts::of::<MinHash>(|stage, context| {
            stage.count().map(|slots| Signature::MinHash(MinHash::new(slots as usize, context.seed)))
        })
    },
    meaning: "the smallest feature under each of K permutations",
    paper: "Broder 1997; Broder, Charikar, Frieze, Mitzenmacher 2000",
    ..Entry::new("minhash")
};
