use std::io::Read;

use csv_core::ReadRecordResult;

use crate::dialect::Dialect;
use crate::formats::csv::delimiter::declared_delimiter;
use crate::formats::csv::line_ends::LineEnds;
use crate::records::place::SourceSpan;
use crate::reject::{EXCERPT_BYTES, RecordError, too_long};
use crate::sources::source::Source;
use crate::sources::stream::{BOM, fill};

/// Result of reading one record of a table.
pub(crate) enum CsvStep {
    /// First line of the record in the source, counted from 1, and its span.
    Record((u64, SourceSpan)),
    /// What is wrong with a record, with its line in the source, and whether reading can continue.
    RecordError(RecordError, bool),
    End,
}

/// Reads a CSV file record by record.
pub(crate) struct CsvTable<'s> {
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
    /// First line of the next record, counted from 1.
    pub line: u64,
    /// Whether the last byte read is inside a line.
    pub open: bool,
    line_ends: LineEnds,
    /// First bytes of the last record, as written.
    pub head: Vec<u8>,
    has_begun: bool,
    /// Whether a line end was supplied to the last record, which had none.
    pub lacks_line_end: bool,
    /// End of each field of the last record, relative to the start of its bytes.
    pub ends: Vec<usize>,
    pub count: usize,
}

const STEP: usize = 256 << 10;

impl<'s> CsvTable<'s> {
    pub fn new(stream: &'s mut dyn Read, dialect: Dialect, source: &'s Source, longest: usize) -> Self {
        CsvTable {
            stream,
            source,
            reader: dialect.reader(),
            longest,
            input: Vec::new(),
            at: 0,
            offset: 0,
            ended: false,
            broken: false,
            pending: None,
            line: 1,
            open: false,
            line_ends: LineEnds::default(),
            head: Vec::new(),
            has_begun: false,
            lacks_line_end: false,
            ends: vec![0; 64],
            count: 0,
        }
    }

