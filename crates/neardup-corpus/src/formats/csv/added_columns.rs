//! Adding columns to a table that is stored as text.

use crate::dialect::Dialect;
use crate::keep::AddedValue;

/// Returns the bytes of a record, or of the header, with more fields after its own; every other byte stays. Returns the place of the
/// first value that the dialect cannot hold if there is one.
pub(super) fn with_fields(record: &[u8], values: &[AddedValue], dialect: Dialect) -> Result<Vec<u8>, usize> {
    let end = record.len() - line_end(record);
    let mut written = record[..end].to_vec();
    for (place, value) in values.iter().enumerate() {
        written.push(dialect.delimiter);
        let value = value.shown();
        let is_plain =
            !value.bytes().any(|byte| byte == dialect.delimiter || matches!(byte, b'\r' | b'\n') || dialect.quoted && byte == b'"');
        match (is_plain, dialect.quoted) {
            (true, _) => written.extend_from_slice(value.as_bytes()),
            (false, true) => written.extend_from_slice(format!("\"{}\"", value.replace('"', "\"\"")).as_bytes()),
            (false, false) => return Err(place),
        }
    }
    written.extend_from_slice(&record[end..]);
    Ok(written)
}

/// Returns the number of bytes of the line end of a record.
fn line_end(record: &[u8]) -> usize {
    match record {
        [.., b'\r', b'\n'] => 2,
        [.., b'\r' | b'\n'] => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_before_the_line_end() {
        let values = [AddedValue::Text("a,\"b\"".to_owned()), AddedValue::Number(3)];
        let table = [
            ("1,\"x\r\n\"\r\n", "1,\"x\r\n\",\"a,\"\"b\"\"\",3\r\n"),
            ("1,\n", "1,,\"a,\"\"b\"\"\",3\n"),
            ("1,x", "1,x,\"a,\"\"b\"\"\",3"),
            ("x\r", "x,\"a,\"\"b\"\"\",3\r"),
        ];
        for (record, expected) in table {
            let written = with_fields(record.as_bytes(), &values, Dialect::CSV).unwrap();
            assert_eq!(String::from_utf8(written).unwrap(), expected);
        }
        assert_eq!(with_fields(b"1\t\"x\n", &values, Dialect::TSV).unwrap(), b"1\t\"x\ta,\"b\"\t3\n");
        let broken = [AddedValue::Number(3), AddedValue::Text("a\tb".to_owned())];
        assert_eq!(with_fields(b"1\n", &broken, Dialect::TSV), Err(1));
        assert_eq!(with_fields(b"1\n", &broken, Dialect { quoted: true, ..Dialect::TSV }).unwrap(), b"1\t3\t\"a\tb\"\n");
    }
}
