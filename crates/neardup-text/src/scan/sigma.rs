//! The lower case of the Greek capital sigma, which depends on its two neighbours.

use crate::scan::order::last;
use crate::unicode::{is_case_ignorable, is_cased};

/// Returns the lower case, in UTF-8, of a capital sigma between `before` and `after`. `None` means doubt.
///
/// At the end of a word it is ς: a cased letter precedes it and none follows, ignoring Case_Ignorable characters (The Unicode
/// Standard, Final_Sigma). Only the direct neighbours are checked. A neighbour that is Case_Ignorable, or may belong to an escape
/// of JSON, causes doubt.
pub(crate) fn lower_sigma(before: &[u8], after: &[u8]) -> Option<[u8; 4]> {
    const MEDIAL: Option<[u8; 4]> = Some([0xCF, 0x83, 0, 0]);
    const FINAL: Option<[u8; 4]> = Some([0xCF, 0x82, 0, 0]);
    let next = first(after);
    if next.is_some_and(is_case_ignorable) || after.starts_with(b"\\u") {
        return None;
    }
    if next.is_some_and(is_cased) {
        return MEDIAL;
    }
    match last(before) {
        None if before.is_empty() => MEDIAL,
        None => None,
        Some(previous) if is_case_ignorable(previous) => None,
        Some(previous) if before[..before.len() - previous.len_utf8()].ends_with(b"\\") => None,
        Some(previous) => {
            if is_cased(previous) {
                FINAL
            } else {
                MEDIAL
            }
        }
    }
}

/// Returns the first character.
fn first(bytes: &[u8]) -> Option<char> {
    let head = &bytes[..bytes.len().min(4)];
    head.utf8_chunks().next()?.valid().chars().next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unicode::lower;

    #[test]
    fn as_the_full_mapping_or_in_doubt() {
        let around = ["", "α", "Α", " ", "'", ".", "\u{301}", "ʰ", "\u{345}", "1", "漢", "ab", "a.", ",b", "\"", "ⓐ"];
        let mut certain = 0;
        for before in around {
            for after in around {
                let whole = lower(&format!("{before}Σ{after}")).into_owned();
                let start = lower(before).len();
                if let Some(sigma) = lower_sigma(before.as_bytes(), after.as_bytes()) {
                    assert_eq!(whole.as_bytes()[start..start + 2], sigma[..2], "{before}Σ{after}");
                    certain += 1;
                }
            }
        }
        assert!(certain > 100, "{certain}");
        assert_eq!(lower_sigma(b"\\n", b" "), None);
        assert_eq!(lower_sigma(b"a", b"\\u03b1"), None);
    }
}
