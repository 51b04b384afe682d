//! Tiles: a text cut into lines or sentences with all that is between them.

use std::ops::Range;

use crate::simd::Level;
use crate::units::sentences::each_sentence;
use crate::units::unit::Unit;

/// The byte ranges of the lines or sentences of a text, in order: together they are the text, so each has the white space
/// behind it, and lines their line feeds. Other units give the whole text as one tile.
///
/// Sentences are those of UAX #29; they end at line ends, too.
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
