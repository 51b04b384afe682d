//! Text files, one document each.

use std::path::Path;

use crate::control::Control;
use crate::error::{Error, Result};
use crate::format::{Content, Facts};
use crate::formats::layout::{Layout, Reader};
use crate::formats::whole_files;
use crate::keep::{Kept, TextSlot};
use crate::readers::options::ReadOptions;
use crate::readers::read::Read;
use crate::readers::worker_pool::Work;
use crate::records::fields::Fields;
use crate::records::place::Span;
use crate::sources::source::Source;
use crate::sources::stream::BOM;
use crate::unit::Unit;

static PLAIN: Facts =
    Facts { suffixes: &["txt", "md"], unit: Unit::File, content: Content::Text, is_packable: true, has_texts_in_place: true };

pub(crate) struct Plain;

impl Layout for Plain {
    fn facts(&self) -> &'static Facts {
        &PLAIN
    }

    fn keep(&self, source: &Source, dropped: &[Span], target: &Path, threads: usize, control: &Control) -> Result<Kept> {
        whole_files::keep(source, dropped, target, threads, control)
    }

    fn text_slot(&self, _: &Source, _: &Fields) -> Result<Option<Box<dyn TextSlot>>> {
        Ok(Some(Box::new(Whole)))
    }

    fn is_rewritten(&self) -> bool {
        true
    }
}

impl<T: Send, E: From<Error> + Send> Reader<T, E> for Plain {
    fn read(&self, sources: &[Source], _: &Fields, options: &ReadOptions<'_>, work: &dyn Work<T, E>) -> Result<Read<T>, E> {
        whole_files::read(sources, options, work)
    }
}

/// The text is all of the file.
struct Whole;

impl TextSlot for Whole {
    fn with_text(&self, record: &[u8], text: &str) -> Option<Vec<u8>> {
        let mark = if record.starts_with(BOM) { BOM } else { b"" };
        Some([mark, text.as_bytes()].concat())
    }
}
