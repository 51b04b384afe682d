//! Numbers that JSON does not have and that programs write: NaN and infinities.

use neardup_text::string_end;

/// Words for such numbers, and numbers of the same length.
const WORDS: [(&str, &str); 2] = [("NaN", "0e0"), ("Infinity", "0.000000")];

/// Returns a copy of a line with finite numbers of the same length in place of NaN and infinities, so that places in both are equal.
/// Returns `None` if the line has none.
pub(super) fn finite(line: &str) -> Option<String> {
    let bytes = line.as_bytes();
    let (mut copy, mut copied, mut at) = (String::new(), 0, 0);
    while at < bytes.len() {
        if bytes[at] == b'"' {
            at = string_end(bytes, at + 1)?.end + 1;
            continue;
        }
        let rest = &line.as_bytes()[at..];
        let word = WORDS.into_iter().find(|(word, _)| rest.starts_with(word.as_bytes()) && is_value(bytes, at, word));
        if let Some((word, number)) = word {
            copy += line.get(copied..at)?;
            copy += number;
            copied = at + word.len();
        }
        at += word.map_or(1, |(word, _)| word.len());
    }
    copy += line.get(copied..)?;
    (copied > 0).then_some(copy)
}

/// Whether the word at a place is a whole value. Only an infinity has a sign.
fn is_value(bytes: &[u8], at: usize, word: &str) -> bool {
    let is_signed = word == "Infinity" && at > 0 && bytes[at - 1] == b'-';
    let before = bytes[..at - usize::from(is_signed)].last();
    let after = bytes.get(at + word.len());
    let is_edge = |byte: Option<&u8>| byte.is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b':' | b',' | b'[' | b']' | b'}'));
    is_edge(before) && is_edge(after)
}

#[cfg(test)]
mod tests {
    use super::finite;

    #[test]
    fn only_values_are_replaced() {
        for (line, want) in [
            (r#"{"a":NaN}"#, Some(r#"{"a":0e0}"#)),
            (r#"{"a": [Infinity,-Infinity, 1 ], "b":NaN }"#, Some(r#"{"a": [0.000000,-0.000000, 1 ], "b":0e0 }"#)),
            (r#"{"NaN":"a NaN, \"Infinity\""}"#, None),
            (r#"{"a":-NaN}"#, None),
            (r#"{"a":NaNs,"b":aNaN}"#, None),
            (r#"{"é":NaN,"#, Some(r#"{"é":0e0,"#)),
            (r#"{"a":"open NaN"#, None),
            ("", None),
        ] {
            assert_eq!(finite(line).as_deref(), want, "{line}");
        }
    }
}
