//! Replacing the text in one record of a table.

use crate::control::JobControl;
use crate::dialect::Dialect;
use crate::error::Result;
use crate::formats::csv::table::{CsvStep, CsvTable};
use crate::keep::TextSlot;
use crate::records::fields::Fields;
use crate::sources::source::Source;
use crate::sources::stream::{BOM, open};

/// The number of the field that is the text.
struct Field(usize, Dialect);

/// Finds the text field in the header of a source. Returns `None` if there is no such field.
pub(super) fn text_slot(source: &Source, fields: &Fields, dialect: Dialect) -> Result<Option<Box<dyn TextSlot>>> {
    let (control, mut header) = (JobControl::default(), Vec::new());
    let mut stream = open(source, &control, None)?;
    let mut table = CsvTable::new(stream.as_mut(), dialect, source, usize::MAX);
    let CsvStep::Record(_) = table.next(&mut header) else { return Ok(None) };
    let starts = std::iter::once(&0).chain(&table.ends);
    let mut names = starts.zip(&table.ends[..table.count]).map(|(&start, &end)| &header[start..end]);
    let field = names.position(|name| name == fields.text.as_bytes());
    Ok(field.map(|field| Box::new(Field(field, dialect)) as Box<dyn TextSlot>))
}

impl TextSlot for Field {
    fn with_text(&self, record: &[u8], text: &str) -> Option<Vec<u8>> {
        // Marks of files that were joined are no part of the first field.
        let mut fields = record;
        while let Some(rest) = fields.strip_prefix(BOM) {
            fields = rest;
        }
        let marks = &record[..record.len() - fields.len()];
        Some([marks, &csv(fields, text, self.0, self.1)?].concat())
    }
}

/// Replaces a field. If the dialect has quotes, the field is always written in quotes.
fn csv(record: &[u8], text: &str, field: usize, dialect: Dialect) -> Option<Vec<u8>> {
    let mut reader = dialect.reader();
    let (mut room, mut number, mut start, mut at) = ([0; 1 << 12], 0, 0, 0);
    loop {
        // The last field may lack its line end, so one is supplied.
        let is_lent = at == record.len();
        let input = if is_lent { &b"\n"[..] } else { &record[at..] };
        let (result, read, _) = reader.read_field(input, &mut room);
        at += if is_lent { 0 } else { read };
        match result {
            csv_core::ReadFieldResult::Field { record_end } => {
                if number == field {
                    // The byte that ended the field was read with it.
                    let end = at - usize::from(!is_lent);
                    let field = match dialect.quoted {
                        true => format!("\"{}\"", text.replace('"', "\"\"")),
                        // The new text is a part of the old one, which contained no delimiter and no line end.
                        false => text.to_owned(),
                    };
                    return Some([&record[..start], field.as_bytes(), &record[end..]].concat());
                }
                if record_end {
                    return None;
                }
                (number, start) = (number + 1, at);
            }
            csv_core::ReadFieldResult::End => return None,
            csv_core::ReadFieldResult::InputEmpty if is_lent => return None,
            csv_core::ReadFieldResult::InputEmpty | csv_core::ReadFieldResult::OutputFull => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_of_csv() {
        let table = [
            ("a,b,c\r\n", 0, "x", "\"x\",b,c\r\n"),
            ("a,b,c\r\n", 1, "x", "a,\"x\",c\r\n"),
            ("a,b,c\r\n", 2, "x", "a,b,\"x\"\r\n"),
            ("a,b", 1, "say \"x\"", "a,\"say \"\"x\"\"\""),
            ("\"a,\"\"\n\",\"b\nb\" ,c\n", 1, "", "\"a,\"\"\n\",\"\",c\n"),
            ("a,\"b\"\n", 1, "한,글", "a,\"한,글\"\n"),
        ];
        for (record, field, text, expected) in table {
            let written = csv(record.as_bytes(), text, field, Dialect::CSV);
            assert_eq!(written.map(|bytes| String::from_utf8(bytes).unwrap()).as_deref(), Some(expected), "{record:?}");
        }
        assert_eq!(csv(b"a,b\n", "x", 2, Dialect::CSV), None);
        assert_eq!(csv(b"a\t\"b\tc\n", "x \"y", 1, Dialect { delimiter: b'\t', quoted: false }).unwrap(), b"a\tx \"y\tc\n");
        let long = format!("{},{}\n", "y".repeat(10_000), "z".repeat(10_000));
        assert_eq!(csv(long.as_bytes(), "x", 1, Dialect::CSV).unwrap(), format!("{},\"x\"\n", "y".repeat(10_000)).as_bytes());
    }
}
