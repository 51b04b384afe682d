use neardup_text::string_end;
use serde::de::IgnoredAny;

use crate::formats::json::value::{JsonValue, ValueSlots};

/// Walks once over one line of JSON, which begins at `start` in `chunk`, and sets the values of the wanted `names`.
///
/// Returns the position after the line end, or `None` in case of doubt: then [`crate::formats::json::library::ask`] decides. It
/// accepts only what it is sure of: an object whose keys have no escapes, valid values, no wanted name twice, and nothing after the
/// object.
pub(crate) fn walk<'a>(chunk: &'a str, start: usize, names: &[String], slots: &mut ValueSlots<'a>) -> Option<usize> {
    let bytes = chunk.as_bytes();
    let mut at = space(bytes, start);
    if *bytes.get(at)? != b'{' {
        return None;
    }
    at = space(bytes, at + 1);
    if *bytes.get(at)? == b'}' {
        return line_end(bytes, at + 1);
    }
    loop {
        if *bytes.get(at)? != b'"' {
            return None;
        }
        let (key, after) = key(bytes, at + 1)?;
        at = space(bytes, after);
        if *bytes.get(at)? != b':' {
            return None;
        }
        let (value, after) = value(chunk, space(bytes, at + 1))?;
        if let Some(slot) = names.iter().position(|name| name.as_bytes() == key)
            && slots[slot].replace(value).is_some()
        {
            return None;
        }
        at = space(bytes, after);
        match *bytes.get(at)? {
            b',' => at = space(bytes, at + 1),
            b'}' => return line_end(bytes, at + 1),
            _ => return None,
        }
    }
}

/// Skips the white space that JSON allows in a line.
fn space(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\r') = bytes.get(at) {
        at += 1;
    }
    at
}

fn line_end(bytes: &[u8], at: usize) -> Option<usize> {
    let at = space(bytes, at);
    match bytes.get(at) {
        None => Some(at),
        Some(b'\n') => Some(at + 1),
        Some(_) => None,
    }
}

/// Reads a key. Keys are short, so a loop over bytes is faster than setting up a vector scan.
fn key(bytes: &[u8], start: usize) -> Option<(&[u8], usize)> {
    let mut at = start;
    loop {
        match *bytes.get(at)? {
            b'"' => return Some((&bytes[start..at], at + 1)),
            b'\\' | 0..0x20 => return None,
            _ => at += 1,
        }
    }
}

fn value(chunk: &str, at: usize) -> Option<(JsonValue<'_>, usize)> {
    let bytes = chunk.as_bytes();
    match *bytes.get(at)? {
        b'"' => {
            let string = string_end(bytes, at + 1)?;
            let inside = chunk.get(at + 1..string.end)?;
            Some((if string.escaped { JsonValue::Escaped(inside) } else { JsonValue::Text(inside) }, string.end + 1))
        }
        b'{' | b'[' => {
            let end = nested_end(bytes, at)?;
            let nested = chunk.get(at..end)?;
            serde_json::from_str::<IgnoredAny>(nested).ok()?;
            Some((JsonValue::Nested(nested), end))
        }
        b't' => word(bytes, at, b"true").map(|end| (JsonValue::Truth(true), end)),
        b'f' => word(bytes, at, b"false").map(|end| (JsonValue::Truth(false), end)),
        b'n' => word(bytes, at, b"null").map(|end| (JsonValue::Null, end)),
        _ => number_end(bytes, at).map(|end| (JsonValue::Number(&chunk[at..end]), end)),
    }
}

fn word(bytes: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    bytes[at..].starts_with(word).then_some(at + word.len())
}

/// Returns where the brackets are balanced again. The library checks whether they match.
fn nested_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 0usize;
    loop {
        match *bytes.get(at)? {
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 1 => return Some(at + 1),
            b'}' | b']' => depth -= 1,
            b'"' => at = string_end(bytes, at + 1)?.end,
            b'\n' => return None,
            _ => {}
        }
        at += 1;
    }
}

/// RFC 8259: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
fn number_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    if *bytes.get(at)? == b'-' {
        at += 1;
    }
    at = match *bytes.get(at)? {
        b'0' => at + 1,
        b'1'..=b'9' => digits(bytes, at)?,
        _ => return None,
    };
    if bytes.get(at) == Some(&b'.') {
        at = digits(bytes, at + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        let signed = matches!(bytes.get(at + 1), Some(b'+' | b'-'));
        at = digits(bytes, at + 1 + usize::from(signed))?;
    }
    Some(at)
}

