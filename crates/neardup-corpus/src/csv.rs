use std::io::Read;
use std::ops::Range;

use csv_core::ReadRecordResult;
use memchr::memchr_iter;
use neardup_text::Text;

use crate::crew::{Crew, Gathered};
use crate::error::{Error, Result};
use crate::feed::Feed;
use crate::fields::{MOST_NAMES, Roles};
use crate::finish::Draft;
use crate::lines::too_long;
use crate::meaning::listed;
use crate::place::{Place, Span};
use crate::read::BOM;
use crate::record::{Record, reuse};
use crate::reject::Flaw;
use crate::source::Source;
use crate::stream::{damage, fill, open};
use crate::time::parse_bare_time;

/// Some records with their fields unquoted, one after another.
struct Job {
    bytes: Vec<u8>,
    rows: u64,
    entries: Vec<Entry>,
    flaws: Vec<Flaw>,
}

struct Entry {
    row: u64,
    span: Span,
    /// All fields in the job's bytes.
    whole: Range<usize>,
    /// The wanted ones.
    fields: [Range<usize>; MOST_NAMES],
}

/// CSV records: one thread finds the fields, the others do the rest. A field that is empty is missing, except the text.
pub(crate) fn read<T: Send, E: From<Error> + Send>(
    crew: &Crew<'_, T, E>,
    source: &Source,
    roles: &Roles,
    delimiter: u8,
) -> Result<Gathered<T>, E> {
    let mut stream = open(source, crew.options.control)?;
    let mut table = Table::new(stream.as_mut(), delimiter, source, crew.options.max_record());
    crew.feed(
        crew.options.threads() - 1,
        |feed| produce(&mut table, feed, crew, roles, crew.options.chunk_bytes()),
        &|desk, number, job: Job| {
            let mut records = reuse(std::mem::take(&mut desk.records));
            let mut flaws = job.flaws;
            for entry in &job.entries {
                match record(&job.bytes, entry, roles) {
                    Ok(record) => records.push(record),
                    Err(reason) => {
                        let Span { offset, len } = entry.span;
                        let flaw = Flaw::new(entry.row, offset, &job.bytes[entry.whole.clone()], reason);
                        flaws.push(Flaw { len, ..flaw });
                    }
                }
            }
            let (outcome, emptied) = crew.finish(Draft { number, rows: job.rows, records, flaws }, &mut desk.scratch)?;
            desk.records = emptied;
            Ok((outcome, job.bytes))
        },
    )
}

fn record<'a>(bytes: &'a [u8], entry: &Entry, roles: &Roles) -> Result<Record<'a>, String> {
    let whole = &bytes[entry.whole.clone()];
    simdutf8::compat::from_utf8(whole).map_err(|_| "invalid UTF-8".to_owned())?;
    let field = |slot: usize| {
        // The fields follow each other without a mark between them, so each is checked as a text of its own.
        simdutf8::compat::from_utf8(&bytes[entry.fields[slot].clone()]).map_err(|_| "invalid UTF-8".to_owned())
    };
    let given = |role: Option<usize>| Ok::<_, String>(role.map(field).transpose()?.filter(|text| !text.is_empty()));
    Ok(Record {
        row: entry.row,
        span: entry.span,
        place: Place::default(),
        text: Text::Plain(field(roles.text)?.as_bytes()),
        id: given(roles.id)?.map(Into::into),
        url: given(roles.url)?.map(Into::into),
        time: given(roles.time)?.map(parse_bare_time).transpose()?,
        rank: roles.rank(given(roles.prefer.as_ref().map(|(slot, _)| *slot))?),
        file: 0,
    })
}

