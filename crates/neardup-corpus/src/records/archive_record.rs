use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::records::place::SourceSpan;

/// Place of a response to which a revisit refers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ResponsePlace {
    /// The archive.
    pub path: PathBuf,
    /// Where the record begins, in bytes of the archive as it is stored.
    pub offset: u64,
}

/// A record that the caller's reader returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveRecord {
    /// Id of the record, if it has one.
    pub id: Option<String>,
    /// Address of the record, if it has one.
    pub url: Option<String>,
    /// Time of the record as a date-time or date, if it has one.
    pub time: Option<String>,
    /// Span of the record in its source, which the kept output omits if the record is dropped.
    pub span: SourceSpan,
    /// Content of the record.
    pub content: RecordContent,
    /// Place of the response of a record that is a revisit.
    pub response: Option<ResponsePlace>,
    /// What is wrong with a text, or was guessed to read it. Flaws are counted.
    pub flaws: Vec<String>,
}

/// Content of a record that the caller's reader returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordContent {
    /// A text.
    Text(String),
    /// A document that cannot be used, with the reason.
    Refused(String),
    /// A record that is no document, with its kind. It is counted, and has no row.
    PassedOver(String),
}
