use crate::records::place::SourceSpan;

/// A record with its new text. A record without a new text is dropped.
pub type RecordEdit = (SourceSpan, Option<String>);

/// The kept output of one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptFile {
    /// Size of the written file, or 0 if none was written.
    pub bytes: u64,
    /// Whether a file was written. A dropped file that is one document is not written, nor is a columnar file of which nothing can
    /// be read.
    pub written: bool,
}

/// Place of the text in the bytes of a record.
pub(crate) trait TextSlot {
    /// Returns the bytes of `record` with another text, or `None` if they are not a record with a text.
    fn with_text(&self, record: &[u8], text: &str) -> Option<Vec<u8>>;
}
