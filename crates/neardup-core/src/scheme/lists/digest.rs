//! `digest`.

use super::Entry;

pub(super) const ENTRY: Entry = Entry {
    options: &["seed"],
    meaning: "128 bits of BLAKE3 over the set of all features: equal digests mean equal sets",
    ..Entry::new("digest")
};
