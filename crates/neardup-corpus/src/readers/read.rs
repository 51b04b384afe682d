use std::collections::BTreeMap;

use crate::readers::worker_pool::ReadChunks;
use crate::reject::Reject;
use crate::texts::fetch::CorpusTexts;
use crate::unit::PlaceUnit;

/// What reading left.
#[derive(Debug)]
pub struct Read<T> {
    /// What rows are counted in.
    pub unit: PlaceUnit,
    /// What the work gave for each chunk, in the order of the source.
    pub chunks: Vec<T>,
    /// For each chunk the rows before it: add it to [`crate::Record::row`].
    pub rows_before: Vec<u64>,
    /// All rows of the source.
    pub rows: u64,
    /// All records that were worked on.
    pub records: u64,
    /// The records that could not be used, in order; empty when such records stop the run.
    pub rejects: Vec<Reject>,
    /// Records that are no documents, by what they are.
    pub passed_over: PassedOver,
    /// Texts that were read as far as they go, by what is wrong with them.
    pub flaws: PassedOver,
    /// The texts, to be fetched again.
    pub texts: CorpusTexts,
}

/// How many records of a source there are of a kind: those that are no documents by what they are, or flawed texts by their flaws.
pub type PassedOver = BTreeMap<String, u64>;

impl<T> ReadChunks<T> {
    pub fn with(self, texts: CorpusTexts) -> Read<T> {
        let ReadChunks { unit, chunks, rows_before, rows, records, rejects } = self;
        Read { unit, chunks, rows_before, rows, records, rejects, passed_over: PassedOver::new(), flaws: PassedOver::new(), texts }
    }
}