fn produce<T: Send, E: From<Error> + Send>(
    table: &mut Table<'_>,
    feed: &mut Feed<'_, Job, T, E>,
    crew: &Crew<'_, T, E>,
    roles: &Roles,
    chunk: usize,
) -> Result<()> {
    let mut header = Vec::new();
    let mut names = Vec::new();
    match table.next(&mut header) {
        Step::Record(_) => {
            let mut start = 0;
            for end in &table.ends[..table.count] {
                names.push(String::from_utf8_lossy(&header[start..*end]).into_owned());
                start = *end;
            }
        }
        Step::Flaw(flaw, _) => {
            return Err(Error::Damaged { name: crew.name().to_owned(), reason: format!("the header row: {}", flaw.reason) });
        }
        Step::End => {
            return Err(Error::Damaged { name: crew.name().to_owned(), reason: "there is no header row".to_owned() });
        }
    }
    let columns = columns(crew.name(), roles, &names)?;
    loop {
        let mut job = Job { bytes: feed.buffer(), rows: 0, entries: Vec::new(), flaws: Vec::new() };
        job.bytes.clear();
        // The rows of the header belong to the first chunk.
        let before = if feed.next() == 0 { 0 } else { table.line - 1 };
        let mut more = true;
        while more && job.bytes.len() < chunk {
            let base = job.bytes.len();
            match table.next(&mut job.bytes) {
                Step::Record(place) => job.take(base, table, place, before, &columns),
                Step::Flaw(flaw, goes_on) => {
                    job.bytes.truncate(base);
                    job.flaws.push(Flaw { row: flaw.row - before, ..flaw });
                    more = goes_on;
                }
                Step::End => more = false,
            }
        }
        job.rows = table.line - 1 - before + u64::from(!more && table.open);
        if !feed.send(job) || !more {
            return Ok(());
        }
    }
}

impl Job {
    fn take(&mut self, base: usize, table: &Table<'_>, (row, span): (u64, Span), before: u64, columns: &Columns) {
        let ends = &table.ends[..table.count];
        let row = row - before;
        if ends.len() != columns.count {
            let fields = if ends.len() == 1 { "field" } else { "fields" };
            let reason = format!("the record has {} {fields}, the header has {}", ends.len(), columns.count);
            let flaw = Flaw::new(row, span.offset, &self.bytes[base..], reason);
            self.flaws.push(Flaw { len: span.len, ..flaw });
            self.bytes.truncate(base);
            return;
        }
        let field = |column: usize| base + if column == 0 { 0 } else { ends[column - 1] }..base + ends[column];
        let mut fields = [const { 0..0 }; MOST_NAMES];
        for (slot, column) in columns.wanted.iter().enumerate() {
            fields[slot] = field(*column);
        }
        self.entries.push(Entry { row, span, whole: base..self.bytes.len(), fields });
    }
}

struct Columns {
    count: usize,
    wanted: Vec<usize>,
}

fn columns(name: &str, roles: &Roles, names: &[String]) -> Result<Columns> {
    let find = |wanted: &String| {
        let mut found = (0..names.len()).filter(|column| names[*column] == *wanted);
        match (found.next(), found.next()) {
            (Some(column), None) => Ok(column),
            (None, _) => Err(Error::Field { name: name.to_owned(), field: wanted.clone(), available: listed(names) }),
            (Some(_), Some(_)) => {
                Err(Error::Damaged { name: name.to_owned(), reason: format!("the header names the field \"{wanted}\" twice") })
            }
        }
    };
    Ok(Columns { count: names.len(), wanted: roles.names.iter().map(find).collect::<Result<_>>()? })
}

enum Step {
    /// The line on which the record begins in the source, from 1, and where it stands.
    Record((u64, Span)),
    /// What is wrong, with its line in the source, and whether reading can go on.
    Flaw(Flaw, bool),
    End,
}

/// A CSV file, record by record.
struct Table<'s> {
    stream: &'s mut dyn Read,
    source: &'s Source,
    reader: csv_core::Reader,
    longest: usize,
    input: Vec<u8>,
    at: usize,
    offset: u64,
    ended: bool,
    /// Whether the stream broke off.
    broken: bool,
    pending: Option<std::io::Error>,
    /// The line on which the next record begins, from 1.
    line: u64,
    /// Whether the last byte read did not end its line.
    open: bool,
    /// Where each field of the last record ends, from the start of its bytes.
    ends: Vec<usize>,
    count: usize,
}

const STEP: usize = 256 << 10;

impl<'s> Table<'s> {
    fn new(stream: &'s mut dyn Read, delimiter: u8, source: &'s Source, longest: usize) -> Self {
        let reader = csv_core::ReaderBuilder::new().delimiter(delimiter).build();
        Table {
            stream,
            source,
            reader,
            longest,
            input: Vec::new(),
            at: 0,
            offset: 0,
            ended: false,
            broken: false,
            pending: None,
            line: 1,
            open: false,
            ends: vec![0; 64],
            count: 0,
        }
    }

