//! `agree`.

use crate::scheme::entries::signatures::FINGERPRINTS;
use crate::scheme::entry::{Entry, Form};

pub(crate) const ENTRY: Entry = Entry {
    number: Some(Form::Equals),
    signatures: FINGERPRINTS,
    lossy: true,
    meaning: "in how many bits the fingerprints are equal",
    paper: "Charikar 2002; Henzinger 2006",
    ..Entry::new("agree")
};
