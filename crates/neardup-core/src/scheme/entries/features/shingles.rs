//! `shingles:W`.

use crate::features::{Features, Rabin, Shingles};
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::FeatureFacts;
use crate::scheme::frame::check;
use crate::scheme::options::FeatureHash;

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[ArgumentForm::Count { letter: "W", least: 1, most: 64, auto: false }],
    options: &["weight", "hash", "frame"],
    check,
    feature_facts: FeatureFacts {
        make: |stage, context| {
            let Some(width) = stage.count().map(|width| width as usize) else { return Ok(None) };
            Ok(Some(match stage.options().hash() {
                FeatureHash::Rabin => Features::Rabin(Rabin::new(width, context.seed)),
                FeatureHash::Mix => Features::Shingles(Shingles { width, frame: context.frame.clone() }),
            }))
        },
        ..FeatureFacts::NONE
    },
    meaning: "the set of runs of W consecutive tokens, each by a hash of 64 bits, or with hash=rabin of 40; with frame= without those of a host's frame",
    paper: "Broder, Glassman, Manasse, Zweig 1997; Rabin 1981",
    ..Entry::new("shingles")
};
