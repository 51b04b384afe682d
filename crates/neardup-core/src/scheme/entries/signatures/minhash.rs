//! `minhash:K`.

use crate::estimates::Estimate;
use crate::scheme::entry::{ArgumentForm, Entry, MOST_SLOTS};
use crate::scheme::options::refuse_weights;

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[ArgumentForm::Count { letter: "K", least: 1, most: MOST_SLOTS, auto: true }],
    options: &["of", "seed"],
    check: refuse_weights,
    lossy: true,
    estimate: |stage, measure, bound| match measure {
        "resemblance" => Some((Estimate::Slots { slots: stage.count()? }, bound)),
        _ => None,
    },
    meaning: "the smallest feature under each of K permutations",
    paper: "Broder 1997; Broder, Charikar, Frieze, Mitzenmacher 2000",
    ..Entry::new("minhash")
};
