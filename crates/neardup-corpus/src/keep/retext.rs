//! One record with another text: a line of JSON, a record of CSV, a file that is one document.

use crate::dialect::Dialect;
use crate::error::Result;
use crate::format::Format;
use crate::formats::csv::table::{Step, Table};
use crate::formats::json::library::ask;
use crate::formats::json::value::{Slots, Value};
use crate::formats::json::walk::walk;
use crate::records::fields::{FieldRoles, Fields};
use crate::sources::source::Source;
use crate::sources::stream::{BOM, open};

use crate::control::Control;

/// How the text of a record is found in its bytes.
pub(super) enum Home {
    /// The value of a member; the names of all that are wanted.
    Json(FieldRoles),
    /// A field, by its number.
    Csv(usize, Dialect),
    /// The whole of it.
    File,
}

impl Home {
    /// That of the records of a source; of CSV by its header. None where there is no such field, or no place for a text.
    pub fn of(source: &Source, fields: &Fields) -> Result<Option<Home>> {
        Ok(match source.format {
            Format::Jsonl => Some(Home::Json(FieldRoles::new(fields))),
            Format::Plain => Some(Home::File),
            Format::Csv(dialect) => {
                let dialect = fields.dialect(dialect);
                let (control, mut header) = (Control::default(), Vec::new());
                let mut stream = open(source, &control)?;
                let mut table = Table::new(stream.as_mut(), dialect, source, usize::MAX);
                match table.next(&mut header) {
                    Step::Record(_) => {
                        let starts = std::iter::once(&0).chain(&table.ends);
                        let mut names = starts.zip(&table.ends[..table.count]).map(|(&start, &end)| &header[start..end]);
                        names.position(|name| name == fields.text.as_bytes()).map(|field| Home::Csv(field, dialect))
                    }
                    _ => None,
                }
            }
            Format::Markup | Format::Archive | Format::Parquet => None,
        })
    }

    /// The bytes of a record with another text; None when they are none with a text.
    pub fn with_text(&self, record: &[u8], text: &str) -> Option<Vec<u8>> {
        match self {
            Home::Json(roles) => json(record, text, roles),
            Home::Csv(field, dialect) => csv(record, text, *field, *dialect),
            Home::File => {
                let mark = if record.starts_with(BOM) { BOM } else { b"" };
                Some([mark, text.as_bytes()].concat())
            }
        }
    }
}

fn json(line: &[u8], text: &str, roles: &FieldRoles) -> Option<Vec<u8>> {
    let line = std::str::from_utf8(line).ok()?;
    let mut slots = Slots::default();
    if walk(line, 0, &roles.names, &mut slots).is_none() {
        slots = ask(line.trim_end_matches(['\r', '\n']), &roles.names).ok()?;
    }
    let (Value::Text(inside) | Value::Escaped(inside)) = slots[roles.text]? else { return None };
    // The value is a part of the line, so the distance of their beginnings is its place.
    let start = inside.as_ptr().addr() - line.as_ptr().addr();
    let quoted = serde_json::to_string(text).ok()?;
    Some([&line[..start], &quoted[1..quoted.len() - 1], &line[start + inside.len()..]].concat().into_bytes())
}

/// The field is written in quotes, whether it needs them or not, where there are any.
fn csv(record: &[u8], text: &str, field: usize, dialect: Dialect) -> Option<Vec<u8>> {
    let mut reader = dialect.reader();
    let (mut room, mut number, mut start, mut at) = ([0; 1 << 12], 0, 0, 0);
    loop {
        // The last field may lack its line end; one is lent to it.
        let is_lent = at == record.len();
        let input = if is_lent { &b"\n"[..] } else { &record[at..] };
        let (result, read, _) = reader.read_field(input, &mut room);
        at += if is_lent { 0 } else { read };
        match result {
            csv_core::ReadFieldResult::Field { record_end } => {
                if number == field {
                    // What ended the field was read with it.
                    let end = at - usize::from(!is_lent);
                    let field = match dialect.quoted {
                        true => format!("\"{}\"", text.replace('"', "\"\"")),
                        // It is a part of what was there, which had no delimiter and no line end.
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

    #[test]
    fn a_member_of_json() {
        let roles = FieldRoles::new(&Fields::default());
        let table = [
            (r#"{"a": "text", "text": "x\u00e9" }"#, r#"{"a": "text", "text": "\"\n한" }"#),
            // A key with an escape: the library finds it.
            ("{\"te\\u0078t\":\"\"}\r\n", "{\"te\\u0078t\":\"\\\"\\n한\"}\r\n"),
        ];
        for (line, expected) in table {
            assert_eq!(json(line.as_bytes(), "\"\n한", &roles).unwrap(), expected.as_bytes());
        }
        assert_eq!(json(b"{\"text\": 3}", "x", &roles), None);
    }
}
