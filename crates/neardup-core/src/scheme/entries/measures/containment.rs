//! `containment`.

use crate::scheme::entry::{ArgumentForm, Entry};

pub(crate) const ENTRY: Entry = Entry {
    number: Some(ArgumentForm::Number),
    signatures: &["moduli", "levels"],
    meaning: "|A n B| / min(|A|, |B|): a test holds when it holds for the smaller of the two in the larger",
    paper: "Broder, Glassman, Manasse, Zweig 1997",
    ..Entry::new("containment")
};
