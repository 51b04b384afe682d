//! Letters of large scripts and the punctuation between them. Masks recognise them by their first bytes. The letters are only
//! characters that the normal form does not change; the bytes of separators are not used. All other characters are looked up one by one.

use crate::simd::Lanes;

/// First bytes of letters, by kind.
#[derive(Clone, Copy, Default)]
pub(crate) struct Letters {
    /// Letters of two bytes, in ordinary words.
    pub(crate) two: u64,
    /// Letters of three bytes, in ordinary words.
    pub(crate) three: u64,
    /// Letters of three bytes, in scripts that are cut into pairs.
    pub(crate) pairs: u64,
    /// Characters that belong to no word.
    pub(crate) separators: u64,
    /// Vowel signs of three bytes, in ordinary words. They begin none.
    pub(crate) signs: u64,
}

/// Finds letters among `leads`, the first bytes of characters that are not ASCII. `x` is the block, `y` the block one byte later,
/// and `third` the block two bytes later.
#[inline(always)]
pub(crate) fn letters<L: Lanes>(lanes: L, leads: u64, x: L::Block, y: L::Block, third: &[u8; 64]) -> Letters {
    // Two bytes identify U+4E00-9FFF and U+AC00-D77F.
    let han = lanes.between(x, 0xE5, 0xE9) | row(lanes, x, 0xE4, y, 0xB8, 0xBF);
    let hangul = lanes.between(x, 0xEB, 0xEC) | row(lanes, x, 0xEA, y, 0xB0, 0xBF) | row(lanes, x, 0xED, y, 0x80, 0x9D);
    let mut found = Letters { two: 0, three: hangul, pairs: han, separators: 0, signs: 0 };
    let rest = leads & !(han | hangul);
    if rest == 0 {
        return found;
    }
    let z = lanes.load(third);
    // U+2010-2029 and U+202F-203F. Before them and between them are characters that are not seen.
    let seen = lanes.between(z, 0x90, 0xA9) | lanes.between(z, 0xAF, 0xBF);
    found.separators = lanes.eq(x, 0xE2) & lanes.eq(y, 0x80) & seen;
    let rest = rest & !found.separators;
    if rest == 0 {
        return found;
    }
    if rest & lanes.between(x, 0xC3, 0xD9) != 0 {
        found.two = two(lanes, x, y);
    }
    if rest & lanes.eq(x, 0xE0) != 0 {
        found.separators |= lanes.eq(x, 0xE0) & row(lanes, y, 0xA5, z, 0xA4, 0xA5);
        found.three |= lanes.eq(x, 0xE0) & row(lanes, y, 0xA4, z, 0x84, 0xB9);
        found.signs |= lanes.eq(x, 0xE0) & devanagari_signs(lanes, y, z);
    }
    if rest & lanes.eq(x, 0xE3) != 0 {
        found.separators |= lanes.eq(x, 0xE3) & row(lanes, y, 0x80, z, 0x80, 0x84);
        found.pairs |= lanes.eq(x, 0xE3) & kana(lanes, y, z);
    }
    if rest & lanes.eq(x, 0xEF) != 0 {
        // Full-width punctuation around the digits.
        let signs = lanes.between(z, 0x81, 0x8F) | lanes.between(z, 0x9A, 0xA0);
        found.separators |= lanes.eq(x, 0xEF) & lanes.eq(y, 0xBC) & signs;
    }
    found
}

/// Latin with accents, Greek without final sigma, Cyrillic, and Arabic without tatweel.
#[inline(always)]
fn two<L: Lanes>(lanes: L, x: L::Block, y: L::Block) -> u64 {
    let mut found = row(lanes, x, 0xC3, y, 0xA0, 0xB6) | row(lanes, x, 0xC3, y, 0xB8, 0xBF);
    if lanes.between(x, 0xD0, 0xD1) != 0 {
        found |= row(lanes, x, 0xD0, y, 0xB0, 0xBF) | row(lanes, x, 0xD1, y, 0x80, 0x9F);
    }
    if lanes.between(x, 0xCE, 0xCF) != 0 {
        found |= row(lanes, x, 0xCE, y, 0xAC, 0xBF) | row(lanes, x, 0xCF, y, 0x80, 0x81) | row(lanes, x, 0xCF, y, 0x83, 0x8E);
    }
    if lanes.between(x, 0xD8, 0xD9) != 0 {
        found |= row(lanes, x, 0xD8, y, 0xA1, 0xBA) | row(lanes, x, 0xD9, y, 0x81, 0x8A);
    }
    found
}

