use crate::records::place::SourceSpan;

/// A record that the caller's reader read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveRecord {
    /// The id, if it has one.
    pub id: Option<String>,
    /// The address, if it has one.
    pub url: Option<String>,
    /// The time as a date-time or date, if it has one.
    pub time: Option<String>,
    /// The record in its source: what the kept output leaves out when it is dropped.
    pub span: SourceSpan,
    /// What it holds.
    pub content: RecordContent,
    /// What is wrong with a text that was read as far as it goes; it is counted.
    pub flaw: Option<String>,
}

/// What a record of the caller's reader holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordContent {
    /// A text.
    Text(String),
    /// A document that cannot be used, and why.
    Refused(String),
    /// No document, and what else; it is counted, and takes no row.
    PassedOver(String),
}
