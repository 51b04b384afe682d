//! Adding members to one object of JSON.

use crate::keep::{AddedField, AddedRow, AddedValue};

/// Returns the bytes of a record with more members after its own, or the name that the record has already.
///
/// Every other byte stays. The record was accepted when it was read, so its brackets and strings are known to be balanced.
pub(super) fn with_members<'f>(record: &[u8], added: &'f [AddedField], row: &AddedRow) -> Result<Vec<u8>, Taken<'f>> {
    if let Some(field) = added.iter().find(|field| names(record).any(|name| is_named(name, &field.name))) {
        return Err(Taken(&field.name));
    }
    let end = record.iter().rposition(|&byte| byte == b'}').unwrap_or(record.len());
    let mut written = record[..end].to_vec();
    let mut is_first = record[..end].trim_ascii_end().ends_with(b"{");
    for (field, value) in added.iter().zip(&row.values) {
        let value = match value {
            AddedValue::Number(number) => number.to_string(),
            AddedValue::Text(text) => quoted(text),
        };
        let comma = if std::mem::take(&mut is_first) { "" } else { ", " };
        written.extend_from_slice(format!("{comma}{}: {value}", quoted(&field.name)).as_bytes());
    }
    written.extend_from_slice(&record[end..]);
    Ok(written)
}

/// A name that is taken.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Taken<'f>(pub &'f str);

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns the names of the members of an object as they are written, with their quotes.
fn names(record: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (mut at, mut depth) = (0, 0usize);
    std::iter::from_fn(move || {
        while at < record.len() {
            let start = at;
            at += 1;
            match record[start] {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth = depth.saturating_sub(1),
                b'"' => {
                    while at < record.len() && record[at] != b'"' {
                        at += if record[at] == b'\\' { 2 } else { 1 };
                    }
                    at += 1;
                    let name = record.get(start..at)?;
                    // In the outermost object, only names have a colon after them.
                    if depth == 1 && record[at..].trim_ascii_start().starts_with(b":") {
                        return Some(name);
                    }
                }
                _ => {}
            }
        }
        None
    })
}

fn is_named(written: &[u8], name: &str) -> bool {
    let inside = &written[1..written.len() - 1];
    inside == name.as_bytes() || inside.contains(&b'\\') && serde_json::from_slice::<String>(written).is_ok_and(|found| found == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields() -> [AddedField; 2] {
        [("duplicate_id", false), ("size", true)].map(|(name, is_number)| AddedField { name: name.to_owned(), is_number })
    }

    #[test]
    fn members_follow_the_own_ones() {
        let row = AddedRow { row: 1, values: vec![AddedValue::Text("a\"b\n".to_owned()), AddedValue::Number(3)] };
        let table = [
            ("{\"text\": \"}\"}\r\n", "{\"text\": \"}\", \"duplicate_id\": \"a\\\"b\\n\", \"size\": 3}\r\n"),
            (
                "{\"a\":{\"size\":[1,{\"size\":2}]} , \"b\":NaN } ",
                "{\"a\":{\"size\":[1,{\"size\":2}]} , \"b\":NaN , \"duplicate_id\": \"a\\\"b\\n\", \"size\": 3} ",
            ),
            ("{ }", "{ \"duplicate_id\": \"a\\\"b\\n\", \"size\": 3}"),
            (
                "{\"a\":\"\\\\\",\"b\":[\"size\"],\"c\":\"\\\"size\\\":\"},\n",
                "{\"a\":\"\\\\\",\"b\":[\"size\"],\"c\":\"\\\"size\\\":\", \"duplicate_id\": \"a\\\"b\\n\", \"size\": 3},\n",
            ),
        ];
        for (record, expected) in table {
            let written = with_members(record.as_bytes(), &fields(), &row).unwrap();
            assert_eq!(String::from_utf8(written).unwrap(), expected);
        }
    }

    #[test]
    fn a_name_that_is_taken() {
        let row = AddedRow { row: 1, values: vec![AddedValue::Number(1), AddedValue::Number(3)] };
        for record in ["{\"size\":1}", "{\"a\":[{}],\"size\" : 1}", "{\"s\\u0069ze\":null}", "\u{feff}{\"b\":\"\\\\\",\"size\":{}}"] {
            assert_eq!(with_members(record.as_bytes(), &fields(), &row), Err(Taken("size")), "{record}");
        }
    }
}
