//! Files of HTML, one document each.

use std::path::Path;

use crate::control::Control;
use crate::error::{Error, Result};
use crate::format::{Content, Facts};
use crate::formats::layout::{Layout, Reader};
use crate::formats::whole_files;
use crate::keep::Kept;
use crate::readers::options::ReadOptions;
use crate::readers::read::Read;
use crate::readers::worker_pool::Work;
use crate::records::fields::Fields;
use crate::records::place::Span;
use crate::sources::source::Source;
use crate::unit::Unit;

static HTML: Facts =
    Facts { suffixes: &["html", "htm"], unit: Unit::File, content: Content::Html, is_packable: true, has_texts_in_place: false };

pub(crate) struct Html;

impl Layout for Html {
    fn facts(&self) -> &'static Facts {
        &HTML
    }

    fn keep(&self, source: &Source, dropped: &[Span], target: &Path, threads: usize, control: &Control) -> Result<Kept> {
        whole_files::keep(source, dropped, target, threads, control)
    }
}

impl<T: Send, E: From<Error> + Send> Reader<T, E> for Html {
    fn read(&self, sources: &[Source], _: &Fields, options: &ReadOptions<'_>, work: &dyn Work<T, E>) -> Result<Read<T>, E> {
        whole_files::read(sources, options, work)
    }
}
