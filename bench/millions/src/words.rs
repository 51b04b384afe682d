//! Words: made up, common ones often, in three scripts.

use crate::chance::Chance;

const STARTS: [&str; 24] =
    ["b", "br", "c", "ch", "d", "dr", "f", "fl", "g", "gr", "h", "k", "l", "m", "n", "p", "pr", "r", "s", "sh", "t", "tr", "v", "w"];
const MIDDLES: [&str; 10] = ["a", "e", "i", "o", "u", "ai", "ea", "ie", "oo", "ou"];
const ENDS: [&str; 12] = ["", "", "", "l", "m", "n", "nd", "r", "s", "st", "t", "ck"];
/// How many different words there are.
const VOCABULARY: u64 = 60_000;
const HANGUL: (u32, u64) = (0xAC00, 11_172);
const HAN: (u32, u64) = (0x4E00, 3_500);

/// What a text is written in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// Latin letters, words apart.
    Latin,
    /// Syllables of Hangul, words apart.
    Hangul,
    /// Han characters in a row.
    Han,
}

impl Script {
    /// The script of a document: one in ten is Korean, one in twenty Chinese.
    pub fn by(chance: &mut Chance) -> Self {
        match chance.below(20) {
            0 | 1 => Script::Hangul,
            2 => Script::Han,
            _ => Script::Latin,
        }
    }

    /// How many words a sentence of about 90 bytes has.
    pub fn sentence(self, chance: &mut Chance) -> usize {
        let words = match self {
            Script::Latin => 11,
            Script::Hangul => 6,
            Script::Han => 7,
        };
        words + chance.below(7) as usize
    }

    /// What is between two words.
    pub fn gap(self) -> &'static str {
        if self == Script::Han { "" } else { " " }
    }

    /// What ends a sentence.
    pub fn stop(self) -> &'static str {
        if self == Script::Han { "\u{3002}" } else { "." }
    }

    /// A word; the common ones often, as the cube of an even chance makes them.
    pub fn word(self, chance: &mut Chance) -> String {
        let even = chance.below(1 << 20);
        let cube = (((even * even) >> 20) * even) >> 20;
        self.spell((cube * VOCABULARY) >> 20)
    }

    /// The word of a rank.
    fn spell(self, rank: u64) -> String {
        let mut spelling = Chance::of(0, self as u64, rank);
        let letters = |spelling: &mut Chance, (first, count): (u32, u64)| {
            // Both blocks are whole: every number in them is a character.
            char::from_u32(first + spelling.below(count) as u32).unwrap_or('-')
        };
        match self {
            Script::Latin => spell_latin(rank, &mut spelling),
            Script::Hangul => (0..2 + spelling.below(2)).map(|_| letters(&mut spelling, HANGUL)).collect(),
            Script::Han => (0..1 + spelling.below(3)).map(|_| letters(&mut spelling, HAN)).collect(),
        }
    }
}

/// One syllable for common words, two for the others.
fn spell_latin(rank: u64, spelling: &mut Chance) -> String {
    let mut word = String::new();
    for _ in 0..1 + u64::from(rank > 500) {
        word += spelling.one(&STARTS);
        word += spelling.one(&MIDDLES);
    }
    word + spelling.one(&ENDS)
}
