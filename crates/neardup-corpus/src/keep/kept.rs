use crate::records::place::SourceSpan;

/// A record that gets another text, or goes.
pub type RecordEdit = (SourceSpan, Option<String>);

/// What was written of one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptFile {
    /// The size of the written file; 0 when none was.
    pub bytes: u64,
    /// Whether there is a file at all: a file that is one document is not written when that is dropped, nor is a table of columns of
    /// which nothing can be read.
    pub written: bool,
}

/// Where the text is in the bytes of a record.
pub(crate) trait TextSlot {
    /// The bytes of a record with another text; None when they are none with a text.
    fn with_text(&self, record: &[u8], text: &str) -> Option<Vec<u8>>;
}
