use crate::flaws::PassedOver;
use crate::readers::worker_pool::ReadChunks;
use crate::records::archive_record::ResponsePlace;
use crate::reject::Reject;
use crate::texts::fetch::CorpusTexts;
use crate::unit::PlaceUnit;

/// Result of reading a source.
#[derive(Debug)]
pub struct Read<T> {
    /// Unit in which rows are counted.
    pub unit: PlaceUnit,
    /// Results of the work on each chunk, in the order of the source.
    pub chunks: Vec<T>,
    /// Number of rows before each chunk, to be added to [`crate::Record::row`].
    pub rows_before: Vec<u64>,
    /// Number of rows of the source.
    pub rows: u64,
    /// Number of records that were worked on.
    pub records: u64,
    /// Records that cannot be used, in order. It is empty if such records stop the run.
    pub rejects: Vec<Reject>,
    /// Counts of the records that are no documents, by kind.
    pub passed_over: PassedOver,
    /// Counts of the texts that could be read only in part, by flaw.
    pub flaws: PassedOver,
    /// Rows of revisits, which have the text of the response to which they refer, and the places of these.
    pub revisits: Vec<(u64, ResponsePlace)>,
    /// The texts, which can be fetched again.
    pub texts: CorpusTexts,
}

impl<T> ReadChunks<T> {
    pub fn with(self, texts: CorpusTexts) -> Read<T> {
        let ReadChunks { unit, chunks, rows_before, rows, records, rejects, flaws } = self;
        Read { unit, chunks, rows_before, rows, records, rejects, passed_over: PassedOver::new(), flaws, revisits: Vec::new(), texts }
    }
}