fn digits(bytes: &[u8], start: usize) -> Option<usize> {
    let count = bytes.get(start..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (count > 0).then_some(start + count)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::formats::json::library::ask;

    fn names() -> Vec<String> {
        ["text", "id", "n"].map(str::to_owned).to_vec()
    }

    fn walked(line: &str) -> Option<ValueSlots<'_>> {
        let mut slots = ValueSlots::default();
        let end = walk(line, 0, &names(), &mut slots)?;
        (end == line.len()).then_some(slots)
    }

    #[test]
    fn what_it_is_sure_of() {
        for line in [
            "{}",
            " { } \r\n",
            "{\"text\":\"a\",\"id\":7}\n",
            "{\"id\" : \"한\" ,\t\"text\":\"a\\n\\u00e9\\\"\" , \"n\" :-0.5e-10}",
            "{\"deep\":{\"text\":[1,{\"id\":\"]}\"}]},\"text\":\"\",\"n\":null,\"x\":true,\"y\":false,\"x\":0}\n",
        ] {
            assert_eq!(walked(line), Some(ask(line, &names()).unwrap()), "{line}");
        }
    }

    #[test]
    fn what_it_doubts() {
        for line in [
            "",
            "\n",
            "[]",
            "{",
            "{\"text\"",
            "{\"text\":",
            "{\"text\":\"a\"",
            "{\"text\":\"a\",}",
            "{\"text\":\"a\"}x",
            "{\"text\":\"a\"\n}",
            "{\"te\\u0078t\":\"a\"}",
            "{\"text\":\"a\",\"text\":\"b\"}",
            "{\"n\":01}",
            "{\"n\":+1}",
            "{\"n\":1.}",
            "{\"n\":.5}",
            "{\"n\":1e}",
            "{\"n\":-}",
            "{\"n\":nul}",
            "{\"n\":truex}",
            "{\"n\":[1,]}",
            "{\"n\":[1}",
            "{\"n\":{\"a\"}}",
            "{\"text\":\"\u{1}\"}",
            "{\"text\":\"\\ud800\"}",
            "{text:1}",
            "{\"a\":1 \"b\":2}",
            "{\"a\" 1}",
            "{\"n\":NaN}",
            "\u{feff}{}",
            "{\"n\":'a'}",
            "{\u{a0}\"n\":1}",
        ] {
            assert_eq!(walked(line), None, "{line}");
        }
    }

    #[test]
    fn deep_nesting_does_not_end_the_stack() {
        let line = format!("{{\"n\":{}{}}}", "[".repeat(200_000), "]".repeat(200_000));
        assert_eq!(walked(&line), ask(&line, &names()).ok());
    }

    /// A line of JSON, with white space, escapes and nesting.
    fn line() -> impl Strategy<Value = String> {
        let space = prop::sample::select(vec!["", " ", "\t", "\r"]);
        let string = prop::sample::select(vec!["\"\"", "\"a b\"", "\"\\u00e9\\n\"", "\"한\u{2028}\"", "\"\\ud83d\\ude00\"", "\"{[,]}\""]);
        let leaf =
            prop_oneof![string, prop::sample::select(vec!["0", "-1.5e+3", "12345678901234567890", "1e999", "true", "false", "null"])];
        let value = leaf.prop_map(str::to_owned).prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(|values| format!("[{}]", values.join(","))),
                prop::collection::vec(inner, 0..3).prop_map(|values| format!(
                    "{{{}}}",
                    values.iter().map(|value| format!("\"id\" :{value}")).collect::<Vec<_>>().join(" ,")
                )),
            ]
        });
        let key = prop::sample::select(vec!["text", "id", "n", "other", "te\\u0078t", "tex", "texts", "키"]);
        let member = (key, space.clone(), value, space)
            .prop_map(|(key, before, value, after)| format!("{before}\"{key}\"{before}:{after}{value}{after}"));
        prop::collection::vec(member, 0..6).prop_map(|members| format!("{{{}}}", members.join(",")))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2048))]

        /// The library accepts everything that the walker accepts, with the same values, even after random changes to the line.
        #[test]
        fn it_never_differs_from_the_library(
            line in line(),
            changes in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(" \t\r\n\"\\{}[]:,0-.eEtnu\u{1}é한".chars().collect::<Vec<_>>()), 0..3u8), 0..3),
        ) {
            let mut chars: Vec<char> = line.chars().collect();
            for (at, change, how) in &changes {
                match how {
                    0 if !chars.is_empty() => { let at = at.index(chars.len()); chars[at] = *change; }
                    1 if !chars.is_empty() => { chars.remove(at.index(chars.len())); }
                    _ => chars.insert(at.index(chars.len() + 1), *change),
                }
            }
            let line: String = chars.into_iter().collect();
            let mut slots = ValueSlots::default();
            let end = walk(&line, 0, &names(), &mut slots);
            let first = line.find('\n').map_or(line.len(), |at| at + 1);
            match (end, ask(line[..first].trim_end_matches('\n'), &names())) {
                (Some(end), asked) => {
                    prop_assert_eq!(end, first);
                    prop_assert_eq!(Ok(slots), asked);
                }
                // In unchanged lines only escaped keys and repeated names cause doubt.
                (None, Ok(_)) if changes.is_empty() => prop_assert!(line.contains("\\u0078")),
                (None, _) => {}
            }
        }
    }
}
