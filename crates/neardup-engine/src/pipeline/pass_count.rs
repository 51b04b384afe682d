//! Counts of each pass of a run, as `run.json` stores them.

use crate::findings::decisions::DroppedDocuments;
use neardup_core::pass::compiled::CompiledPass;
use serde::Serialize;

/// Counts of one pass of a run.
#[derive(Clone, Debug, Serialize)]
pub struct PassCount {
    /// Number of input documents that the pass saw.
    pub documents: u64,
    /// Number of documents that the pass dropped. `None` for the last pass of a run that does not decide.
    pub dropped: Option<u64>,
    /// Digest of the lexicon that provides idf; `None` if the pass uses none.
    pub lexicon: Option<String>,
    /// Number of shingles that are left out as frame; `None` if the pass leaves none out.
    pub frame: Option<u64>,
    /// For every kind of keys, the number of documents above which a key is capped; `None` if no key is.
    pub caps: Vec<Option<u32>>,
}

impl PassCount {
    /// Returns the counts of all passes over `documents` documents of the input. The last pass drops documents only if the run
    /// `decides`.
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
