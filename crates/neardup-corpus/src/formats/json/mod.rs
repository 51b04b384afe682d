//! JSON lines, and JSON files of other shapes.

mod added_members;
mod array_edits;
pub(crate) mod cutter;
mod finite;
pub(crate) mod library;
pub(crate) mod lines;
pub(crate) mod nested;
pub(crate) mod parts;
pub(crate) mod reader;
mod scanner;
pub(crate) mod shape;
pub(crate) mod stream;
mod text_slot;
pub(crate) mod value;
pub(crate) mod values;
pub(crate) mod walk;

use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;

use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::format::{FileContent, FormatFacts, Packing};
use crate::formats::fields;
use crate::formats::layout::{Layout, Reader};
use crate::keep::{self, Added, AddedEdit, AddedRow, KeptFile, TextSlot};
use crate::readers::options::ReadOptions;
use crate::readers::read::Read;
use crate::readers::worker_pool::ChunkWork;
use crate::records::field_name::has_several;
use crate::records::fields::{FieldRoles, Fields};
use crate::sources::source::Source;
use crate::sources::stream::{BOM, open};
use crate::unit::PlaceUnit;
use added_members::{Taken, with_members};
use library::field_paths;

/// Maximum number of bytes that are searched for the first record.
const FIRST: u64 = 1 << 20;

pub(crate) static JSONL: FormatFacts = FormatFacts {
    suffixes: &["jsonl", "ndjson"],
    unit: PlaceUnit::Line,
    content: FileContent::Objects,
    packing: Packing::Whole,
    has_texts_in_place: true,
};

/// JSON lines: one object a line.
pub(crate) struct Jsonl;

impl Layout for Jsonl {
    fn facts(&self) -> &'static FormatFacts {
        &JSONL
    }

    fn field_names(&self, source: &Source, _: &Fields) -> Result<Vec<String>> {
        first_names(open(source, &JobControl::default(), None)?)
            .map_err(|error| Error::Damaged { name: source.name.clone(), reason: source.compression.damage(&error) })
    }

    fn text_slot(&self, _: &Source, fields: &Fields) -> Result<Option<Box<dyn TextSlot>>> {
        Ok(Some(Box::new(text_slot::TextMember(FieldRoles::new(fields)))))
    }

    fn is_rewritten(&self) -> bool {
        true
    }

    fn replaces_text(&self, _: &Source, fields: &Fields) -> Result<bool> {
        Ok(!has_several(&fields.text))
    }

    fn is_extended(&self) -> bool {
        true
    }

    fn extend(
        &self,
        source: &Source,
        _: &Fields,
        added: Added<'_>,
        edits: &mut dyn Iterator<Item = Result<AddedEdit>>,
        target: &Path,
        control: &JobControl,
    ) -> Result<KeptFile> {
        let edit = |record: &[u8], row: &AddedRow| extended(record, row, added, source);
        keep::edit(source, &edit, edits, target, control)
    }

    fn is_joined(&self) -> bool {
        true
    }

    fn lead(&self, source: &Source, _: &Fields) -> Result<u64> {
        let mut first = Vec::new();
        let read = open(source, &JobControl::default(), None)?.take(BOM.len() as u64).read_to_end(&mut first);
        read.map_err(Error::io(&source.path, "read"))?;
        Ok(if first == BOM { BOM.len() as u64 } else { 0 })
    }
}

impl<T: Send, E: From<Error> + Send> Reader<T, E> for Jsonl {
    fn read(&self, sources: &[Source], fields: &Fields, options: &ReadOptions<'_>, work: &dyn ChunkWork<T, E>) -> Result<Read<T>, E> {
        fields::read(sources, fields, options, work, |pool, source, roles| {
            let read = if source.is_read_in_parts() { reader::read } else { stream::read };
            read(pool, source, roles)
        })
    }
}

/// Returns a record with added members.
fn extended(record: &[u8], row: &AddedRow, added: Added<'_>, source: &Source) -> Result<Vec<u8>> {
    let place = || source.format.unit().place(&source.name, row.row);
    with_members(record, added.fields, row).map_err(|taken: Taken<'_>| Error::Taken { place: place(), field: taken.0.to_owned() })
}

fn first_names(stream: impl io::Read) -> io::Result<Vec<String>> {
    let mut lines = BufReader::new(stream.take(FIRST));
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(line.strip_prefix(BOM).unwrap_or(&line));
        if !text.trim().is_empty() {
            return Ok(field_paths(&text));
        }
        line.clear();
    }
    Ok(Vec::new())
}
