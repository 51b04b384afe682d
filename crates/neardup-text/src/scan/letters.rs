//! Letters of large scripts and the punctuation between them. Masks recognise them by their first bytes. They include only
//! characters that neither lower case nor NFC changes. All other characters are looked up one by one.

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
}

/// Finds letters among `leads`, the first bytes of characters that are not ASCII. `x` is the block, `y` the block one byte later,
/// and `third` the block two bytes later.
#[inline(always)]
pub(crate) fn letters<L: Lanes>(lanes: L, leads: u64, x: L::Block, y: L::Block, third: &[u8; 64]) -> Letters {
    // Two bytes identify U+4E00-9FFF and U+AC00-D77F.
    let han = lanes.between(x, 0xE5, 0xE9) | row(lanes, x, 0xE4, y, 0xB8, 0xBF);
    let hangul = lanes.between(x, 0xEB, 0xEC) | row(lanes, x, 0xEA, y, 0xB0, 0xBF) | row(lanes, x, 0xED, y, 0x80, 0x9D);
    // U+2000-203F. NFC replaces two of its spaces by other spaces.
    let punctuation = lanes.eq(x, 0xE2) & lanes.eq(y, 0x80);
    let mut found = Letters { two: 0, three: hangul, pairs: han, separators: punctuation };
    let rest = leads & !(han | hangul | punctuation);
    if rest == 0 {
        return found;
    }
    let z = lanes.load(third);
    if rest & lanes.between(x, 0xC3, 0xD9) != 0 {
        found.two = two(lanes, x, y);
    }
    if rest & lanes.eq(x, 0xE0) != 0 {
        found.separators |= lanes.eq(x, 0xE0) & row(lanes, y, 0xA5, z, 0xA4, 0xA5);
        found.three |= lanes.eq(x, 0xE0) & devanagari(lanes, y, z);
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

/// Latin with accents, Greek, Cyrillic and Arabic.
#[inline(always)]
fn two<L: Lanes>(lanes: L, x: L::Block, y: L::Block) -> u64 {
    let mut found = row(lanes, x, 0xC3, y, 0xA0, 0xB6) | row(lanes, x, 0xC3, y, 0xB8, 0xBF);
    if lanes.between(x, 0xD0, 0xD1) != 0 {
        found |= row(lanes, x, 0xD0, y, 0xB0, 0xBF) | row(lanes, x, 0xD1, y, 0x80, 0x9F);
    }
    if lanes.between(x, 0xCE, 0xCF) != 0 {
        found |= row(lanes, x, 0xCE, y, 0xAC, 0xBF) | row(lanes, x, 0xCF, y, 0x80, 0x8E);
    }
    if lanes.between(x, 0xD8, 0xD9) != 0 {
        found |= row(lanes, x, 0xD8, y, 0xA1, 0xBA) | row(lanes, x, 0xD9, y, 0x81, 0x8A);
    }
    found
}

/// U+0904-0939 and U+093E-094C: letters and vowel signs.
#[inline(always)]
fn devanagari<L: Lanes>(lanes: L, y: L::Block, z: L::Block) -> u64 {
    row(lanes, y, 0xA4, z, 0x84, 0xB9) | row(lanes, y, 0xA4, z, 0xBE, 0xBF) | row(lanes, y, 0xA5, z, 0x80, 0x8C)
}

/// U+3041-30FF without punctuation and marks.
#[inline(always)]
fn kana<L: Lanes>(lanes: L, y: L::Block, z: L::Block) -> u64 {
    let both = lanes.between(z, 0x80, 0x96) | lanes.between(z, 0x9D, 0x9F) | lanes.between(z, 0xA1, 0xBF);
    row(lanes, y, 0x81, z, 0x81, 0xBF) | lanes.eq(y, 0x82) & both | row(lanes, y, 0x83, z, 0x80, 0xBA) | row(lanes, y, 0x83, z, 0xBC, 0xBF)
}

/// Returns where the byte of `one` is `byte` and the byte of `other` is in `first..=last`.
#[inline(always)]
fn row<L: Lanes>(lanes: L, one: L::Block, byte: u8, other: L::Block, first: u8, last: u8) -> u64 {
    lanes.eq(one, byte) & lanes.between(other, first, last)
}

#[cfg(test)]
mod tests {
    use super::*;
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
            let mut counts = [0; 4];
            for c in '\u{80}'..=char::MAX {
                let Letters { two, three, pairs, separators } = level.run(Alone(c));
                let spaces = ['\u{2000}', '\u{2001}'].contains(&c);
                let flags = if spaces { 0 } else { Pages::default().entry(c.into()).flags & !ScanEntry::WHITE };
                let (length, expected) = match [two, three, pairs, separators] {
                    [0, 0, 0, 0] => continue,
                    [1, 0, 0, 0] => (2, ScanEntry::WORD),
                    [0, 1, 0, 0] => (3, ScanEntry::WORD),
                    [0, 0, 1, 0] => (3, ScanEntry::WORD | ScanEntry::PAIR),
                    [0, 0, 0, 1] => (3, 0),
                    found => panic!("{c:?} is {found:?}"),
                };
                assert_eq!((c.len_utf8(), flags), (length, expected), "{c:?} {}", level.name());
                counts.iter_mut().zip([two, three, pairs, separators]).for_each(|(count, found)| *count += found);
            }
            // By script: 31 + 48 + 35 + 36, 11,136 + 69, 20,992 + 183, and 64 + 2 + 5 + 22.
            assert_eq!(counts, [150, 11_205, 21_175, 93], "{}", level.name());
        }
    }
}
