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

impl JsonValue<'_> {
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
