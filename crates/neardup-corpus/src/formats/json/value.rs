use crate::records::fields::MOST_NAMES;

/// One JSON value as it is in its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value<'a> {
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
pub(crate) type Slots<'a> = [Option<Value<'a>>; MOST_NAMES];

impl Value<'_> {
    /// The kind of value in words.
    pub fn kind(self) -> &'static str {
        match self {
            Value::Text(_) | Value::Escaped(_) => "a string",
            Value::Number(_) => "a number",
            Value::Truth(_) => "a truth value",
            Value::Null => "null",
            Value::Nested(text) if text.starts_with('{') => "an object",
            Value::Nested(_) => "an array",
        }
    }
}
