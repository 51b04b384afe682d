//! Web archives, whose records the caller's reader reads.

use std::borrow::Cow;
use std::io::Read as _;
use std::path::Path;

use neardup_disk::regular;
use neardup_text::Text;

use crate::control::JobControl;
use crate::error::{Error, Result, listed};
use crate::flaws::PassedOver;
use crate::format::{FileContent, FormatFacts, Packing};
use crate::formats::layout::{Layout, Reader};
use crate::keep::{self, KeptFile};
use crate::readers::draft::ChunkDraft;
use crate::readers::options::ReadOptions;
use crate::readers::read::Read;
use crate::readers::worker_pool::{ChunkWork, WorkerPool};
use crate::records::archive_record::{ArchiveRecord, RecordContent};
use crate::records::fields::Fields;
use crate::records::host_name::host_name;
use crate::records::missing::MissingFields;
use crate::records::place::{SourceSpan, TextPlace};
use crate::records::preference::rank_by;
use crate::records::record::{Record, reuse};
use crate::records::time::parse_time;
use crate::reject::{RecordError, too_long};
use crate::sources::source::Source;
use crate::texts::fetch::CorpusTexts;
use crate::texts::spool::Spool;
use crate::unit::PlaceUnit;

static ARCHIVE: FormatFacts = FormatFacts {
    suffixes: &["warc", "arc", "wet"],
    unit: PlaceUnit::Record,
    content: FileContent::Archive,
    packing: Packing::Members,
    has_texts_in_place: false,
};

/// The only field of a record of an archive that may be its id.
pub const ARCHIVE_ID: &str = "url";

/// The fields of a record of an archive.
const FIELDS: [&str; 3] = [ARCHIVE_ID, "host", "date"];

/// Web archives.
pub(crate) struct Archive;

impl Layout for Archive {
    fn facts(&self) -> &'static FormatFacts {
        &ARCHIVE
    }

    fn field_names(&self, _: &Source, _: &Fields) -> Result<Vec<String>> {
        Ok(FIELDS.map(str::to_owned).to_vec())
    }

    fn keep(&self, source: &Source, dropped: &[SourceSpan], target: &Path, threads: usize, control: &JobControl) -> Result<KeptFile> {
        keep::copied(source, dropped, target, threads, control)
    }

    fn is_joined(&self) -> bool {
        true
    }
}

impl<T: Send, E: From<Error> + Send> Reader<T, E> for Archive {
    fn read(&self, sources: &[Source], fields: &Fields, options: &ReadOptions<'_>, work: &dyn ChunkWork<T, E>) -> Result<Read<T>, E> {
        let source = &sources[0];
        let Some(open) = options.archive else {
            let reason = "web archives need a reader; install the extra: pip install 'neardup[warc]'";
            return Err(Error::Unsupported { name: source.name.clone(), reason }.into());
        };
        if let Some(field) = fields.id.as_ref().filter(|id| *id != ARCHIVE_ID) {
            return Err(
                Error::Field { name: source.name.clone(), field: field.clone(), available: listed(&[ARCHIVE_ID.to_owned()]) }.into()
            );
        }
        let damaged = |error| Error::Damaged { name: source.name.clone(), reason: format!("{error}") };
        let records = open(&source.path, options.archives).map_err(damaged)?;
        if fields.id.is_none() {
            return read_records(&source.name, &mut { records }, false, fields, options, work);
        }
        let mut named = records.map(|record| record.map(name_by_url));
        read_records(&source.name, &mut named, false, fields, options, work)
    }
}

/// With what a dictionary for the frames of a file begins: it is a skippable frame of its own (IIPC, "Zstandard WARC", section 3).
const DICTIONARY: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];
/// Number of bytes of the head of a skippable frame, of which the last four are the length of its content.
const HEAD: usize = 8;

/// Returns the bytes at the beginning of a web archive without which its records cannot be read, as stored: the dictionary of its frames.
///
/// # Errors
/// The file cannot be read.
pub fn dictionary(source: &Source) -> Result<SourceSpan> {
    let mut head = Vec::new();
    let file = regular::open(&source.path).map_err(Error::io(&source.path, "read"))?;
    file.take(HEAD as u64).read_to_end(&mut head).map_err(Error::io(&source.path, "read"))?;
    let len = match <[u8; HEAD]>::try_from(head) {
        Ok(head) if head.starts_with(&DICTIONARY) => HEAD as u64 + u64::from(u32::from_le_bytes([head[4], head[5], head[6], head[7]])),
        _ => 0,
    };
    Ok(SourceSpan { offset: 0, len: len.min(source.bytes) })
}

/// Takes the URL of a record as its id. A document without a URL cannot be used.
fn name_by_url(record: ArchiveRecord) -> ArchiveRecord {
    let content = match record.content {
        RecordContent::Text(_) if record.url.is_none() => RecordContent::Refused("the record has no URL, which is its id".to_owned()),
        content => content,
    };
    ArchiveRecord { id: record.url.clone(), content, ..record }
}

