//! The documents of an index as record batches, which are made on request.

use arrow_array::builder::{StringBuilder, TimestampMicrosecondBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef, TimeUnit};
use neardup_live::decide::verdict::name;
use neardup_live::documents::row::DocumentRow;
use neardup_live::index::sharded::ShardSet;
use std::sync::Arc;

/// Number of bytes of text from which a batch is full.
const BYTES: usize = 4 << 20;
/// Number of documents from which a batch is full.
const ROWS: usize = 1 << 13;

/// Iterates over the documents of an index in order of arrival, including those that are added meanwhile.
pub struct IndexRows {
    index: Arc<ShardSet>,
    /// Number of arrival from which documents are still to be returned.
    next: u64,
}

impl IndexRows {
    /// Returns all documents of an index.
    pub fn new(index: Arc<ShardSet>) -> Self {
        IndexRows { index, next: 0 }
    }

    /// Returns the columns id, text, url and time.
    pub fn schema() -> SchemaRef {
        let time = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
        let columns = [("id", DataType::Utf8, false), ("text", DataType::Utf8, false), ("url", DataType::Utf8, true), ("time", time, true)];
        Arc::new(Schema::new(columns.map(|(name, kind, nullable)| Field::new(name, kind, nullable)).to_vec()))
    }

    fn batch(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        let (mut ids, mut texts, mut urls) = (StringBuilder::new(), StringBuilder::new(), StringBuilder::new());
        let mut times = TimestampMicrosecondBuilder::new().with_timezone("UTC");
        let mut rows = 0;
        let external = |error: neardup_live::Error| ArrowError::ExternalError(Box::new(error));
        let next = self.index.look(|contents| {
            let (mut next, mut bytes) = (self.next, 0);
            for number in contents.living_from(next) {
                if rows == ROWS || bytes >= BYTES {
                    break;
                }
                let row: DocumentRow<'_> = contents.index_state.document_table.row(number);
                let text = if row.is_whole() { String::from_utf8_lossy(row.text) } else { self.index.text(row.serial)?.into() };
                ids.append_value(name(&row));
                urls.append_option(Some(String::from_utf8_lossy(row.url)).filter(|url| !url.is_empty()));
                times.append_option(row.has_time().then_some(row.time));
                (rows, bytes, next) = (rows + 1, bytes + text.len(), row.serial + 1);
                texts.append_value(text);
            }
            Ok(next)
        });
        self.next = next.flatten().map_err(external)?;
        let columns: Vec<ArrayRef> =
            vec![Arc::new(ids.finish()), Arc::new(texts.finish()), Arc::new(urls.finish()), Arc::new(times.finish())];
        (rows > 0).then(|| RecordBatch::try_new(Self::schema(), columns)).transpose()
    }
}

impl Iterator for IndexRows {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batch().transpose()
    }
}
