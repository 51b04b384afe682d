use std::ops::Range;

use neardup_text::Text;

use crate::dialect::Dialect;
use crate::encoding::TextEncoding;
use crate::error::{Error, Result, listed};
use crate::formats::csv::table::{CsvStep, CsvTable};
use crate::readers::draft::ChunkDraft;
use crate::readers::feed::Feed;
use crate::readers::worker_pool::{ReadChunks, WorkerPool};
use crate::records::field_name::SEPARATOR;
use crate::records::fields::{FieldRoles, MOST_NAMES};
use crate::records::missing::MissingFields;
use crate::records::place::{SourceSpan, TextPlace};
use crate::records::record::{Record, reuse};
use crate::records::time::read_time;
use crate::reject::RecordError;
use crate::sources::source::Source;
use crate::sources::stream::open;

/// Consecutive records with unquoted fields.
struct CsvChunk {
    bytes: Vec<u8>,
    rows: u64,
    entries: Vec<CsvRecord>,
    flaws: Vec<RecordError>,
    /// Wanted fields that the table does not have.
    lacks: MissingFields,
    /// Encoding of the source, for messages.
    encoding: TextEncoding,
}

struct CsvRecord {
    row: u64,
    span: SourceSpan,
    /// Range of all fields in the bytes of the chunk.
    whole: Range<usize>,
    /// Range of its first bytes, as written, in the bytes of the chunk.
    head: Range<usize>,
    /// Ranges of the wanted fields.
    fields: [Range<usize>; MOST_NAMES],
    lacks_line_end: bool,
}

/// Reads CSV records. One thread finds the fields, the others do the rest. An empty field counts as missing, except the text.
pub(crate) fn read<T: Send, E: From<Error> + Send>(
    pool: &WorkerPool<'_, T, E>,
    source: &Source,
    roles: &FieldRoles,
    dialect: Dialect,
) -> Result<ReadChunks<T>, E> {
    let mut stream = open(source, pool.options.control, Some(&pool.flaws))?;
    let mut table = CsvTable::new(stream.as_mut(), dialect, source, pool.options.max_record());
    pool.feed(
        pool.options.threads() - 1,
        |feed| produce(&mut table, feed, pool, roles, source.encoding),
        &|worker, number, mut job: CsvChunk| {
            let mut records = reuse(std::mem::take(&mut worker.records));
            let mut flaws = std::mem::take(&mut job.flaws);
            for entry in &job.entries {
                match record(&job, entry, roles) {
                    Ok(record) => records.push(record),
                    Err(reason) => {
                        let SourceSpan { offset, len } = entry.span;
                        let flaw = RecordError::new(entry.row, offset, &job.bytes[entry.head.clone()], reason);
                        flaws.push(RecordError { len, ..flaw });
                    }
                }
            }
            let (outcome, emptied) = pool.finish(ChunkDraft { number, rows: job.rows, records, flaws }, &mut worker.scratch)?;
            worker.records = emptied;
            Ok((outcome, job.bytes))
        },
    )
}

fn record<'a>(job: &'a CsvChunk, entry: &CsvRecord, roles: &FieldRoles) -> Result<Record<'a>, String> {
    let bytes = &job.bytes;
    let whole = &bytes[entry.whole.clone()];
    simdutf8::compat::from_utf8(whole).map_err(|error| job.encoding.refuse(error.valid_up_to(), "the record"))?;
    let field = |slot: usize| {
        // The fields follow each other without a separator, so each is checked on its own.
        simdutf8::compat::from_utf8(&bytes[entry.fields[slot].clone()])
            .map_err(|error| job.encoding.refuse(error.valid_up_to(), "the field"))
    };
    let given = |role: Option<usize>| Ok::<_, String>(role.map(field).transpose()?.filter(|text| !text.is_empty()));
    let moment = given(roles.time)?.map_or(Ok(None), |text| read_time(text, roles.time_unit))?;
    let zone = moment.is_some_and(|moment| moment.lacks_zone);
    Ok(Record {
        row: entry.row,
        span: entry.span,
        place: TextPlace::default(),
        text: Text::Plain(field(roles.text)?.as_bytes()),
        id: roles.named(given(roles.id)?.map(Into::into))?,
        url: given(roles.url)?.map(Into::into),
        time: moment.map(|moment| moment.micros),
        number: given(roles.number)?.map_or(Ok(None), |number| roles.parse_number(number))?,
        group: given(roles.group)?.map(Into::into),
        rank: roles.rank(|slot| Ok::<_, String>(given(Some(slot))?.map(Into::into)))?,
        lacks: job.lacks.with(MissingFields::LINE_END, entry.lacks_line_end).with(MissingFields::ZONE, zone),
        file: 0,
    })
}

