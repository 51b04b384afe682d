//! `each`.

use crate::scheme::entry::Entry;
use crate::scheme::pass::Pass;
use crate::scheme::stage::{Argument, Stage};

pub(crate) const ENTRY: Entry = Entry {
    options: &["match", "cap", "over"],
    signatures: &["digest", "lexicons", "whole", "minima", "moduli", "levels", "supershingles"],
    check,
    meaning: "every value of the signature is a key",
    paper: "Broder, Glassman, Manasse, Zweig 1997; Shivakumar, Garcia-Molina 1995",
    ..Entry::new("each")
};

fn check(stage: &Stage, pass: &Pass) -> Result<(), String> {
    let signature = pass.signature();
    let most = match (signature.name(), signature.args()) {
        ("digest", _) => 1,
        ("lexicons", &[Argument::Count(count), _]) => count + 1,
        ("minima", &[Argument::Count(size)]) => size,
        ("supershingles", &[Argument::Count(size), Argument::Count(width)]) => size - width + 1,
        _ => return Ok(()),
    };
    let matches = stage.options().matches();
    if matches > most {
        return Err(format!("match={matches} can never be met by `{signature}`: a document has {most} of its values at most"));
    }
    Ok(())
}
