//! `whole`.

use crate::keys::promise::Promise;
use crate::scheme::entry::Entry;
use crate::scheme::facts::SignatureFacts;
use crate::scheme::options::refuse_weights;
use crate::scheme::test::Test;
use crate::signatures::{Signature, Whole};

pub(crate) const ENTRY: Entry = Entry {
    options: &["seed"],
    check: refuse_weights,
    signature_facts: SignatureFacts {
        keys: &["each", "prefix", "lengths"],
        shared_value: |pass| {
            if pass.measure.iter().any(Test::asks_for_a_shared_feature) { Promise::Exact } else { Promise::Sharing }
        },
        ..SignatureFacts::of::<Whole>(|_, _| Some(Signature::Whole(Whole)))
    },
    meaning: "the whole feature set, for joins that miss nothing",
    ..Entry::new("whole")
};
