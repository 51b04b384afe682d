//! Where segments begin: the pieces of a text that the normal form changes each on its own.

use std::collections::HashSet;
use std::sync::LazyLock;

use icu_normalizer::properties::Decomposed;
use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;

use crate::normal::Form;
use crate::normal::exact::{am, normalise};
use crate::unicode::{combining_class, compose_two, decompose};

/// Whether the normal form never reaches across the place before `c`. It may join or reorder marks, and what is left out lets the
/// next character follow those before.
pub(crate) fn starts_segment(form: Form, c: char) -> bool {
    if c.is_ascii() {
        return true;
    }
    let is_vowel_part = am('\u{E4D}', c).or(am('\u{ECD}', c)).is_some();
    let begins = |c| combining_class(first_part(c)) == 0 && !joins_backwards(c);
    !is_vowel_part && begins(c) && normalise(form, c.encode_utf8(&mut [0; 4])).chars().next().is_some_and(begins)
}

/// Whether some character composes with a following `c`, or with its first part (NFC_Quick_Check=Maybe).
pub(crate) fn joins_backwards(c: char) -> bool {
    /// Second characters of all compositions. Those of Hangul are arithmetic, so they are added as ranges.
    static SECONDS: LazyLock<HashSet<char>> = LazyLock::new(|| {
        let assigned = CodePointMapData::<GeneralCategory>::new()
            .iter_ranges()
            .filter(|range| !matches!(range.value, GeneralCategory::Unassigned | GeneralCategory::PrivateUse));
        let hangul = '\u{AC00}'..='\u{D7A3}';
        let active = assigned.flat_map(|range| range.range).filter_map(char::from_u32).filter(|c| !hangul.contains(c));
        let seconds = active.filter_map(|c| match decompose(c) {
            Decomposed::Expansion(first, second) if compose_two(first, second) == Some(c) => Some(second),
            _ => None,
        });
        seconds.chain('\u{1161}'..='\u{1175}').chain('\u{11A8}'..='\u{11C2}').collect()
    });
    SECONDS.contains(&first_part(c))
}

/// Returns the first character of the full canonical decomposition.
fn first_part(c: char) -> char {
    match decompose(c) {
        Decomposed::Singleton(first) | Decomposed::Expansion(first, _) => first_part(first),
        Decomposed::Default => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks every character that takes part in a composition, after every character that can begin one.
    #[test]
    fn what_starts_a_segment_leaves_the_text_before_it_alone() {
        let parts = |c| match decompose(c) {
            Decomposed::Expansion(first, second) => vec![c, first, second],
            Decomposed::Singleton(other) => vec![c, other],
            Decomposed::Default => vec![],
        };
        let hangul = ['\u{1100}', '\u{1161}', '\u{11A8}', '가', '각', '힣'];
        let syllables = '가'..='힣';
        let composing: HashSet<char> = ('\0'..=char::MAX).filter(|c| !syllables.contains(c)).flat_map(parts).chain(hangul).collect();
        let firsts: Vec<char> = composing.iter().copied().filter(|&c| composing.iter().any(|&d| compose_two(c, d).is_some())).collect();
        assert!(firsts.len() > 350 && composing.len() > 2500, "{} of {}", firsts.len(), composing.len());
        let (mut joining, exact) = (0, |text: &str| normalise(Form::Words, text));
        let alone: Vec<String> = firsts.iter().map(|first| exact(&first.to_string())).collect();
        for &c in &composing {
            if !starts_segment(Form::Words, c) {
                joining += 1;
                continue;
            }
            let own = exact(&c.to_string());
            for (first, alone) in firsts.iter().zip(&alone) {
                assert_eq!(exact(&format!("{first}{c}")), format!("{alone}{own}"), "{first:?} with {c:?}");
            }
        }
        assert!(joining > 50, "{joining}");
    }
}
