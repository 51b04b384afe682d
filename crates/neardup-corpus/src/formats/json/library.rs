use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::formats::json::value::{JsonValue, ValueSlots};

/// Returns what the JSON library finds in one line for the wanted `names`, or why the line is not a usable record.
///
/// It decides every line that [`crate::formats::json::walk::walk`] is not sure of.
pub(crate) fn ask<'a>(line: &'a str, names: &[String]) -> Result<ValueSlots<'a>, String> {
    let mut slots = ValueSlots::default();
    let mut reader = serde_json::Deserializer::from_str(line);
    reader.deserialize_any(MemberVisitor { names, slots: &mut slots }).map_err(reason)?;
    reader.end().map_err(reason)?;
    Ok(slots)
}

/// Returns the names of the members of an object. The list is empty if `line` is not a valid object.
pub(crate) fn member_names(line: &str) -> Vec<String> {
    serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(line)
        .map(|map| map.into_iter().map(|(name, _)| name).collect())
        .unwrap_or_default()
}

/// Removes the line number: for the library every line is line 1, so only the column is useful.
fn reason(error: serde_json::Error) -> String {
    format!("broken JSON: {error}").replace(" at line 1 column ", " at column ")
}

struct MemberVisitor<'n, 'a> {
    names: &'n [String],
    slots: &'n mut ValueSlots<'a>,
}

impl<'a> Visitor<'a> for MemberVisitor<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(slot) = map.next_key_seed(Name(self.names))? {
            let Some(slot) = slot else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let raw: &'a RawValue = map.next_value()?;
            if self.slots[slot].replace(value::<A::Error>(raw.get())?).is_some() {
                return Err(serde::de::Error::custom(format_args!("the field \"{}\" occurs twice", self.names[slot])));
            }
        }
        Ok(())
    }
}

/// Reads a key as the slot of its name, if the name is wanted.
struct Name<'n>(&'n [String]);

impl<'a> DeserializeSeed<'a> for Name<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'a>>(self, reader: D) -> Result<Self::Value, D::Error> {
        reader.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|name| name == key))
    }
}

fn value<E: serde::de::Error>(raw: &str) -> Result<JsonValue<'_>, E> {
    Ok(match raw.as_bytes().first() {
        Some(b'"') => {
            // The library does not check a raw value for lone surrogates, but it checks a decoded string.
            serde_json::from_str::<std::borrow::Cow<'_, str>>(raw).map_err(E::custom)?;
            let inside = &raw[1..raw.len() - 1];
            if inside.contains('\\') { JsonValue::Escaped(inside) } else { JsonValue::Text(inside) }
        }
        Some(b'{' | b'[') => JsonValue::Nested(raw),
        Some(b't') => JsonValue::Truth(true),
        Some(b'f') => JsonValue::Truth(false),
        Some(b'n') => JsonValue::Null,
        _ => JsonValue::Number(raw),
    })
}
