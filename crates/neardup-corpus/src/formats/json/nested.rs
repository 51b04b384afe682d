//! Values at paths: members of nested objects, and items of lists.

use std::borrow::Cow;
use std::fmt;

use bumpalo::Bump;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, de::Error as _};
use serde_json::value::RawValue;

use crate::formats::json::finite::finite;
use crate::formats::json::library::{ask, reason, unmarked, value};
use crate::formats::json::value::{JsonValue, ValueSlots};
use crate::records::field_name::{ITEMS, SEPARATOR, splits};
use crate::records::fields::{FieldRoles, MOST_NAMES};
use crate::records::missing::MissingFields;

/// Values of a slot: one, or those of a list or of several fields.
#[derive(Clone)]
enum SlotValue<'a> {
    One(JsonValue<'a>),
    Several(Vec<JsonValue<'a>>),
    /// None, because no item of a list has what the path wants of it.
    Lacking,
}

impl<'a> SlotValue<'a> {
    fn into_values(self) -> Vec<JsonValue<'a>> {
        match self {
            SlotValue::One(value) => vec![value],
            SlotValue::Several(values) => values,
            SlotValue::Lacking => Vec::new(),
        }
    }

    fn is_lacking(&self) -> bool {
        matches!(self, SlotValue::Lacking)
    }
}

/// Values of all slots.
type Found<'a> = [Option<SlotValue<'a>>; MOST_NAMES];

/// The members of an object, in their order.
type Members<'a> = Vec<(Cow<'a, str>, &'a RawValue)>;

/// Returns the values of the wanted fields of one line and which of several texts it lacks, or why it is not a usable record. Several
/// texts are joined in `room`.
pub(crate) fn find<'a>(line: &'a str, roles: &FieldRoles, room: &'a Bump) -> Result<(ValueSlots<'a>, MissingFields), String> {
    if !roles.has_paths {
        return Ok((ask(line, &roles.names)?, MissingFields::default()));
    }
    let line = unmarked(line);
    let (found, missing) = read(line, roles).or_else(|reason| {
        let copy = finite(line).ok_or(reason)?;
        let (found, missing) = read(&copy, roles)?;
        Ok::<_, String>((found.map(|slot| slot.map(|value| value.moved(&copy, line))), missing))
    })?;
    let mut slots = ValueSlots::default();
    for (slot, found) in found.into_iter().enumerate() {
        slots[slot] = match found {
            Some(SlotValue::Several(values)) if slot == roles.text && roles.given.is_none() => {
                Some(join(values, room).map_err(|kind| format!("the field \"{}\" is {kind}, not a string", roles.names[slot]))?)
            }
            Some(SlotValue::Several(_)) if slot == roles.text => {
                return Err(format!("the field \"{}\" has several values; given values are in one field", roles.names[slot]));
            }
            // Only texts can be several.
            Some(SlotValue::Several(_) | SlotValue::Lacking) => Some(JsonValue::Nested("[]")),
            Some(SlotValue::One(value)) => Some(value),
            None => None,
        };
    }
    Ok((slots, missing))
}

impl SlotValue<'_> {
    /// Returns the same values in the line that `copy` is a copy of.
    fn moved<'l>(self, copy: &str, line: &'l str) -> SlotValue<'l> {
        match self {
            SlotValue::One(value) => SlotValue::One(value.moved(copy, line)),
            SlotValue::Several(values) => SlotValue::Several(values.into_iter().map(|value| value.moved(copy, line)).collect()),
            SlotValue::Lacking => SlotValue::Lacking,
        }
    }
}

/// Joins texts. Those that are null or empty are left out. The error is the kind of a value that is no text.
fn join<'a>(values: Vec<JsonValue<'a>>, room: &'a Bump) -> Result<JsonValue<'a>, &'static str> {
    let mut texts = Vec::new();
    for value in values {
        match value {
            JsonValue::Null => {}
            value => texts.push(value.string().ok_or_else(|| value.kind())?),
        }
    }
    texts.retain(|text| !text.is_empty());
    Ok(if texts.is_empty() { JsonValue::Null } else { JsonValue::Text(room.alloc_str(&texts.join(SEPARATOR))) })
}

fn read<'a>(line: &'a str, roles: &FieldRoles) -> Result<(Found<'a>, MissingFields), String> {
    let members = members(line).map_err(reason)?;
    let (mut found, mut missing) = (Found::default(), MissingFields::default());
    for (slot, name) in roles.names.iter().enumerate() {
        found[slot] = at_path(&members, name)?;
        if slot == roles.text && found[slot].as_ref().is_none_or(SlotValue::is_lacking) {
            let mut is_blank = false;
            let (texts, lacks) = roles.find_texts(|part| {
                let found = at_path(&members, part)?;
                is_blank |= found.as_ref().is_some_and(SlotValue::is_lacking);
                Ok::<_, String>(found.filter(|found| !found.is_lacking()))
            })?;
            missing = lacks;
            if is_blank || !texts.is_empty() {
                found[slot] = Some(SlotValue::Several(texts.into_iter().flat_map(SlotValue::into_values).collect()));
            }
        }
    }
    Ok((found, missing))
}

