//! What a `.json` file contains: lines of JSON, or values that may span lines.

use crate::format::Format;
use crate::formats::json::finite::finite;
use crate::formats::json::values::JSON;

/// Whether the content of a file decides how it is read.
pub(crate) fn is_shape_open(format: Format) -> bool {
    format == Format(&JSON)
}

/// Whether a file with these first bytes has a record in each line: whether its first line that is not blank is an object.
pub(crate) fn is_lines(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let first = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let line = first.lines().next().unwrap_or_default();
    let is_object = |line: &str| serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(line).is_ok();
    line.is_empty() || is_object(line) || finite(line).is_some_and(|line| is_object(&line))
}

#[cfg(test)]
mod tests {
    use super::is_lines;

    #[test]
    fn lines_and_other_shapes() {
        for head in ["", "\n", "{\"a\": 1}", "\u{feff}\n {\"a\": 1}\n{", "{\"a\": NaN}\n"] {
            assert!(is_lines(head.as_bytes()), "{head:?}");
        }
        for head in ["[", "[{\"a\": 1}]\n", "{\n\"a\": 1}", "{\"a\": 1", "x", "{\"a\": 1}, {"] {
            assert!(!is_lines(head.as_bytes()), "{head:?}");
        }
    }
}
