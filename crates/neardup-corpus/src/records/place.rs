use bytemuck::{Pod, Zeroable};

/// A run of bytes in a source as it reads when decompressed; of Parquet and batches: a run of rows, counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct SourceSpan {
    /// Where it begins.
    pub offset: u64,
    /// How long it is.
    pub len: u64,
}

impl SourceSpan {
    /// The first position after the run.
    pub fn end(self) -> u64 {
        self.offset + self.len
    }
}

/// Where one text can be fetched again by the [`crate::CorpusTexts`] of the same reading; 16 bytes without padding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct TextPlace {
    offset: u64,
    /// The length in bytes; the highest bit says that the text is as JSON with escapes.
    form_and_len: u32,
    part: u32,
}

const JSON: u32 = 1 << 31;

/// The longest text that a place can name, in bytes.
pub(crate) const LONGEST: usize = JSON as usize - 1;

impl TextPlace {
    /// A place for `len` bytes, at most [`LONGEST`].
    pub(crate) fn new(part: u32, offset: u64, len: usize, json: bool) -> TextPlace {
        debug_assert!(len <= LONGEST);
        TextPlace { offset, form_and_len: len as u32 | if json { JSON } else { 0 }, part }
    }

    /// The file, batch or spool part the text is in.
    pub(crate) fn part(self) -> u32 {
        self.part
    }

    pub(crate) fn offset(self) -> u64 {
        self.offset
    }

    /// The length of the text in bytes as it is, escapes unresolved.
    pub fn len(self) -> usize {
        (self.form_and_len & !JSON) as usize
    }

    /// Whether the text has no bytes.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Whether the text is as the inside of a JSON string with escapes.
    pub fn is_json(self) -> bool {
        self.form_and_len & JSON != 0
    }
}
