use crate::records::place::SourceSpan;

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
    /// What is wrong with a text of which only a part could be read. Flaws are counted.
    pub flaw: Option<String>,
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
