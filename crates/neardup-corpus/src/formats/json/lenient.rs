//! JSON with the numbers that Python writes and JSON does not have.

use crate::formats::json::library::ask;
use crate::formats::json::value::{JsonValue, ValueSlots};

/// What replaces such a number, with as many bytes.
const NUMBERS: [(&str, &str); 2] = [("NaN", "0.0"), ("Infinity", "0.000000")];

/// Like [`ask`]. Values may also be `NaN`, `Infinity` and `-Infinity`.
pub(super) fn ask_leniently<'a>(line: &'a str, names: &[String]) -> Result<ValueSlots<'a>, String> {
    ask(line, names).or_else(|reason| {
        let replaced = without_odd_numbers(line).ok_or(reason)?;
        let slots = ask(&replaced, names)?;
        // A value has the same place in both lines.
        Ok(slots.map(|slot| {
            slot.map(|value| {
                value.map(|part| {
                    let start = part.as_ptr().addr() - replaced.as_ptr().addr();
                    &line[start..start + part.len()]
                })
            })
        }))
    })
}

/// Returns the line with other numbers of the same length, or `None` if it has no odd number outside strings.
pub(super) fn without_odd_numbers(line: &str) -> Option<String> {
    let mut replaced = String::with_capacity(line.len());
    let (mut at, mut is_inside) = (0, false);
    let bytes = line.as_bytes();
    let mut copied = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if is_inside => at += 1,
            b'"' => is_inside = !is_inside,
            b'N' | b'I' if !is_inside => {
                if let Some((odd, number)) = NUMBERS.iter().find(|(odd, _)| line[at..].starts_with(odd)) {
                    replaced.push_str(&line[copied..at]);
                    replaced.push_str(number);
                    copied = at + odd.len();
                    at = copied - 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    replaced.push_str(&line[copied..]);
    (replaced != line).then_some(replaced)
}

impl<'a> JsonValue<'a> {
    /// Returns the value with its text changed by `change`.
    fn map<'b>(self, change: impl FnOnce(&'a str) -> &'b str) -> JsonValue<'b> {
        match self {
            JsonValue::Text(text) => JsonValue::Text(change(text)),
            JsonValue::Escaped(text) => JsonValue::Escaped(change(text)),
            JsonValue::Number(text) => JsonValue::Number(change(text)),
            JsonValue::Nested(text) => JsonValue::Nested(change(text)),
            JsonValue::Truth(truth) => JsonValue::Truth(truth),
            JsonValue::Null => JsonValue::Null,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_numbers_do_not_hide_the_text() {
        let names = ["text".to_owned(), "x".to_owned()];
        for (line, x) in [
            (r#"{"a": NaN, "text": "NaN \" Infinity", "x": -Infinity}"#, Some("-Infinity")),
            (r#"{"text": "NaN \" Infinity", "b": [Infinity, {"c": NaN}], "x": [NaN]}"#, Some("[NaN]")),
            (r#"{"text": "NaN \" Infinity", "b": "é", "c": NaN}"#, None),
        ] {
            let slots = ask_leniently(line, &names).unwrap();
            assert_eq!(slots[0], Some(JsonValue::Escaped(r#"NaN \" Infinity"#)), "{line}");
            let written = slots[1].map(|value| match value {
                JsonValue::Number(text) | JsonValue::Nested(text) => text,
                _ => "",
            });
            assert_eq!(written, x, "{line}");
        }
    }

    #[test]
    fn what_is_no_number_is_still_refused() {
        for line in [r#"{"text": "a", "b": NaNa}"#, r#"{"text": "a", "b": Inf}"#, r#"{"text": "a" NaN}"#, r#"{"text": NaN "a"}"#] {
            assert!(ask_leniently(line, &["text".to_owned()]).unwrap_err().contains("broken JSON"), "{line}");
        }
    }
}