/// U+093E-094C: vowel signs.
#[inline(always)]
fn devanagari_signs<L: Lanes>(lanes: L, y: L::Block, z: L::Block) -> u64 {
    row(lanes, y, 0xA4, z, 0xBE, 0xBF) | row(lanes, y, 0xA5, z, 0x80, 0x8C)
}

/// U+3041-30FF without punctuation, marks and digraphs.
#[inline(always)]
fn kana<L: Lanes>(lanes: L, y: L::Block, z: L::Block) -> u64 {
    let both = lanes.between(z, 0x80, 0x96) | lanes.between(z, 0x9D, 0x9E) | lanes.between(z, 0xA1, 0xBF);
    row(lanes, y, 0x81, z, 0x81, 0xBF) | lanes.eq(y, 0x82) & both | row(lanes, y, 0x83, z, 0x80, 0xBA) | row(lanes, y, 0x83, z, 0xBC, 0xBE)
}

/// Returns where the byte of `one` is `byte` and the byte of `other` is in `first..=last`.
#[inline(always)]
fn row<L: Lanes>(lanes: L, one: L::Block, byte: u8, other: L::Block, first: u8, last: u8) -> u64 {
    lanes.eq(one, byte) & lanes.between(other, first, last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal::Form;
    use crate::scan::table::{Pages, ScanEntry};
    use crate::simd::{Kernel, Level};

    /// A character alone at the start of a block.
    struct Alone(char);

    impl Kernel for Alone {
        type Output = Letters;

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> Letters {
            let mut bytes = [b' '; 66];
            self.0.encode_utf8(&mut bytes);
            let at = |from: usize| bytes[from..].first_chunk::<64>().unwrap();
            letters(lanes, 1, lanes.load(at(0)), lanes.load(at(1)), at(2))
        }
    }

    #[test]
    fn every_letter_found_is_one_by_the_table() {
        for level in Level::available() {
            let mut counts = [0; 5];
            for c in '\u{80}'..=char::MAX {
                let Letters { two, three, pairs, separators, signs } = level.run(Alone(c));
                let flags = Pages::of(Form::Words).entry(c.into()).flags & !ScanEntry::WHITE;
                // Only separators may change, since their bytes are not used.
                let (length, expected) = match [two, three, pairs, separators, signs] {
                    [0, 0, 0, 0, 0] => continue,
                    [1, 0, 0, 0, 0] => (2, ScanEntry::WORD),
                    [0, 1, 0, 0, 0] => (3, ScanEntry::WORD),
                    [0, 0, 1, 0, 0] => (3, ScanEntry::WORD | ScanEntry::PAIR),
                    [0, 0, 0, 1, 0] => (3, flags & (ScanEntry::CHANGED | ScanEntry::SPECIAL)),
                    [0, 0, 0, 0, 1] => (3, ScanEntry::WORD | ScanEntry::MARK),
                    found => panic!("{c:?} is {found:?}"),
                };
                assert_eq!((c.len_utf8(), flags), (length, expected), "{c:?} {}", level.name());
                counts.iter_mut().zip([two, three, pairs, separators, signs]).for_each(|(count, found)| *count += found);
            }
            // By script: 31 + 48 + 34 + 36, 11,136 + 54, 20,992 + 181, 43 + 2 + 5 + 22, and 15.
            assert_eq!(counts, [149, 11_190, 21_173, 72, 15], "{}", level.name());
        }
    }
}