/// Like [`crate::formats::read`], for records that the caller reads, such as those of an archive. `html` says that their texts are
/// HTML.
///
/// The iterator runs on this thread. `name` is the name of the source in messages. Rows count the records from 1. The texts are
/// spooled.
///
/// # Errors
/// As in `read`, and [`Error::Input`] for an error of the iterator.
pub fn read_records<T: Send, E: From<Error> + Send>(
    name: &str,
    arrivals: &mut dyn Iterator<Item = Result<ArchiveRecord, Box<dyn std::error::Error + Send + Sync>>>,
    html: bool,
    fields: &Fields,
    options: &ReadOptions<'_>,
    work: &dyn ChunkWork<T, E>,
) -> Result<Read<T>, E> {
    let spool = Spool::open(options.spool, options.resumes)?;
    let pool = WorkerPool::new(vec![name], PlaceUnit::Record, options, html, Some(&spool), work);
    let (mut passed_over, mut flaws) = (PassedOver::new(), PassedOver::new());
    let mut revisits = Vec::new();
    let gathered = pool.feed(
        options.threads(),
        |feed| {
            let mut job: Vec<ArchiveRecord> = Vec::new();
            let (mut bytes, mut row) = (0, 0);
            for arrival in arrivals {
                let arrival = arrival.map_err(|source| Error::Input { name: name.to_owned(), source })?;
                match &arrival.content {
                    RecordContent::Text(text) => {
                        bytes += text.len();
                        arrival.flaws.iter().for_each(|flaw| *flaws.entry(flaw.clone()).or_default() += 1);
                    }
                    RecordContent::Refused(_) => {}
                    RecordContent::PassedOver(reason) => {
                        *passed_over.entry(reason.clone()).or_default() += 1;
                        continue;
                    }
                }
                row += 1;
                revisits.extend(arrival.response.clone().map(|response| (row, response)));
                job.push(arrival);
                let is_full = bytes >= options.chunk_bytes();
                if is_full && !feed.send(std::mem::take(&mut job), std::mem::take(&mut bytes)) {
                    return Ok(());
                }
            }
            if !job.is_empty() {
                feed.send(job, bytes);
            }
            Ok(())
        },
        &|worker, number, job: Vec<ArchiveRecord>| {
            let mut records = reuse(std::mem::take(&mut worker.records));
            let mut flaws = Vec::new();
            for (row, arrival) in (1..).zip(&job) {
                match record(row, arrival, fields, options.max_record()) {
                    Ok(record) => records.push(record),
                    Err(reason) => {
                        let text = if let RecordContent::Text(text) = &arrival.content { text } else { "" };
                        let flaw = RecordError::new(row, arrival.span.offset, text.as_bytes(), reason);
                        flaws.push(RecordError { len: arrival.span.len, ..flaw });
                    }
                }
            }
            let rows = job.len() as u64;
            let (outcome, emptied) = pool.finish(ChunkDraft { number, rows, records, flaws }, &mut worker.scratch)?;
            worker.records = emptied;
            Ok((outcome, Vec::new()))
        },
    )?;
    Ok(Read { passed_over, flaws, revisits, ..gathered.with(CorpusTexts::spooled(options.spool)?) })
}

fn record<'a>(row: u64, arrival: &'a ArchiveRecord, fields: &Fields, longest: usize) -> Result<Record<'a>, String> {
    let text = match &arrival.content {
        RecordContent::Text(text) => text,
        RecordContent::Refused(reason) | RecordContent::PassedOver(reason) => return Err(reason.clone()),
    };
    if text.len() > longest {
        return Err(too_long(longest));
    }
    let host = arrival.url.as_deref().and_then(host_name);
    let value = |field: &str| match field {
        ARCHIVE_ID => arrival.url.as_deref(),
        "host" => host.as_deref(),
        "date" => arrival.time.as_deref(),
        _ => None,
    };
    let lacks = MissingFields::ALL
        .with(MissingFields::URL, arrival.url.is_none())
        .with(MissingFields::TIME, arrival.time.is_none())
        .with(MissingFields::GROUP, !fields.group.as_deref().is_some_and(is_field));
    let preferred = (MissingFields::PREFER..).zip(&fields.prefer);
    Ok(Record {
        row,
        span: arrival.span,
        place: TextPlace::default(),
        text: Text::Plain(text.as_bytes()),
        id: arrival.id.as_deref().map(Into::into),
        url: arrival.url.as_deref().map(Into::into),
        time: arrival.time.as_deref().map(parse_time).transpose()?,
        number: None,
        group: fields.group.as_deref().and_then(value).map(|group| Cow::Owned(group.to_owned())),
        rank: rank_by(&fields.prefer, value),
        lacks: preferred.fold(lacks, |lacks, (flag, preference)| lacks.with(flag, !is_field(&preference.field))),
        file: 0,
    })
}

fn is_field(name: &str) -> bool {
    FIELDS.contains(&name)
}
