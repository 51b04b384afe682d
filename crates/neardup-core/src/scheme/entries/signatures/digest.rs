//! `digest:HASH`.

use crate::keys::promise::Promise;
use crate::scheme::entry::{ArgumentForm, Entry};
use crate::scheme::facts::SignatureFacts;
use crate::scheme::options::refuse_weights;
use crate::scheme::stage::Argument;
use crate::signatures::{Digest, SetHash, Signature};

pub(crate) const ENTRY: Entry = Entry {
    arguments: &[ArgumentForm::Choice { letter: "HASH", names: &["blake3", "sha1", "md5"] }],
    defaults: &[Argument::Name("blake3")],
    options: &["seed"],
    check: refuse_weights,
    signature_facts: SignatureFacts {
        keys: &["each"],
        most_values: |_| Some(1),
        shared_value: |_| Promise::Nothing("a pair is found when digests of both are equal, which similar texts have by chance"),
        ..SignatureFacts::of::<Digest>(|stage, _| match stage.args() {
            &[Argument::Name(name)] => Some(Signature::Digest(Digest { hash: hash(name) })),
            _ => None,
        })
    },
    meaning: "128 bits of a hash over the set of all features: equal digests mean equal sets",
    paper: "SHA-1: Chowdhury, Frieder, Grossman, McCabe 2002; MD5: Tianwang, Peking University",
    ..Entry::new("digest")
};

fn hash(name: &str) -> SetHash {
    match name {
        "md5" => SetHash::Md5,
        "sha1" => SetHash::Sha1,
        _ => SetHash::Blake3,
    }
}