    /// Adds the fields of the next record to `out`; their ends are in `ends`.
    fn next(&mut self, out: &mut Vec<u8>) -> Step {
        let base = out.len();
        let mut filled = base;
        self.count = 0;
        if let Err(flaw) = self.skip_blank_lines() {
            return Step::Flaw(flaw, false);
        }
        if self.is_done() {
            return Step::End;
        }
        let (row, start) = (self.line, self.offset);
        loop {
            if out.len() < filled + STEP {
                out.resize(filled + STEP, 0);
            }
            if self.ends.len() < self.count + 64 {
                self.ends.resize(self.count + 64, 0);
            }
            // The last record may lack its line end; one is lent to it, and if that ends nothing, a quote is open.
            let closing = self.is_done();
            let input = if closing { &b"\n"[..] } else { &self.input[self.at..] };
            let (result, read, written, ends) = self.reader.read_record(input, &mut out[filled..], &mut self.ends[self.count..]);
            if !closing {
                self.advance(read);
            }
            filled += written;
            self.count += ends;
            let wrong = match result {
                ReadRecordResult::Record => {
                    out.truncate(filled);
                    // The reader stops after a carriage return; the line feed belongs to it.
                    if !closing && self.line_feed_follows() {
                        self.advance(1);
                    }
                    return Step::Record((row, Span { offset: start, len: self.offset - start }));
                }
                ReadRecordResult::End => return Step::End,
                ReadRecordResult::InputEmpty if closing => Some("a quote opens a field here and nothing closes it".to_owned()),
                ReadRecordResult::InputEmpty => match self.refill() {
                    Ok(()) => None,
                    Err(error) => {
                        self.broken = true;
                        Some(damage(self.source.compression, &error))
                    }
                },
                ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => None,
            };
            let too_long = (self.offset - start > self.longest as u64).then(|| too_long(self.longest));
            if let Some(reason) = wrong.or(too_long) {
                let flaw = Flaw::new(row, start, &out[base..filled], reason);
                let flaw = Flaw { len: self.offset - start, ..flaw };
                return Step::Flaw(if self.broken { flaw.open_ended() } else { flaw }, false);
            }
        }
    }

    fn is_done(&self) -> bool {
        self.ended && self.at == self.input.len()
    }

    fn line_feed_follows(&mut self) -> bool {
        if self.input.get(self.at.wrapping_sub(1)) != Some(&b'\r') {
            return false;
        }
        if self.at == self.input.len() && !self.ended {
            // The record is whole all the same: the error belongs to the next one.
            if let Err(error) = self.refill() {
                self.pending = Some(error);
            }
        }
        self.input.get(self.at) == Some(&b'\n')
    }

    fn skip_blank_lines(&mut self) -> Result<(), Flaw> {
        loop {
            match self.input.get(self.at) {
                Some(b'\n' | b'\r') => self.advance(1),
                Some(_) => return Ok(()),
                None if self.ended => return Ok(()),
                None => self
                    .refill()
                    .map_err(|error| Flaw::new(self.line, self.offset, &[], damage(self.source.compression, &error)).open_ended())?,
            }
        }
    }

    fn advance(&mut self, count: usize) {
        let read = &self.input[self.at..self.at + count];
        self.line += memchr_iter(b'\n', read).count() as u64;
        self.open = read.last().map_or(self.open, |byte| *byte != b'\n');
        self.at += count;
        self.offset += count as u64;
    }

    /// Takes in more bytes; all that were there must have been read.
    fn refill(&mut self) -> std::io::Result<()> {
        if let Some(error) = self.pending.take() {
            return Err(error);
        }
        self.input.clear();
        self.at = 0;
        match fill(self.stream, &mut self.input, STEP) {
            Ok(ended) => self.ended = ended,
            Err(error) if self.input.is_empty() => return Err(error),
            // What came before the damage is read first.
            Err(error) => self.pending = Some(error),
        }
        if self.offset == 0 && self.input.starts_with(BOM) {
            self.at = BOM.len();
            self.offset = BOM.len() as u64;
        }
        Ok(())
    }
}
