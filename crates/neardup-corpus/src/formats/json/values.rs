//! JSON files whose values may span lines: arrays of objects, and objects one after another.

use std::path::Path;

use bumpalo::Bump;

use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::format::{FileContent, FormatFacts, Packing};
use crate::formats::fields;
use crate::formats::json::array_edits::{ArrayEdit, ArrayEdits};
use crate::formats::json::extended;
use crate::formats::json::library::field_paths;
use crate::formats::json::lines::JsonLines;
use crate::formats::json::scanner::{JsonElement, JsonScanner, JsonStep};
use crate::formats::json::text_slot::TextMember;
use crate::formats::layout::{Layout, Reader};
use crate::keep::{self, Added, AddedEdit, AddedRow, KeptFile, RecordEdit, TextSlot};
use crate::readers::draft::ChunkDraft;
use crate::readers::options::ReadOptions;
use crate::readers::read::Read;
use crate::readers::worker_pool::{ChunkWork, ReadChunks, WorkerPool};
use crate::records::field_name::has_several;
use crate::records::fields::{FieldRoles, Fields};
use crate::records::missing::MissingFields;
use crate::records::place::SourceSpan;
use crate::records::record::{Record, reuse};
use crate::reject::{EXCERPT_BYTES, RecordError, too_long};
use crate::sources::source::Source;
use crate::sources::stream::open;
use crate::unit::PlaceUnit;

/// Maximum number of bytes of the first value, whose fields are listed.
const FIRST: usize = 1 << 20;

pub(crate) static JSON: FormatFacts = FormatFacts {
    suffixes: &["json"],
    unit: PlaceUnit::Record,
    content: FileContent::Objects,
    packing: Packing::Whole,
    has_texts_in_place: false,
};

pub(crate) struct JsonValues;

impl Layout for JsonValues {
    fn facts(&self) -> &'static FormatFacts {
        &JSON
    }

    fn field_names(&self, source: &Source, _: &Fields) -> Result<Vec<String>> {
        let (control, mut value) = (JobControl::default(), Vec::new());
        let damaged = |reason| Error::Damaged { name: source.name.clone(), reason };
        match JsonScanner::new(open(source, &control, None)?).next(&mut value, FIRST) {
            Ok(JsonStep::Element(_) | JsonStep::End) => Ok(field_paths(&String::from_utf8_lossy(&value))),
            Ok(JsonStep::Broken(_, reason)) => Err(damaged(reason)),
            Err(error) => Err(damaged(source.compression.damage(&error))),
        }
    }

    fn keep(&self, source: &Source, dropped: &[SourceSpan], target: &Path, threads: usize, control: &JobControl) -> Result<KeptFile> {
        let unread = JobControl::default();
        let edits = ArrayEdits::new(source, &unread, dropped.iter().map(|span| Ok((*span, None::<()>))))?;
        let edits = edits.collect::<Result<Vec<_>>>()?;
        if edits.iter().any(|(_, edit)| edit.is_some()) {
            let change = |record: &[u8], edit: &ArrayEdit<()>| edit.change(record, |record, ()| Ok(record.to_vec()));
            return keep::edit(source, &change, &mut edits.into_iter().map(Ok), target, control);
        }
        let dropped: Vec<SourceSpan> = edits.into_iter().map(|(span, _)| span).collect();
        keep::cut(source, &dropped, target, threads, control)
    }

    fn text_slot(&self, _: &Source, fields: &Fields) -> Result<Option<Box<dyn TextSlot>>> {
        Ok(Some(Box::new(TextMember(FieldRoles::new(fields)))))
    }

    fn is_rewritten(&self) -> bool {
        true
    }

    fn replaces_text(&self, _: &Source, fields: &Fields) -> Result<bool> {
        Ok(!has_several(&fields.text))
    }

    fn rewrite(
        &self,
        source: &Source,
        fields: &Fields,
        edits: &mut dyn Iterator<Item = Result<RecordEdit>>,
        _: Option<SourceSpan>,
        target: &Path,
        control: &JobControl,
    ) -> Result<KeptFile> {
        let (unread, slot) = (JobControl::default(), TextMember(FieldRoles::new(fields)));
        let changed = || Error::Changed { path: source.path.clone() };
        let edit =
            |record: &[u8], edit: &ArrayEdit<String>| edit.change(record, |record, text| slot.with_text(record, text).ok_or_else(changed));
        keep::edit(source, &edit, &mut ArrayEdits::new(source, &unread, edits)?, target, control)
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
        let unread = JobControl::default();
        let edit = |record: &[u8], edit: &ArrayEdit<AddedRow>| edit.change(record, |record, row| extended(record, row, added, source));
        keep::edit(source, &edit, &mut ArrayEdits::new(source, &unread, edits)?, target, control)
    }
}

impl<T: Send, E: From<Error> + Send> Reader<T, E> for JsonValues {
    fn read(&self, sources: &[Source], fields: &Fields, options: &ReadOptions<'_>, work: &dyn ChunkWork<T, E>) -> Result<Read<T>, E> {
        fields::read(sources, fields, options, work, read)
    }
}

