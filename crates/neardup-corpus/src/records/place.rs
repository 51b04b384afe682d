use bytemuck::{Pod, Zeroable};

use crate::reject::Reject;

/// A run of bytes in a decompressed source. In Parquet and batches it is a run of rows, counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct SourceSpan {
    /// Where the run begins.
    pub offset: u64,
    /// Length of the run.
    pub len: u64,
}

impl SourceSpan {
    /// Returns the first position after the run.
    pub fn end(self) -> u64 {
        self.offset + self.len
    }

    /// Returns the place of a record that cannot be used; `None` for a whole file that cannot be read.
    pub fn of_reject(reject: &Reject) -> Option<SourceSpan> {
        (reject.len > 0).then_some(SourceSpan { offset: reject.offset, len: reject.len })
    }
}

/// Place from which the [`crate::CorpusTexts`] of the same reading fetches one text again. It has 16 bytes, without padding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct TextPlace {
    offset: u64,
    /// Length in bytes. The highest bit is set if the text is JSON with escapes.
    form_and_len: u32,
    part: u32,
}

const JSON: u32 = 1 << 31;

/// Length of the longest text that a place can describe, in bytes.
pub(crate) const LONGEST: usize = JSON as usize - 1;

impl TextPlace {
    /// Returns the place of a text of `len` bytes, at most [`LONGEST`].
    pub(crate) fn new(part: u32, offset: u64, len: usize, json: bool) -> TextPlace {
        debug_assert!(len <= LONGEST);
        TextPlace { offset, form_and_len: len as u32 | if json { JSON } else { 0 }, part }
    }

    /// Returns the number of the file, batch or spool part that contains the text.
    pub(crate) fn part(self) -> u32 {
        self.part
    }

    pub(crate) fn offset(self) -> u64 {
        self.offset
    }

    /// Returns the length of the stored text in bytes, with escapes unresolved.
    pub fn len(self) -> usize {
        (self.form_and_len & !JSON) as usize
    }

    /// Whether the text has no bytes.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Whether the text is the inside of a JSON string, with escapes.
    pub fn is_json(self) -> bool {
        self.form_and_len & JSON != 0
    }
}
