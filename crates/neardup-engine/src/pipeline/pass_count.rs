//! What each pass of a run saw and did, as `run.json` has it.

use crate::findings::decisions::DroppedDocuments;
use neardup_core::pass::compiled::CompiledPass;
use serde::Serialize;

/// One pass of a run.
#[derive(Clone, Debug, Serialize)]
pub struct PassCount {
    /// Documents of the input that it saw.
    pub documents: u64,
    /// Those that it dropped, for those that a later one sees or for good; of the last one None when it is not wanted.
    pub dropped: Option<u64>,
    /// The digest of the lexicon that idf was taken from.
    pub lexicon: Option<String>,
    /// How many shingles are frame and left out; None where the pass leaves none out.
    pub frame: Option<u64>,
    /// For every kind of keys: one of more documents than this is capped; None where no key is.
    pub caps: Vec<Option<u32>>,
}

impl PassCount {
    /// Those of all passes over `documents` of the input; the last one drops only where the run `decides`.
    pub fn all(passes: &[CompiledPass], documents: usize, verdicts: &DroppedDocuments, decides: bool) -> Vec<PassCount> {
        let mut documents = documents as u64;
        let of_pass = |(number, pass): (usize, &CompiledPass)| {
            let dropped = verdicts.dropped.iter().filter(|dropped| dropped.pass as usize == number).count() as u64;
            let seen = documents;
            documents -= dropped;
            PassCount {
                documents: seen,
                dropped: Some(dropped).filter(|_| decides || number + 1 < passes.len()),
                lexicon: pass.weigher.lexicon().map(|lexicon| lexicon.digest().to_owned()),
                frame: pass.features.frame().map(|frame| frame.terms().len() as u64),
                caps: pass.kinds.iter().map(|kind| kind.cap).collect(),
            }
        };
        passes.iter().enumerate().map(of_pass).collect()
    }
}
