//! The documents of an index as record batches, made while they are asked for.

use arrow::array::{ArrayRef, RecordBatch, StringBuilder, TimestampMicrosecondBuilder};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use arrow::error::ArrowError;
use neardup_live::index::Index;
use neardup_live::row::Row;
use neardup_live::verdict::name;
use std::sync::Arc;

/// Bytes of text from which on a batch is full.
const BYTES: usize = 4 << 20;
/// And documents.
const ROWS: usize = 1 << 13;

/// Goes through the documents of an index in order of arrival; what is added meanwhile is seen, too.
pub struct IndexRows {
    index: Arc<Index>,
    /// The number of arrival from which on documents are still to come.
    next: u64,
}

impl IndexRows {
    /// All documents of an index.
    pub fn new(index: Arc<Index>) -> Self {
        IndexRows { index, next: 0 }
    }

    /// The columns id, text, url, time.
    pub fn schema() -> SchemaRef {
        let time = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
        let columns = [("id", DataType::Utf8, false), ("text", DataType::Utf8, false), ("url", DataType::Utf8, true), ("time", time, true)];
        Arc::new(Schema::new(columns.map(|(name, kind, nullable)| Field::new(name, kind, nullable)).to_vec()))
    }

    fn batch(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        let (mut ids, mut texts, mut urls) = (StringBuilder::new(), StringBuilder::new(), StringBuilder::new());
        let mut times = TimestampMicrosecondBuilder::new().with_timezone("UTC");
        let (contents, mut rows, mut bytes) = (self.index.contents(), 0, 0);
        for number in contents.living_from(self.next) {
            if rows == ROWS || bytes >= BYTES {
                break;
            }
            let row: Row<'_> = contents.holdings.stock.row(number);
            ids.append_value(name(&row));
            texts.append_value(String::from_utf8_lossy(row.text));
            urls.append_option(Some(String::from_utf8_lossy(row.url)).filter(|url| !url.is_empty()));
            times.append_option(row.has_time().then_some(row.time));
            (rows, bytes, self.next) = (rows + 1, bytes + row.text.len(), row.serial + 1);
        }
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
