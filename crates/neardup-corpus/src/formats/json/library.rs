use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::formats::json::finite::finite;
use crate::formats::json::value::{JsonValue, ValueSlots};
use crate::records::field_name::ITEMS;

/// Returns what the JSON library finds in one line for the wanted `names`, or why the line is not a usable record.
///
/// It decides every line that [`crate::formats::json::walk::walk`] is not sure of.
pub(crate) fn ask<'a>(line: &'a str, names: &[String]) -> Result<ValueSlots<'a>, String> {
    let line = unmarked(line);
    read(line, names).or_else(|reason| {
        let copy = finite(line).ok_or(reason)?;
        Ok(read(&copy, names)?.map(|slot| slot.map(|value| value.moved(&copy, line))))
    })
}

/// Returns a line without the byte order marks before it. Files that were joined have them.
pub(crate) fn unmarked(line: &str) -> &str {
    line.trim_start_matches('\u{feff}')
}

fn read<'a>(line: &'a str, names: &[String]) -> Result<ValueSlots<'a>, String> {
    let mut slots = ValueSlots::default();
    let mut reader = serde_json::Deserializer::from_str(line);
    reader.deserialize_any(MemberVisitor { names, slots: &mut slots }).map_err(reason)?;
    reader.end().map_err(reason)?;
    Ok(slots)
}

/// Returns the names of the fields of an object, of objects and lists in it the paths of their values. The list is empty if `line`
/// is not a valid object.
pub(crate) fn field_paths(line: &str) -> Vec<String> {
    let line = unmarked(line);
    let object = serde_json::from_str(line).ok().or_else(|| serde_json::from_str(&finite(line)?).ok());
    let members: serde_json::Map<String, Value> = object.unwrap_or_default();
    let mut names = Vec::new();
    members.iter().for_each(|(name, value)| paths(name.clone(), value, &mut names));
    names
}

/// Adds the paths of all values in a value, each once.
fn paths(before: String, value: &Value, into: &mut Vec<String>) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            members.iter().for_each(|(name, value)| paths(format!("{before}.{name}"), value, into));
        }
        Value::Array(items) if !items.is_empty() => items.iter().for_each(|item| paths(format!("{before}{ITEMS}"), item, into)),
        _ if into.contains(&before) => {}
        _ => into.push(before),
    }
}

/// Removes the line number: for the library every line is line 1, so only the column is useful.
pub(super) fn reason(error: serde_json::Error) -> String {
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

pub(super) fn value<E: serde::de::Error>(raw: &str) -> Result<JsonValue<'_>, E> {
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