    /// Appends the fields of the next record to `out`. Their ends are in `ends`.
    pub fn next(&mut self, out: &mut Vec<u8>) -> CsvStep {
        let base = out.len();
        let mut filled = base;
        self.count = 0;
        if let Err(flaw) = self.skip_declaration() {
            return CsvStep::RecordError(flaw, false);
        }
        // A byte order mark of a file that was joined belongs to the record after it, and goes with it.
        let mut mark = None;
        loop {
            let before = self.offset;
            if let Err(flaw) = self.skip_blank_lines() {
                return CsvStep::RecordError(flaw, false);
            }
            if self.is_done() {
                return CsvStep::End;
            }
            mark = mark.filter(|_| self.offset == before);
            let before = self.offset;
            match self.skip_mark() {
                Ok(true) => mark = mark.or(Some(before)),
                Ok(false) => break,
                Err(error) => {
                    self.pending = Some(error);
                    break;
                }
            }
        }
        let (row, start) = (self.line, mark.unwrap_or(self.offset));
        self.head.clear();
        let mut is_too_long = false;
        loop {
            if out.len() < filled + STEP {
                out.resize(filled + STEP, 0);
            }
            if self.ends.len() < self.count + 64 {
                self.ends.resize(self.count + 64, 0);
            }
            // The last record may lack its line end, so one is supplied. If it ends nothing, a quote is still open.
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
                    // The reader stops after a carriage return. A line feed after it belongs to the record.
                    if !closing && self.line_feed_follows() {
                        self.advance(1);
                    }
                    self.lacks_line_end = closing;
                    if is_too_long {
                        return CsvStep::RecordError(self.refused(row, start, too_long(self.longest)), true);
                    }
                    return CsvStep::Record((row, SourceSpan { offset: start, len: self.offset - start }));
                }
                ReadRecordResult::End => return CsvStep::End,
                ReadRecordResult::InputEmpty if closing => Some(self.unclosed(row)),
                ReadRecordResult::InputEmpty => match self.refill() {
                    Ok(()) => None,
                    Err(error) => {
                        self.broken = true;
                        Some(self.source.compression.damage(&error))
                    }
                },
                ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => None,
            };
            if let Some(reason) = wrong {
                let flaw = self.refused(row, start, reason);
                return CsvStep::RecordError(if self.broken { flaw.open_ended() } else { flaw }, false);
            }
            is_too_long |= self.offset - start > self.longest as u64;
            if is_too_long {
                // The rest of the record is read, but not stored.
                (filled, self.count) = (base, 0);
            }
        }
    }

    /// Reads what is left. Returns the reject of a record with all that follows it.
    pub fn with_rest(&mut self, flaw: RecordError) -> RecordError {
        while !self.broken && !self.is_done() {
            self.advance(self.input.len() - self.at);
            self.broken = self.refill().is_err();
        }
        let flaw = RecordError { len: self.offset - flaw.offset, ..flaw };
        if self.broken { flaw.open_ended() } else { flaw }
    }

    fn refused(&self, row: u64, start: u64, reason: String) -> RecordError {
        RecordError { len: self.offset - start, ..RecordError::new(row, start, &self.head, reason) }
    }

    /// Returns what is wrong with a record whose quote is still open at the end of the file.
    fn unclosed(&self, row: u64) -> String {
        let lines = match self.line - row + u64::from(self.open) {
            0 | 1 => "line".to_owned(),
            lines => format!("{lines} lines"),
        };
        format!("a quote opens a field here and nothing closes it; it took the {lines} to the end of the file")
    }

    /// Skips a first line that only declares the delimiter, as spreadsheets write it.
    fn skip_declaration(&mut self) -> Result<(), RecordError> {
        if std::mem::replace(&mut self.has_begun, true) {
            return Ok(());
        }
        let skipped = self.refill().and_then(|()| self.skip_mark());
        skipped.map_err(|error| self.damaged(&error))?;
        if let Some((_, line)) = declared_delimiter(&self.input[self.at..]) {
            self.advance(line);
        }
        Ok(())
    }

    /// Returns the reject of what follows.
    fn damaged(&mut self, error: &std::io::Error) -> RecordError {
        self.broken = true;
        RecordError::new(self.line, self.offset, &[], self.source.compression.damage(error)).open_ended()
    }

    fn is_done(&self) -> bool {
        self.ended && self.at == self.input.len()
    }

    fn line_feed_follows(&mut self) -> bool {
        if self.input.get(self.at.wrapping_sub(1)) != Some(&b'\r') {
            return false;
        }
        if self.at == self.input.len() && !self.ended {
            // The record is complete: the error belongs to the next one.
            if let Err(error) = self.refill() {
                self.pending = Some(error);
            }
        }
        self.input.get(self.at) == Some(&b'\n')
    }

    fn skip_blank_lines(&mut self) -> Result<(), RecordError> {
        loop {
            match self.input.get(self.at) {
                Some(b'\n' | b'\r') => self.advance(1),
                Some(_) => return Ok(()),
                None if self.ended => return Ok(()),
                None => self.refill().map_err(|error| self.damaged(&error))?,
            }
        }
    }

    /// Skips a byte order mark before a record, and returns whether there was one: where files were joined, it precedes a line that is
    /// not the first.
    fn skip_mark(&mut self) -> std::io::Result<bool> {
        while !self.ended && self.input.len() - self.at < BOM.len() && BOM.starts_with(&self.input[self.at..]) {
            let more = self.input.len() + STEP;
            self.ended = fill(self.stream, &mut self.input, more)?;
        }
        let is_mark = self.input[self.at..].starts_with(BOM);
        if is_mark {
            self.advance(BOM.len());
        }
        Ok(is_mark)
    }

    fn advance(&mut self, count: usize) {
        let read = &self.input[self.at..self.at + count];
        self.line += self.line_ends.count(read);
        self.open = read.last().map_or(self.open, |byte| !matches!(byte, b'\n' | b'\r'));
        let missing = EXCERPT_BYTES.saturating_sub(self.head.len());
        self.head.extend_from_slice(&read[..count.min(missing)]);
        self.at += count;
        self.offset += count as u64;
    }

    /// Reads more bytes. All buffered bytes must have been consumed.
    fn refill(&mut self) -> std::io::Result<()> {
        if let Some(error) = self.pending.take() {
            return Err(error);
        }
        self.input.clear();
        self.at = 0;
        match fill(self.stream, &mut self.input, STEP) {
            Ok(ended) => self.ended = ended,
            Err(error) if self.input.is_empty() => return Err(error),
            // The bytes before the damage are returned first.
            Err(error) => self.pending = Some(error),
        }
        Ok(())
    }
}
