use bumpalo::Bump;
use memchr::memchr;

use crate::encoding::TextEncoding;
use crate::formats::json::library::unmarked;
use crate::formats::json::nested::find;
use crate::formats::json::value::ValueSlots;
use crate::formats::json::walk::walk;
use crate::records::fields::FieldRoles;
use crate::records::missing::MissingFields;
use crate::records::place::{SourceSpan, TextPlace};
use crate::records::record::Record;
use crate::reject::{RecordError, too_long};

/// What to do with a file that is not one object a line.
const NAME_JSON: &str = "if the file is an array, or its values span lines, name it .json";

/// Whether a line that cannot be read may be a part of an array, or of a value that spans lines.
fn spans_lines(line: &str) -> bool {
    let line = unmarked(line).trim();
    line.starts_with('[') || line == "{"
}

/// Reads records from complete lines of JSON.
pub(crate) struct JsonLines<'r> {
    pub roles: &'r FieldRoles,
    /// Maximum number of bytes of a line.
    pub longest: usize,
    /// Encoding of the source, for messages.
    pub encoding: TextEncoding,
}

impl<'r> JsonLines<'r> {
    /// Reads the lines in `bytes`, which begin at `offset` in their source. Returns the number of lines. `room` is for texts that are
    /// joined.
    pub fn read<'a>(&self, bytes: &'a [u8], offset: u64, room: &'a Bump, records: &mut Vec<Record<'a>>, flaws: &mut Vec<RecordError>) -> u64
    where
        'r: 'a,
    {
        if let Ok(chunk) = simdutf8::basic::from_utf8(bytes) {
            return self.read_valid(chunk, offset, 0, room, records, flaws);
        }
        let mut rows = 0;
        let mut start = 0;
        while start < bytes.len() {
            let end = memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |at| start + at + 1);
            let line = &bytes[start..end];
            let at = offset + start as u64;
            match simdutf8::compat::from_utf8(line) {
                Ok(line) => rows = self.read_valid(line, at, rows, room, records, flaws),
                Err(error) => {
                    rows += 1;
                    let reason = self.encoding.refuse(error.valid_up_to(), "the line");
                    flaws.push(RecordError::new(rows, at, line, reason));
                }
            }
            start = end;
        }
        rows
    }

    fn read_valid<'a>(
        &self,
        chunk: &'a str,
        offset: u64,
        rows: u64,
        room: &'a Bump,
        records: &mut Vec<Record<'a>>,
        flaws: &mut Vec<RecordError>,
    ) -> u64
    where
        'r: 'a,
    {
        let mut row = rows;
        let mut start = 0;
        while start < chunk.len() {
            row += 1;
            let mut slots = ValueSlots::default();
            let walked = walk(chunk, start, &self.roles.names, &mut slots);
            let end = walked.unwrap_or_else(|| memchr(b'\n', &chunk.as_bytes()[start..]).map_or(chunk.len(), |at| start + at + 1));
            let line = &chunk[start..end];
            let at = offset + start as u64;
            match self.record(chunk, line, walked.is_some().then_some(&mut slots), room) {
                Ok(Some(record)) => records.push(Record {
                    row,
                    span: SourceSpan { offset: at, len: line.len() as u64 },
                    place: TextPlace::new(0, offset + record.place.offset(), record.place.len(), record.place.is_json()),
                    ..record
                }),
                Ok(None) => {}
                Err(reason) => {
                    let reason = if spans_lines(line) { format!("{reason}; {NAME_JSON}") } else { reason };
                    flaws.push(RecordError::new(row, at, line.as_bytes(), reason));
                }
            }
            start = end;
        }
        row
    }

    /// Returns the record of a line, with the place of its text in the chunk, or `None` for a blank line.
    pub fn record<'a>(
        &self,
        chunk: &'a str,
        line: &'a str,
        walked: Option<&mut ValueSlots<'a>>,
        room: &'a Bump,
    ) -> Result<Option<Record<'a>>, String>
    where
        'r: 'a,
    {
        if line.len() > self.longest {
            return Err(too_long(self.longest));
        }
        let (mut found, missing_texts);
        let slots = match walked {
            Some(slots) if self.roles.are_found(slots) => {
                missing_texts = MissingFields::default();
                slots
            }
            None if unmarked(line).bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')) => {
                return Ok(None);
            }
            _ => {
                (found, missing_texts) = find(line.trim_end_matches(['\r', '\n']), self.roles, room)?;
                &mut found
            }
        };
        self.roles.add_path_values(slots);
        let parts = self.roles.parts(slots, || line)?;
        let (text, json) = match parts.text {
            neardup_text::Text::Plain(text) => (text, false),
            neardup_text::Text::Json(text) => (text, true),
        };
        // The text is a slice of the chunk, so the distance of their addresses is its place. A joined text has no place.
        let start = text.as_ptr().addr().checked_sub(chunk.as_ptr().addr()).filter(|start| start + text.len() <= chunk.len()).unwrap_or(0);
        let place = TextPlace::new(0, start as u64, text.len(), json);
        Ok(Some(Record {
            row: 0,
            span: SourceSpan::default(),
            place,
            text: parts.text,
            id: parts.id,
            url: parts.url,
            time: parts.time,
            number: parts.number,
            group: parts.group,
            rank: parts.rank,
            lacks: (parts.lacks | missing_texts).with(MissingFields::LINE_END, !line.ends_with('\n')),
            file: 0,
        }))
    }
}
