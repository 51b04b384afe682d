//! Files that are one document each.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use neardup_text::Text;

use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::keep::{self, KeptFile};
use crate::pages::charset::decode_page_or;
use crate::readers::draft::ChunkDraft;
use crate::readers::options::ReadOptions;
use crate::readers::read::Read;
use crate::readers::worker_pool::{ChunkFailure, ChunkOutcome, ChunkWork, WorkerPool, WorkerState};
use crate::records::fields::Fields;
use crate::records::missing::MissingFields;
use crate::records::place::{SourceSpan, TextPlace};
use crate::records::preference::rank_by;
use crate::records::record::{Record, reuse};
use crate::reject::{RecordError, too_long};
use crate::sources::misnamed::OtherKind;
use crate::sources::source::Source;
use crate::sources::stream::{BOM, fill, open};
use crate::texts::fetch::CorpusTexts;
use crate::texts::spool::Spool;
use crate::unit::PlaceUnit;

/// Maximum number of files in one chunk, so that many tiny files are also divided among threads.
const MOST_FILES: usize = 256;

/// Reads many files that are one document each. The extractor processes HTML in batches.
pub(crate) fn read<T: Send, E: From<Error> + Send>(
    sources: &[Source],
    fields: &Fields,
    options: &ReadOptions<'_>,
    work: &dyn ChunkWork<T, E>,
) -> Result<Read<T>, E> {
    let html = sources[0].format.is_html();
    let spool = if html || !sources[0].is_plain() { Some(Spool::open(options.spool, options.resumes)?) } else { None };
    let names = sources.iter().map(|source| source.name.as_str()).collect();
    let pool = WorkerPool::new(names, PlaceUnit::File, options, html, spool.as_ref(), work);
    let groups = group(sources, options.chunk_bytes() as u64);
    let gathered = pool.share(groups.len(), &|worker, number| {
        let (outcome, found) = read_group(&pool, sources, fields, groups[number].clone(), worker, number)?;
        found.iter().for_each(|flaw| pool.flaws.add(flaw, 1));
        Ok(outcome)
    })?;
    Ok(gathered.with(CorpusTexts::open(sources, &Fields::default(), options.spool)?))
}

/// Groups consecutive files up to the bytes of a chunk.
fn group(sources: &[Source], chunk: u64) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut start = 0;
    let mut bytes = 0;
    for (at, source) in sources.iter().enumerate() {
        if at > start && (bytes + source.bytes > chunk || at - start == MOST_FILES) {
            groups.push(start..at);
            (start, bytes) = (at, 0);
        }
        bytes += source.bytes;
    }
    if start < sources.len() {
        groups.push(start..sources.len());
    }
    groups
}

/// Reads a group of files. Returns also the flaws of their texts.
fn read_group<T: Send, E: From<Error> + Send>(
    pool: &WorkerPool<'_, T, E>,
    sources: &[Source],
    fields: &Fields,
    group: Range<usize>,
    worker: &mut WorkerState<T, E>,
    number: usize,
) -> Result<(ChunkOutcome<T>, Vec<String>), ChunkFailure<E>> {
    let (mut flaws, mut text_flaws) = (Vec::new(), Vec::new());
    let mut found = Vec::with_capacity(group.len());
    worker.buffer.clear();
    let permit = pool.permit(sources[group.clone()].iter().map(|source| source.bytes as usize).sum());
    for file in group {
        pool.note_guess(&sources[file]);
        let start = worker.buffer.len();
        match take(&sources[file], pool, &mut worker.buffer)? {
            Ok(taken) => {
                found.push((file, start..worker.buffer.len(), taken.len));
                text_flaws.extend(taken.flaws);
            }
            Err(flaw) => {
                worker.buffer.truncate(start);
                flaws.push(RecordError { file: file as u32, ..flaw });
            }
        }
    }
    let mut records = reuse(std::mem::take(&mut worker.records));
    for (file, range, len) in found {
        let bytes = &worker.buffer[range];
        let skip = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
        let text = &bytes[skip..];
        records.push(Record {
            row: 1,
            span: SourceSpan { offset: 0, len },
            place: TextPlace::new(file as u32, skip as u64, text.len(), false),
            text: Text::Plain(text),
            id: None,
            url: None,
            time: None,
            number: None,
            group: None,
            // A text without fields has none of the preferred values.
            rank: rank_by(&fields.prefer, |_| None),
            lacks: MissingFields::ALL,
            file: file as u32,
        });
    }
    // A compressed file may still be large when decompressed.
    let _permit = permit.or_else(|| pool.permit(worker.buffer.len()));
    // Every file has its own rows, so a chunk does not shift the rows of the next.
    let finished = pool.finish(ChunkDraft { number, rows: 0, records, flaws }, &mut worker.scratch);
    pool.trim(&mut worker.buffer);
    let (outcome, emptied) = finished?;
    worker.records = emptied;
    Ok((outcome, text_flaws))
}

/// What was read of a file.
struct TakenFile {
    /// Number of bytes of the file when decompressed.
    len: u64,
    /// Flaws of its text.
    flaws: Vec<String>,
}

/// Appends the text of the file to the buffer, in UTF-8. The inner error says why it cannot be used.
fn take<T: Send, E: From<Error> + Send>(
    source: &Source,
    pool: &WorkerPool<'_, T, E>,
    buffer: &mut Vec<u8>,
) -> Result<Result<TakenFile, RecordError>> {
    let start = buffer.len();
    let longest = pool.options.max_record();
    let mut stream = open(source, pool.options.control, Some(&pool.flaws))?;
    let filled = fill(stream.as_mut(), buffer, start + longest + 1);
    let bytes = &buffer[start..];
    let flaw = |reason| Ok(Err(RecordError::new(1, 0, bytes, reason)));
    let begun = if source.format.is_html() { OtherKind::begun_by(bytes) } else { source.misnamed };
    if let Some(kind) = begun {
        return flaw(kind.refuse(&source.name, source.compression));
    }
    match filled {
        Err(error) if !source.compression.is_some() => Err(Error::io(&source.path, "read")(error)),
        Err(error) => flaw(source.compression.damage(&error)),
        Ok(false) => flaw(too_long(longest)),
        Ok(true) if source.format.is_html() => {
            let len = bytes.len() as u64;
            let page = decode_page_or(bytes, None, true, source.undeclared);
            if page.text.len() > longest {
                return flaw(too_long(longest));
            }
            let flaws = page.flaws;
            match page.text {
                Cow::Borrowed(text) => {
                    let mark = bytes.len() - text.len();
                    buffer.drain(start..start + mark);
                }
                Cow::Owned(text) => {
                    buffer.truncate(start);
                    buffer.extend_from_slice(text.as_bytes());
                }
            }
            Ok(Ok(TakenFile { len, flaws }))
        }
        Ok(true) => match simdutf8::compat::from_utf8(bytes) {
            Ok(_) => Ok(Ok(TakenFile { len: bytes.len() as u64, flaws: Vec::new() })),
            Err(error) => flaw(source.encoding.refuse(error.valid_up_to(), "the file")),
        },
    }
}

/// Copies a file, unless it is dropped: then nothing is written.
pub(crate) fn keep(source: &Source, dropped: &[SourceSpan], target: &Path, threads: usize, control: &JobControl) -> Result<KeptFile> {
    if dropped.is_empty() { keep::copied(source, &[], target, threads, control) } else { Ok(keep::nothing(source, control)) }
}