/// Returns the value at a path. A member whose own name has the signs of paths comes first.
fn at_path<'a>(members: &Members<'a>, path: &str) -> Result<Option<SlotValue<'a>>, String> {
    for (name, rest) in splits(path) {
        let mut same = members.iter().filter(|(key, _)| key == name);
        let Some((_, raw)) = same.next() else { continue };
        if same.next().is_some() {
            return Err(reason(serde_json::Error::custom(format_args!("the field \"{name}\" occurs twice"))));
        }
        if let Some(found) = follow(raw.get(), rest)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn follow<'a>(raw: &'a str, rest: &str) -> Result<Option<SlotValue<'a>>, String> {
    if rest.is_empty() || raw == "null" {
        return Ok(Some(SlotValue::One(value::<serde_json::Error>(raw).map_err(reason)?)));
    }
    if let Some(path) = rest.strip_prefix('.') {
        return if raw.starts_with('{') { at_path(&members(raw).map_err(reason)?, path) } else { Ok(None) };
    }
    let Some(rest) = rest.strip_prefix(ITEMS).filter(|_| raw.starts_with('[')) else { return Ok(None) };
    let items: Vec<&'a RawValue> = serde_json::from_str(raw).map_err(reason)?;
    let found = items.into_iter().map(|item| follow(item.get(), rest)).collect::<Result<Vec<_>, _>>()?;
    let lacks = found.iter().any(|found| found.as_ref().is_none_or(SlotValue::is_lacking));
    let values: Vec<JsonValue<'a>> = found.into_iter().flatten().flat_map(SlotValue::into_values).collect();
    Ok(Some(if lacks && values.is_empty() { SlotValue::Lacking } else { SlotValue::Several(values) }))
}

fn members(object: &str) -> serde_json::Result<Members<'_>> {
    let mut reader = serde_json::Deserializer::from_str(object);
    let members = reader.deserialize_any(MembersVisitor)?;
    reader.end()?;
    Ok(members)
}

struct MembersVisitor;

