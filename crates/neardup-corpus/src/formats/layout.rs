//! Interface of a format.

use std::path::Path;

use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::format::FormatFacts;
use crate::keep::{self, Added, AddedEdit, KeptFile, RecordEdit, TextSlot};
use crate::readers::options::ReadOptions;
use crate::readers::read::Read;
use crate::readers::worker_pool::ChunkWork;
use crate::records::fields::Fields;
use crate::records::place::SourceSpan;
use crate::sources::source::Source;

/// A format: its facts, and how its files are kept.
pub(crate) trait Layout: Sync {
    /// Returns the facts of the format.
    fn facts(&self) -> &'static FormatFacts;

    /// Returns the names of the fields of a source. If records name their fields, these are the fields of the first record. The
    /// list is empty if there are no fields.
    fn field_names(&self, source: &Source, fields: &Fields) -> Result<Vec<String>> {
        let _ = (source, fields);
        Ok(Vec::new())
    }

    /// Writes a source without the records in `dropped`, see [`crate::keep`].
    fn keep(&self, source: &Source, dropped: &[SourceSpan], target: &Path, threads: usize, control: &JobControl) -> Result<KeptFile> {
        keep::cut(source, dropped, target, threads, control)
    }

    /// Returns where the text is in the bytes of a record. Returns `None` if the text cannot be replaced or there is no such field.
    fn text_slot(&self, source: &Source, fields: &Fields) -> Result<Option<Box<dyn TextSlot>>> {
        let _ = (source, fields);
        Ok(None)
    }

    /// Whether its files can be rewritten with other texts, of whichever field.
    fn is_rewritten(&self) -> bool {
        false
    }

    /// Whether the text of these fields can be replaced in a source whose format [is rewritten](Self::is_rewritten).
    fn replaces_text(&self, source: &Source, fields: &Fields) -> Result<bool> {
        let _ = (source, fields);
        Ok(true)
    }

    /// Writes a source with other texts in some records and without others, see [`crate::rewrite`].
    fn rewrite(
        &self,
        source: &Source,
        fields: &Fields,
        edits: &mut dyn Iterator<Item = Result<RecordEdit>>,
        last: Option<SourceSpan>,
        target: &Path,
        control: &JobControl,
    ) -> Result<KeptFile> {
        let _ = last;
        let changed = || Error::Changed { path: source.path.clone() };
        let slot = self.text_slot(source, fields)?.ok_or_else(changed)?;
        let edit = |record: &[u8], text: &String| slot.with_text(record, text).ok_or_else(changed);
        keep::edit(source, &edit, edits, target, control)
    }

    /// Whether fields can be added to the records of its files.
    fn is_extended(&self) -> bool {
        false
    }

    /// Writes a source with more fields in its records and without some records, see [`crate::extend`].
    fn extend(
        &self,
        source: &Source,
        fields: &Fields,
        added: Added<'_>,
        edits: &mut dyn Iterator<Item = Result<AddedEdit>>,
        target: &Path,
        control: &JobControl,
    ) -> Result<KeptFile> {
        let _ = (fields, added, edits, target, control);
        Err(Error::Unsupported { name: source.name.clone(), reason: "the format has no fields that could be added" })
    }

    /// Whether files of the format may follow each other in one stream.
    fn is_joined(&self) -> bool {
        false
    }

    /// Returns the number of decompressed bytes before the first record of a source, if a stream of several sources has them once:
    /// a byte order mark or the header of a table.
    fn lead(&self, source: &Source, fields: &Fields) -> Result<u64> {
        let _ = (source, fields);
        Ok(0)
    }
}

/// A format whose files are read.
pub(crate) trait Reader<T, E>: Layout {
    /// Reads sources that are read together, at least one. See [`crate::read`].
    fn read(&self, sources: &[Source], fields: &Fields, options: &ReadOptions<'_>, work: &dyn ChunkWork<T, E>) -> Result<Read<T>, E>;
}
