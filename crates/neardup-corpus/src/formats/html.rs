//! Files of HTML, one document each.

use std::path::Path;

use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::format::{FileContent, FormatFacts, Packing};
use crate::formats::layout::{Layout, Reader};
use crate::formats::whole_files;
use crate::keep::KeptFile;
use crate::readers::options::ReadOptions;
use crate::readers::read::Read;
use crate::readers::worker_pool::ChunkWork;
use crate::records::fields::Fields;
use crate::records::place::SourceSpan;
use crate::sources::source::Source;
use crate::unit::PlaceUnit;

static HTML: FormatFacts = FormatFacts {
    suffixes: &["html", "htm"],
    unit: PlaceUnit::File,
    content: FileContent::Html,
    packing: Packing::Whole,
    has_texts_in_place: false,
};

pub(crate) struct Html;

impl Layout for Html {
    fn facts(&self) -> &'static FormatFacts {
        &HTML
    }

    fn keep(&self, source: &Source, dropped: &[SourceSpan], target: &Path, threads: usize, control: &JobControl) -> Result<KeptFile> {
        whole_files::keep(source, dropped, target, threads, control)
    }
}

impl<T: Send, E: From<Error> + Send> Reader<T, E> for Html {
    fn read(&self, sources: &[Source], fields: &Fields, options: &ReadOptions<'_>, work: &dyn ChunkWork<T, E>) -> Result<Read<T>, E> {
        whole_files::read(sources, fields, options, work)
    }
}