/// A key, which is borrowed unless it has escapes.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'a> Visitor<'a> for MembersVisitor {
    type Value = Members<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Members<'a>, A::Error> {
        let mut members = Members::new();
        while let Some((Key(name), raw)) = map.next_entry()? {
            members.push((name, raw));
        }
        Ok(members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::fields::Fields;

    fn found(line: &str, text: &str, id: &str) -> Result<[Option<String>; 2], String> {
        Ok(searched(line, text, id)?.0)
    }

    fn searched(line: &str, text: &str, id: &str) -> Result<([Option<String>; 2], MissingFields), String> {
        let roles = FieldRoles::new(&Fields { text: text.to_owned(), id: Some(id.to_owned()), ..Fields::default() });
        let room = Bump::new();
        let (slots, missing) = find(line, &roles, &room)?;
        let shown = |value: JsonValue<'_>| value.string().map_or_else(|| format!("{value:?}"), |text| text.into_owned());
        Ok(([0, 1].map(|slot| slots[slot].map(shown)), missing))
    }

    fn text(line: &str, path: &str) -> Option<String> {
        found(line, path, "id").unwrap()[0].clone()
    }

    #[test]
    fn a_path_leads_to_members_and_items() {
        for (line, path, want) in [
            (r#"{"a":{"b":{"c":"x"}}}"#, "a.b.c", Some("x")),
            (r#"{"a":{"b.c":"x","b":{"c":"y"}}}"#, "a.b.c", Some("x")),
            (r#"{"a":{"b":{"c":"y"}},"a.b.c":"x"}"#, "a.b.c", Some("x")),
            (r#"{"a.b":{"c":"x"},"a":{"b":{"d":"y"}}}"#, "a.b.c", Some("x")),
            (r#"{"a.b":{"d":"x"},"a":{"b":{"c":"y"}}}"#, "a.b.c", Some("y")),
            (r#"{"\u0061":{"b":"x\n"}}"#, "a.b", Some("x\n")),
            (r#"{"a":["x",null,"","y"]}"#, "a[]", Some("x\n\ny")),
            (r#"{"a":[{"b":"x"},{"c":1},null,{"b":"y\u0041"}]}"#, "a[].b", Some("x\n\nyA")),
            (r#"{"a":[[["x"],[]],[["y","z"]]]}"#, "a[][][]", Some("x\n\ny\n\nz")),
            (r#"{"a[].b":"x","a":[{"b":"y"}]}"#, "a[].b", Some("x")),
            (r#"{"a":{"b":1},"c":[1]}"#, "a.c", None),
            (r#"{"a":"x"}"#, "a[]", None),
            (r#"{"a":["x"]}"#, "a.b", None),
            (r#"{"a":{"b":"x"}}"#, "b", None),
            // A list without texts and a null on the way are blank texts.
            (r#"{"a":[]}"#, "a[].b", Some("Null")),
            (r#"{"a":null}"#, "a.b", Some("Null")),
            (r#"{"a":null}"#, "a[].b", Some("Null")),
        ] {
            assert_eq!(text(line, path).as_deref(), want, "{line} {path}");
        }
        assert_eq!(found(r#"{"text":"x","meta":{"id":"y"}}"#, "text", "meta.id"), Ok([Some("x".to_owned()), Some("y".to_owned())]));
        // Only texts can be several.
        assert_eq!(found(r#"{"text":"x","a":["y"]}"#, "text", "a[]").unwrap()[1].as_deref(), Some("Nested(\"[]\")"));
    }

    #[test]
    fn a_plus_joins_texts() {
        for (line, path, want) in [
            (r#"{"title":"x","body":"y"}"#, "title+body", Some("x\n\ny")),
            (r#"{"title":"x","body":"y"}"#, "body+title", Some("y\n\nx")),
            (r#"{"title+body":"z","title":"x","body":"y"}"#, "title+body", Some("z")),
            (r#"{"title":null,"body":"y"}"#, "title+body", Some("y")),
            (r#"{"body":"y"}"#, "title+body", Some("y")),
            (r#"{"title":"","body":null}"#, "title+body", Some("Null")),
            (r#"{"title":"x","turns":[{"text":"y"},{"text":"z"}]}"#, "title+turns[].text", Some("x\n\ny\n\nz")),
            (r#"{"other":"x"}"#, "title+body", None),
        ] {
            assert_eq!(text(line, path).as_deref(), want, "{line} {path}");
        }
    }

    #[test]
    fn texts_that_a_record_lacks_are_flagged() {
        for (line, path, lacks) in [
            (r#"{"title":"x","body":"y"}"#, "title+body", vec![]),
            (r#"{"title":"x","body":null}"#, "title+body", vec![]),
            (r#"{"title":"x"}"#, "title+bdoy", vec![1]),
            (r#"{"b":"x"}"#, "a.c+b+c", vec![0, 2]),
            (r#"{"title+bdoy":"x","title":"y"}"#, "title+bdoy", vec![]),
            (r#"{"a":[{"b":"x"},{"c":"y"}]}"#, "a[].b", vec![]),
            (r#"{"a":[{"c":"y"},3]}"#, "a[].b", vec![0]),
            (r#"{"a":[[{"c":"y"}],[]]}"#, "a[][].b", vec![0]),
            (r#"{"a":["x"]}"#, "a[]b", vec![0]),
            (r#"{"a":[]}"#, "a[].b", vec![]),
            (r#"{"a":[null]}"#, "a[].b", vec![]),
            (r#"{"a":[{"c":"y"}],"t":"x"}"#, "t+a[].b", vec![1]),
        ] {
            let expected = lacks.iter().fold(MissingFields::default(), |all, part| all.with(MissingFields::TEXT + part, true));
            assert_eq!(searched(line, path, "id").unwrap().1, expected, "{line} {path}");
        }
        assert_eq!(text(r#"{"a":[{"c":"y"}]}"#, "a[].b").as_deref(), Some("Null"));
    }

    #[test]
    fn what_is_no_text_is_named() {
        for (line, path, why) in [
            (r#"{"a":["x",1]}"#, "a[]", "the field \"a[]\" is a number, not a string"),
            (r#"{"a":[{"b":[]}]}"#, "a[].b", "is an array, not a string"),
            (r#"{"a":{"b":"x","b":"y"}}"#, "a.b", "the field \"b\" occurs twice"),
            (r#"{"a":{"b":"x"},"a":{}}"#, "a.b", "the field \"a\" occurs twice"),
            (r#"{"a":{"b":"\ud800"}}"#, "a.b", "broken JSON"),
            (r#"{"a":{"b":"x"}"#, "a.b", "EOF while parsing"),
            (r#"[{"a":1}]"#, "a.b", "expected an object"),
        ] {
            let error = found(line, path, "id").unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn numbers_that_json_lacks_do_not_hide_values() {
        let line = r#"{"score":NaN,"a":[{"b":"NaN"},{"n":-Infinity,"b":"x"}],"id":Infinity}"#;
        assert_eq!(found(line, "a[].b", "id"), Ok([Some("NaN\n\nx".to_owned()), Some("Number(\"Infinity\")".to_owned())]));
    }
}
