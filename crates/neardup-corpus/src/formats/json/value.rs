use crate::records::fields::MOST_NAMES;

/// One JSON value as it is in its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JsonValue<'a> {
    /// The inside of a string without escapes.
    Text(&'a str),
    /// The inside of a string with at least one escape.
    Escaped(&'a str),
    /// A number as it is written.
    Number(&'a str),
    /// `true` or `false`.
    Truth(bool),
    Null,
    /// An object or array as it is written.
    Nested(&'a str),
}

/// The values found for the wanted names, in their order.
pub(crate) type ValueSlots<'a> = [Option<JsonValue<'a>>; MOST_NAMES];

impl JsonValue<'_> {
    /// The kind of value in words.
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
