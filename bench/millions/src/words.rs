//! Invented words in three scripts; common words are drawn often.

use crate::chance::Chance;

const STARTS: [&str; 24] =
    ["b", "br", "c", "ch", "d", "dr", "f", "fl", "g", "gr", "h", "k", "l", "m", "n", "p", "pr", "r", "s", "sh", "t", "tr", "v", "w"];
const MIDDLES: [&str; 10] = ["a", "e", "i", "o", "u", "ai", "ea", "ie", "oo", "ou"];
const ENDS: [&str; 12] = ["", "", "", "l", "m", "n", "nd", "r", "s", "st", "t", "ck"];
/// Number of different words in a script.
const VOCABULARY: u64 = 60_000;
const HANGUL: (u32, u64) = (0xAC00, 11_172);
const HAN: (u32, u64) = (0x4E00, 3_500);

/// The script of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// Latin letters, with spaces between words.
    Latin,
    /// Hangul syllables, with spaces between words.
    Hangul,
    /// Han characters without spaces.
    Han,
}

impl Script {
    /// Draws the script of a document: one in ten is Korean, one in twenty Chinese.
    pub fn by(chance: &mut Chance) -> Self {
        match chance.below(20) {
            0 | 1 => Script::Hangul,
            2 => Script::Han,
            _ => Script::Latin,
        }
    }

    /// Draws the number of words in a sentence of about 90 bytes.
    pub fn sentence(self, chance: &mut Chance) -> usize {
        let words = match self {
            Script::Latin => 11,
            Script::Hangul => 6,
            Script::Han => 7,
        };
        words + chance.below(7) as usize
    }

    /// Returns the separator of two words.
    pub fn gap(self) -> &'static str {
        if self == Script::Han { "" } else { " " }
    }

    /// Returns the end of a sentence.
    pub fn stop(self) -> &'static str {
        if self == Script::Han { "\u{3002}" } else { "." }
    }

    /// Draws a word. Its rank grows with the cube of a uniform random number, so common words are drawn often.
    pub fn word(self, chance: &mut Chance) -> String {
        let even = chance.below(1 << 20);
        let cube = (((even * even) >> 20) * even) >> 20;
        self.spell((cube * VOCABULARY) >> 20)
    }

    /// Returns the word of a rank.
    fn spell(self, rank: u64) -> String {
        let mut spelling = Chance::of(0, self as u64, rank);
        let letters = |spelling: &mut Chance, (first, count): (u32, u64)| {
            // Both blocks are complete: every number in them is a character.
            char::from_u32(first + spelling.below(count) as u32).unwrap_or('-')
        };
        match self {
            Script::Latin => spell_latin(rank, &mut spelling),
            Script::Hangul => (0..2 + spelling.below(2)).map(|_| letters(&mut spelling, HANGUL)).collect(),
            Script::Han => (0..1 + spelling.below(3)).map(|_| letters(&mut spelling, HAN)).collect(),
        }
    }
}

/// Returns a word of one syllable if it is common, and of two otherwise.
fn spell_latin(rank: u64, spelling: &mut Chance) -> String {
    let mut word = String::new();
    for _ in 0..1 + u64::from(rank > 500) {
        word += spelling.one(&STARTS);
        word += spelling.one(&MIDDLES);
    }
    word + spelling.one(&ENDS)
}
