//! Text files, one document each.

use std::path::Path;

use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::format::{FileContent, FormatFacts, Packing};
use crate::formats::layout::{Layout, Reader};
use crate::formats::whole_files;
use crate::keep::{KeptFile, TextSlot};
use crate::readers::options::ReadOptions;
use crate::readers::read::Read;
use crate::readers::worker_pool::ChunkWork;
use crate::records::fields::Fields;
use crate::records::place::SourceSpan;
use crate::sources::source::Source;
use crate::sources::stream::BOM;
use crate::unit::PlaceUnit;

static PLAIN: FormatFacts = FormatFacts {
    suffixes: &["txt", "text", "md", "markdown", "rst", "log"],
    unit: PlaceUnit::File,
    content: FileContent::Text,
    packing: Packing::Whole,
    has_texts_in_place: true,
};

pub(crate) static TEXT: PlainFormat = PlainFormat(&PLAIN);

/// Files of one text each, with the facts of their format.
pub(crate) struct PlainFormat(pub(super) &'static FormatFacts);

impl Layout for PlainFormat {
    fn facts(&self) -> &'static FormatFacts {
        self.0
    }

    fn keep(&self, source: &Source, dropped: &[SourceSpan], target: &Path, threads: usize, control: &JobControl) -> Result<KeptFile> {
        whole_files::keep(source, dropped, target, threads, control)
    }

    fn text_slot(&self, _: &Source, _: &Fields) -> Result<Option<Box<dyn TextSlot>>> {
        Ok(Some(Box::new(WholeFile)))
    }

    fn is_rewritten(&self) -> bool {
        true
    }
}

impl<T: Send, E: From<Error> + Send> Reader<T, E> for PlainFormat {
    fn read(&self, sources: &[Source], fields: &Fields, options: &ReadOptions<'_>, work: &dyn ChunkWork<T, E>) -> Result<Read<T>, E> {
        whole_files::read(sources, fields, options, work)
    }
}

/// The text is the whole file.
struct WholeFile;

impl TextSlot for WholeFile {
    fn with_text(&self, record: &[u8], text: &str) -> Option<Vec<u8>> {
        let mark = if record.starts_with(BOM) { BOM } else { b"" };
        Some([mark, text.as_bytes()].concat())
    }
}
