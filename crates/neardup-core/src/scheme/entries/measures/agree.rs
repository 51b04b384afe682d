//! `agree`.

use crate::scheme::entries::signatures::FINGERPRINTS;
use crate::scheme::entry::{ArgumentForm, Entry};

pub(crate) const ENTRY: Entry = Entry {
    number: Some(ArgumentForm::Equals),
    signatures: FINGERPRINTS,
    lossy: true,
    meaning: "in how many bits the fingerprints are equal",
    paper: "Charikar 2002; Henzinger 2006",
    ..Entry::new("agree")
};
