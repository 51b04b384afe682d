//! Tiles: the lines or sentences of a text, with everything between them.

use std::ops::Range;

use crate::simd::Level;
use crate::units::sentences::each_sentence;
use crate::units::unit::Unit;

/// Returns the byte ranges of the lines or sentences of a text, in order. Together they are the whole text: each includes the white
/// space after it, and a line includes its line feed. For other units the whole text is one tile.
///
/// Sentences are those of UAX #29, which also end at line ends.
#[must_use]
pub fn tiles(unit: Unit, text: &str) -> Vec<Range<usize>> {
    let mut tiles = vec![];
    match unit {
        Unit::Lines => text.split_inclusive('\n').fold(0, |start, line| {
            tiles.push(start..start + line.len());
            start + line.len()
        }),
        Unit::Sentences => {
            each_sentence(Level::best(), text, |range| tiles.push(range));
            text.len()
        }
        _ => {
            tiles.extend((!text.is_empty()).then_some(0..text.len()));
            text.len()
        }
    };
    tiles
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tiles_have_what_stands_behind_them() {
        let text = "One. Two!\nThree \n\n 四。五。";
        let cut = |unit| tiles(unit, text).into_iter().map(|range| &text[range]).collect::<Vec<_>>();
        assert_eq!(cut(Unit::Lines), ["One. Two!\n", "Three \n", "\n", " 四。五。"]);
        assert_eq!(cut(Unit::Sentences), ["One. ", "Two!\n", "Three \n", "\n", " 四。", "五。"]);
        assert_eq!(cut(Unit::Words), [text]);
    }

    proptest! {
        #[test]
        fn together_they_are_the_text(text in any::<String>()) {
            for unit in [Unit::Lines, Unit::Sentences, Unit::Words] {
                prop_assert_eq!(tiles(unit, &text).into_iter().map(|range| &text[range]).collect::<String>(), text.as_str());
            }
        }
    }
}
