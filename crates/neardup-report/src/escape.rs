//! Escaping: text from any source is made harmless and visible.

use std::fmt::Write;

/// The place of the text in the page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum EscapedPlace {
    /// An attribute or a plain label: characters that cannot be seen become `[U+202E]`.
    Label,
    /// Between tags: characters that cannot be seen become a styled marker, which differs from text that merely looks like one.
    Body,
}

/// Appends `text` as HTML: markup is escaped, and characters that hide or reorder others are shown by their number.
pub(crate) fn escape(out: &mut String, text: &str, place: EscapedPlace) {
    let mut from = 0;
    for (at, c) in text.char_indices() {
        let entity = match c {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            '\'' => "&#39;",
            // A line end of two characters is shown as one.
            '\r' if text[at + 1..].starts_with('\n') => "",
            c if unseen(c) => {
                out.push_str(&text[from..at]);
                mark(out, c, place);
                from = at + c.len_utf8();
                continue;
            }
            _ => continue,
        };
        out.push_str(&text[from..at]);
        out.push_str(entity);
        from = at + c.len_utf8();
    }
    out.push_str(&text[from..]);
}

/// Returns whether a reader does not see a character: controls, bidi controls, zero-width and tag characters, non-characters.
///
/// The joiners U+200C and U+200D are left alone, because Persian, Indic scripts and emoji need them.
fn unseen(c: char) -> bool {
    match c {
        ' '..='~' | '\n' | '\t' => false,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}' => true,
        '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fdd0}'..='\u{fdef}' | '\u{fff9}'..='\u{fffb}' => true,
        '\u{e0000}'..='\u{e007f}' => true,
        c => c.is_control() || u32::from(c) & 0xfffe == 0xfffe,
    }
}

fn mark(out: &mut String, c: char, place: EscapedPlace) {
    let code = u32::from(c);
    // <bdi> keeps the marker's own letters from deciding the direction of the text around it. Writing to a String cannot fail.
    let _ = match place {
        EscapedPlace::Label => write!(out, "[U+{code:04X}]"),
        EscapedPlace::Body => write!(out, "<bdi class=\"u\">U+{code:04X}</bdi>"),
    };
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(text: &str, place: EscapedPlace) -> String {
        let mut out = String::new();
        escape(&mut out, text, place);
        out
    }

    #[test]
    fn markup_and_controls() {
        assert_eq!(of("<b a='1' c=\"2\">&", EscapedPlace::Body), "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;");
        assert_eq!(of("a\0b\u{202e}c", EscapedPlace::Label), "a[U+0000]b[U+202E]c");
        assert_eq!(of("\u{2066}x", EscapedPlace::Body), "<bdi class=\"u\">U+2066</bdi>x");
        assert_eq!(of("one\r\ntwo\rthree\tfour", EscapedPlace::Label), "one\ntwo[U+000D]three\tfour");
        assert_eq!(of("می\u{200c}خواهم 👩\u{200d}🔬 한국어", EscapedPlace::Body), "می\u{200c}خواهم 👩\u{200d}🔬 한국어");
        assert_eq!(of("\u{1ffff}\u{85}", EscapedPlace::Label), "[U+1FFFF][U+0085]");
    }

    proptest! {
        #[test]
        fn nothing_dangerous_is_left(text in any::<String>()) {
            for c in of(&text, EscapedPlace::Label).chars() {
                prop_assert!(!matches!(c, '<' | '>' | '"' | '\'') && !unseen(c));
            }
        }
    }
}