fn produce<T: Send, E: From<Error> + Send>(
    table: &mut CsvTable<'_>,
    feed: &mut Feed<'_, CsvChunk, T, E>,
    pool: &WorkerPool<'_, T, E>,
    roles: &FieldRoles,
    encoding: TextEncoding,
) -> Result<()> {
    let chunk = pool.options.chunk_bytes();
    let names = match header(table) {
        Ok(names) => names,
        Err(flaw) => {
            // Without a header no record can be read.
            let flaw = if pool.stops() { flaw } else { table.with_rest(flaw) };
            let rows = table.line - 1 + u64::from(table.open);
            let (bytes, entries, lacks) = (feed.buffer(), Vec::new(), MissingFields::default());
            feed.send(CsvChunk { bytes, rows, entries, flaws: vec![flaw], lacks, encoding }, 0);
            return Ok(());
        }
    };
    let columns = columns(pool.name(), roles, &names)?;
    loop {
        let bytes = feed.buffer();
        let (entries, flaws, lacks) = (Vec::new(), Vec::new(), columns.lacks);
        let mut job = CsvChunk { bytes, rows: 0, entries, flaws, lacks, encoding };
        job.bytes.clear();
        job.bytes.extend_from_slice(columns.path_values.as_bytes());
        // The lines of the header belong to the first chunk.
        let before = if feed.next() == 0 { 0 } else { table.line - 1 };
        let mut more = true;
        while more && job.bytes.len() - columns.path_values.len() < chunk {
            let base = job.bytes.len();
            match table.next(&mut job.bytes) {
                CsvStep::Record(place) => job.take(base, table, place, before, &columns),
                CsvStep::RecordError(flaw, resumes) => {
                    job.bytes.truncate(base);
                    job.flaws.push(RecordError { row: flaw.row - before, ..flaw });
                    more = resumes;
                }
                CsvStep::End => more = false,
            }
        }
        job.rows = table.line - 1 - before + u64::from(!more && table.open);
        let bytes = job.bytes.len();
        if !feed.send(job, bytes) || !more {
            return Ok(());
        }
    }
}

/// Returns the names in the header row of a table, or what is wrong with the header. Without a header no record of the table can be
/// read.
pub(crate) fn header(table: &mut CsvTable<'_>) -> Result<Vec<String>, RecordError> {
    let mut bytes = Vec::new();
    match table.next(&mut bytes) {
        CsvStep::Record(_) => {
            let starts = std::iter::once(0).chain(table.ends.iter().copied());
            let ends = table.ends[..table.count].iter().copied();
            Ok(starts.zip(ends).map(|(start, end)| String::from_utf8_lossy(&bytes[start..end]).into_owned()).collect())
        }
        CsvStep::RecordError(flaw, _) => Err(RecordError { reason: format!("the header row: {}", flaw.reason), ..flaw }),
        CsvStep::End => Err(RecordError::new(1, 0, &[], "there is no header row")),
    }
}

