//! Replacing the text in one line of JSON.

use bumpalo::Bump;

use crate::formats::json::nested::find;
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
    let room = Bump::new();
    if walk(line, 0, &roles.names, &mut slots).is_none() || !roles.are_found(&slots) {
        (slots, _) = find(line.trim_end_matches(['\r', '\n']), roles, &room).ok()?;
    }
    let (JsonValue::Text(inside) | JsonValue::Escaped(inside)) = slots[roles.text]? else { return None };
    // The value is a slice of the line, so the distance of their addresses is its place.
    let start = inside.as_ptr().addr().checked_sub(line.as_ptr().addr()).filter(|start| start + inside.len() <= line.len())?;
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
        let nested = FieldRoles::new(&Fields { text: "doc.text".to_owned(), ..Fields::default() });
        let written = json("\u{feff}{\"doc\": {\"n\": NaN, \"text\":\"x\"}}\n".as_bytes(), "y", &nested);
        assert_eq!(written.as_deref(), Some("\u{feff}{\"doc\": {\"n\": NaN, \"text\":\"y\"}}\n".as_bytes()));
        // Several texts have no place of their own.
        let several = FieldRoles::new(&Fields { text: "a[]".to_owned(), ..Fields::default() });
        assert_eq!(json(b"{\"a\": [\"x\", \"z\"]}", "y", &several), None);
    }
}
