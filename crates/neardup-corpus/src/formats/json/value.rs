use std::borrow::Cow;

use neardup_text::Text;

use crate::records::field_name::items_advice;
use crate::records::fields::MOST_NAMES;

/// One JSON value, as written in its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JsonValue<'a> {
    /// The inside of a string without escapes.
    Text(&'a str),
    /// The inside of a string with at least one escape.
    Escaped(&'a str),
    /// A number as written.
    Number(&'a str),
    /// `true` or `false`.
    Truth(bool),
    Null,
    /// An object or array as written.
    Nested(&'a str),
}

/// Values of the wanted names, in the order of the names.
pub(crate) type ValueSlots<'a> = [Option<JsonValue<'a>>; MOST_NAMES];

impl<'a> JsonValue<'a> {
    /// Returns the decoded string, or `None` for another kind of value.
    pub fn string(self) -> Option<Cow<'a, str>> {
        match self {
            JsonValue::Text(text) => Some(Cow::Borrowed(text)),
            JsonValue::Escaped(text) => Some(Text::Json(text.as_bytes()).decode()),
            _ => None,
        }
    }

    /// Returns the same value in the line that `copy` is a copy of.
    pub fn moved<'l>(self, copy: &str, line: &'l str) -> JsonValue<'l> {
        let same = |part: &str| {
            let start = part.as_ptr().addr() - copy.as_ptr().addr();
            &line[start..start + part.len()]
        };
        match self {
            JsonValue::Text(text) => JsonValue::Text(same(text)),
            JsonValue::Escaped(text) => JsonValue::Escaped(same(text)),
            JsonValue::Number(text) => JsonValue::Number(same(text)),
            JsonValue::Nested(text) => JsonValue::Nested(same(text)),
            JsonValue::Truth(truth) => JsonValue::Truth(truth),
            JsonValue::Null => JsonValue::Null,
        }
    }

    /// Returns how the texts inside a value of the field `name` can be named, for messages.
    pub fn advice(self, name: &str) -> String {
        match self {
            JsonValue::Nested(text) if text.starts_with('[') => items_advice(name),
            JsonValue::Nested(_) => format!("; name one of its members, as {name}.NAME"),
            _ => String::new(),
        }
    }

    /// Returns the kind of the value in words, for messages.
    pub fn kind(self) -> &'static str {
        match self {
            JsonValue::Text(_) | JsonValue::Escaped(_) => "a string",
            JsonValue::Number(_) => "a number",
            JsonValue::Truth(_) => "a truth value",
            JsonValue::Null => "null",
            JsonValue::Nested(text) if text.starts_with('{') => "an object",
            JsonValue::Nested(_) => "an array",
        }
    }
}