/// Consecutive values.
struct ValueChunk {
    bytes: Vec<u8>,
    values: Vec<(JsonElement, usize)>,
    /// What cannot be read: the rest of the file. Its row is not set.
    tail: Option<RecordError>,
}

/// Reads the values of a file. One thread finds them, the others read the records.
fn read<T: Send, E: From<Error> + Send>(pool: &WorkerPool<'_, T, E>, source: &Source, roles: &FieldRoles) -> Result<ReadChunks<T>, E> {
    let mut scanner = JsonScanner::new(open(source, pool.options.control, Some(&pool.flaws))?);
    let longest = pool.options.max_record();
    let lines = JsonLines { roles, longest, encoding: source.encoding };
    pool.feed(
        pool.options.threads() - 1,
        |feed| {
            loop {
                let mut job = ValueChunk { bytes: feed.buffer(), values: Vec::new(), tail: None };
                job.bytes.clear();
                let more = job.fill(&mut scanner, source, pool.options.chunk_bytes(), longest, !pool.stops());
                let bytes = job.bytes.len();
                if !feed.send(job, bytes) || !more {
                    return Ok(());
                }
            }
        },
        &|worker, number, job: ValueChunk| {
            let mut records = reuse(std::mem::take(&mut worker.records));
            let room = Bump::new();
            let (rows, flaws) = job.read(&lines, &room, &mut records);
            let (outcome, emptied) = pool.finish(ChunkDraft { number, rows, records, flaws }, &mut worker.scratch)?;
            worker.records = emptied;
            Ok((outcome, job.bytes))
        },
    )
}

impl ValueChunk {
    /// Reads the next values. Returns whether more may follow. `measures` says that the length of a rest that cannot be read matters.
    fn fill(&mut self, scanner: &mut JsonScanner<'_>, source: &Source, chunk: usize, longest: usize, measures: bool) -> bool {
        while self.bytes.len() < chunk {
            // A byte more shows that a value is too long.
            match scanner.next(&mut self.bytes, longest.saturating_add(1)) {
                Ok(JsonStep::Element(element)) => self.values.push((element, self.bytes.len())),
                Ok(JsonStep::End) => return false,
                Ok(JsonStep::Broken(offset, reason)) => {
                    let mut head = self.unfinished();
                    let is_whole = !measures || scanner.rest(&mut head, EXCERPT_BYTES).is_ok();
                    let len = scanner.offset - offset;
                    let reason = if len == 0 { reason } else { format!("{reason}; nothing from here to the end of the file is read") };
                    let rest = RecordError { len, ..RecordError::new(0, offset, &head, reason) };
                    self.tail = Some(if is_whole && len > 0 { rest } else { rest.open_ended() });
                    return false;
                }
                Err(error) => {
                    let (head, from) = (self.unfinished(), scanner.damaged_from());
                    let rest = RecordError::new(0, from, &head, source.compression.damage(&error));
                    self.tail = Some(RecordError { len: scanner.offset - from, ..rest }.open_ended());
                    return false;
                }
            }
        }
        true
    }

    /// Removes the bytes of a value that is not complete, and returns the first of them.
    fn unfinished(&mut self) -> Vec<u8> {
        let mut head = self.bytes.split_off(self.values.last().map_or(0, |(_, end)| *end));
        head.truncate(EXCERPT_BYTES);
        head
    }

    /// Reads the records of the values. Returns the number of rows and the flaws.
    fn read<'c>(&'c self, lines: &JsonLines<'c>, room: &'c Bump, records: &mut Vec<Record<'c>>) -> (u64, Vec<RecordError>) {
        let (mut flaws, mut start) = (Vec::new(), 0);
        for (row, (element, end)) in (1..).zip(&self.values) {
            let (bytes, span) = (&self.bytes[start..*end], element.span);
            start = *end;
            let flaw = |reason| RecordError { len: span.len, ..RecordError::new(row, span.offset, bytes, reason) };
            if bytes.len() > lines.longest {
                flaws.push(flaw(too_long(lines.longest)));
                continue;
            }
            match simdutf8::compat::from_utf8(bytes) {
                Err(error) => flaws.push(flaw(lines.encoding.refuse(error.valid_up_to(), "the record"))),
                Ok(text) => match lines.record(text, text, None, room) {
                    Ok(Some(record)) => {
                        let lacks = record.lacks.with(MissingFields::LINE_END, false);
                        records.push(Record { row, span, lacks, ..record });
                    }
                    Ok(None) => {}
                    Err(reason) => flaws.push(flaw(reason)),
                },
            }
        }
        let rows = self.values.len() as u64 + u64::from(self.tail.is_some());
        flaws.extend(self.tail.iter().map(|rest| RecordError { row: rows, ..rest.clone() }));
        (rows, flaws)
    }
}
