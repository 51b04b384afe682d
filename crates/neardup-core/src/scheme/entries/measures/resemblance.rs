//! `resemblance`.

use crate::scheme::entry::{ArgumentForm, Entry};

pub(crate) const ENTRY: Entry = Entry {
    number: Some(ArgumentForm::Number),
    signatures: &["minhash", "minima", "moduli", "levels"],
    meaning: "|A n B| / |A u B|, the share of all features that both have",
    paper: "Jaccard 1901; Broder, Glassman, Manasse, Zweig 1997",
    ..Entry::new("resemblance")
};
