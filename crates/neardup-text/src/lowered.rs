//! Lower case of whole pieces, in NFC, at the speed of the table.

use crate::table::{Pages, code_at};
use crate::wide::{Rules, settle};

/// Appends `piece` in NFC and lower case to `out`; `false` in doubt, where the exact rules must be asked: what was
/// appended is then unspecified.
pub(crate) fn lower_into(piece: &str, out: &mut Vec<u8>) -> bool {
    let source = piece.as_bytes();
    let (mut at, mut pages) = (0, Pages::default());
    while at < source.len() {
        let plain = source[at..].iter().position(|byte| !byte.is_ascii()).unwrap_or(source.len() - at);
        let start = out.len();
        out.extend_from_slice(&source[at..at + plain]);
        out[start..].make_ascii_lowercase();
        at += plain;
        while at < source.len() && !source[at].is_ascii() {
            let (code, length) = code_at(source, at);
            let entry = pages.entry(code);
            let odd = entry.flags & Rules::RAW;
            let lower = if odd == 0 { Some(entry.lower) } else { settle(&source[..at], &source[at..], code, odd, entry.lower) };
            let Some(lower) = lower else { return false };
            out.extend_from_slice(&lower[..length]);
            at += length;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unicode::normalise;
    use proptest::prelude::*;

    fn check(piece: &str) -> bool {
        let mut out = b"before".to_vec();
        let sure = lower_into(piece, &mut out);
        assert!(!sure || out[6..] == *normalise(piece).as_bytes(), "{piece:?}");
        sure
    }

    #[test]
    fn every_character_alone_and_between_letters() {
        let sure = ('\0'..=char::MAX).filter(|&c| check(&c.to_string()) && check(&format!("A{c}B")) && check(&format!("가{c} Σ")));
        // All but those that change their length or form, and marks.
        assert!(sure.count() > 1_100_000);
    }

    proptest! {
        #[test]
        fn as_the_exact_rules_or_in_doubt(piece in "[a-zA-Z ΑΣαςσÉİ가-힣한ᄀ-ᇂ字々ガが\u{300}-\u{330}\u{93C}न\u{3099}ｶ.'\\\\u]{0,30}|.{0,30}") {
            check(&piece);
        }
    }
}