impl CsvChunk {
    fn take(&mut self, base: usize, table: &CsvTable<'_>, (row, span): (u64, SourceSpan), before: u64, columns: &CsvColumns) {
        let ends = &table.ends[..table.count];
        let row = row - before;
        if ends.len() != columns.count {
            let fields = if ends.len() == 1 { "field" } else { "fields" };
            let reason = format!("the record has {} {fields}, the header has {}", ends.len(), columns.count);
            let flaw = RecordError::new(row, span.offset, &table.head, reason);
            self.flaws.push(RecordError { len: span.len, ..flaw });
            self.bytes.truncate(base);
            return;
        }
        let field = |column: usize| base + if column == 0 { 0 } else { ends[column - 1] }..base + ends[column];
        let mut fields = [const { 0..0 }; MOST_NAMES];
        for (slot, column) in columns.wanted.iter().enumerate() {
            // A missing field is an empty range.
            fields[slot] = column.map_or(columns.path_ranges[slot].clone(), field);
        }
        let whole = base..self.bytes.len();
        if !columns.joined.is_empty() {
            for part in columns.joined.iter().map(|column| field(*column)).filter(|part| !part.is_empty()) {
                if self.bytes.len() > whole.end {
                    self.bytes.extend_from_slice(SEPARATOR.as_bytes());
                }
                self.bytes.extend_from_within(part);
            }
            fields[columns.text] = whole.end..self.bytes.len();
        }
        let head = self.bytes.len()..self.bytes.len() + table.head.len();
        self.bytes.extend_from_slice(&table.head);
        self.entries.push(CsvRecord { row, span, whole, head, fields, lacks_line_end: table.lacks_line_end });
    }
}

struct CsvColumns {
    count: usize,
    /// Column of every wanted name. `None` if the table lacks the field and may lack it.
    wanted: Vec<Option<usize>>,
    /// Slot of the text, and the columns that it is joined from. Empty if it is one column.
    text: usize,
    joined: Vec<usize>,
    /// Values that the path of the file states, and the range of each slot in them. They precede the records of every chunk.
    path_values: String,
    path_ranges: [Range<usize>; MOST_NAMES],
    /// Wanted fields that neither the table nor the path has.
    lacks: MissingFields,
}

fn columns(name: &str, roles: &FieldRoles, names: &[String]) -> Result<CsvColumns> {
    let find = |wanted: &str| {
        let mut found = (0..names.len()).filter(|column| names[*column] == wanted);
        match (found.next(), found.next()) {
            (Some(_), Some(_)) => {
                Err(Error::Damaged { name: name.to_owned(), reason: format!("the header names the field \"{wanted}\" twice") })
            }
            (column, _) => Ok(column),
        }
    };
    let absent = |wanted: &String| Error::Field { name: name.to_owned(), field: wanted.clone(), available: listed(names) };
    let (mut path_values, mut path_ranges) = (String::new(), [const { 0..0 }; MOST_NAMES]);
    let (mut wanted, mut joined, mut missing, mut lacks) = (Vec::new(), Vec::new(), [false; MOST_NAMES], MissingFields::default());
    for (slot, field) in roles.names.iter().enumerate() {
        let column = find(field)?;
        if column.is_none() && slot == roles.text && roles.given.is_none() {
            (joined, lacks) = roles.find_texts(&find)?;
        }
        if let Some(value) = roles.path_value(slot).flatten() {
            path_ranges[slot] = path_values.len()..path_values.len() + value.len();
            path_values += value;
        }
        let is_found = column.is_some() || slot == roles.text && !joined.is_empty();
        missing[slot] = !is_found && roles.path_value(slot).is_none();
        if !is_found && roles.must_have(slot) {
            return Err(absent(field));
        }
        wanted.push(column);
    }
    lacks = lacks | roles.lacks(|slot| missing[slot]);
    Ok(CsvColumns { count: names.len(), wanted, text: roles.text, joined, path_values, path_ranges, lacks })
}
