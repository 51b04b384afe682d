//! `each`.

use super::Entry;

pub(super) const ENTRY: Entry = Entry {
    options: &["match", "cap", "over"],
    signatures: &["digest", "lexicons", "whole", "minima", "moduli", "levels", "supershingles"],
    meaning: "every value of the signature is a key",
    paper: "Broder, Glassman, Manasse, Zweig 1997; Shivakumar, Garcia-Molina 1995",
    ..Entry::new("each")
};
