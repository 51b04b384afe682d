//! Replacing the text in one line of JSON.

use crate::formats::json::lenient::ask_leniently;
use crate::formats::json::value::{JsonValue, ValueSlots};
use crate::formats::json::walk::walk;
use crate::keep::TextSlot;
use crate::records::fields::FieldRoles;

/// The text is the value of a member.
pub(super) struct TextMember(pub FieldRoles);

impl TextSlot for TextMember {
    fn with_text(&self, record: &[u8], text: &str) -> Option<Vec<u8>> {
        json(record, text, &self.0)
    }
}

fn json(line: &[u8], text: &str, roles: &FieldRoles) -> Option<Vec<u8>> {
    let line = std::str::from_utf8(line).ok()?;
    let mut slots = ValueSlots::default();
    if walk(line, 0, &roles.names, &mut slots).is_none() {
        slots = ask_leniently(line.trim_start_matches('\u{feff}').trim_end_matches(['\r', '\n']), &roles.names).ok()?;
    }
    let (JsonValue::Text(inside) | JsonValue::Escaped(inside)) = slots[roles.text]? else { return None };
    // The value is a slice of the line, so the distance of their addresses is its place.
    let start = inside.as_ptr().addr() - line.as_ptr().addr();
    let quoted = serde_json::to_string(text).ok()?;
    Some([&line[..start], &quoted[1..quoted.len() - 1], &line[start + inside.len()..]].concat().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::fields::Fields;

    #[test]
    fn a_member_of_json() {
        let roles = FieldRoles::new(&Fields::default());
        let table = [
            (r#"{"a": "text", "text": "x\u00e9" }"#, r#"{"a": "text", "text": "\"\n한" }"#),
            // The library finds a key with an escape.
            ("{\"te\\u0078t\":\"\"}\r\n", "{\"te\\u0078t\":\"\\\"\\n한\"}\r\n"),
        ];
        for (line, expected) in table {
            assert_eq!(json(line.as_bytes(), "\"\n한", &roles).unwrap(), expected.as_bytes());
        }
        assert_eq!(json(b"{\"text\": 3}", "x", &roles), None);
    }
}
