//! Terms for search engines. They find a part of a word in scripts with few or no spaces.

use crate::normal::Form;
use crate::scan::whole::normalised;
use crate::unicode::{CharacterKind, is_hangul, is_mark, kind};

/// Maximum number of characters of a word, or of a run inside it, that distinguish it. It is the limit of Lucene's tokenisers.
const LONGEST: usize = 255;

/// A word of a text, as a search engine indexes it or looks it up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchTerm {
    /// The whole word, cut off after 255 characters.
    pub word: String,
    /// Its parts, separated by spaces. A run of Hangul, or of a script that is cut into pairs, becomes the pairs of characters that
    /// begin at each character, and its last character alone. Any other run stays whole, cut off like the word.
    pub parts: String,
    /// In a query, whether the last part may be the beginning of a term.
    pub open: bool,
}

/// Returns the words of a document, in order. They are those of [`Unit::Eojeol`](crate::Unit::Eojeol).
#[must_use]
pub fn search_terms(text: &str) -> Vec<SearchTerm> {
    terms(text, false)
}

/// Returns the words of a query, in order.
///
/// A document contains such a word, alone or inside a longer word, if the parts of one of its words contain these parts in a row.
/// Inside a longer word it is not found if one of its ends cuts through a run that stays whole. If the word ends in a pair, its
/// last character does not follow as a part of its own, because in the document the run may continue. If it ends in a run of one
/// character, that character is the beginning of a term.
#[must_use]
pub fn query_terms(query: &str) -> Vec<SearchTerm> {
    terms(query, true)
}

/// Kinds of runs into which a text is cut.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WordRun {
    /// Characters between words.
    Separator,
    /// Hangul, in which particles are attached to words.
    Hangul,
    /// A script written without spaces.
    Unspaced,
    /// All other characters of words.
    Whole,
}

impl WordRun {
    fn of(c: char) -> Self {
        match kind(c) {
            CharacterKind::Separator => Self::Separator,
            CharacterKind::Pair => Self::Unspaced,
            CharacterKind::Word if is_hangul(c) => Self::Hangul,
            CharacterKind::Word => Self::Whole,
        }
    }
}

fn terms(text: &str, asked: bool) -> Vec<SearchTerm> {
    let letters: Vec<(char, WordRun)> = normalised(Form::Words, text).chars().map(|c| (c, WordRun::of(c))).collect();
    let words = letters.split(|&(_, run)| run == WordRun::Separator);
    words.map(after_marks).filter(|word| !word.is_empty()).map(|word| term(word, asked)).collect()
}

/// Returns the rest of a word after the marks before it.
fn after_marks(word: &[(char, WordRun)]) -> &[(char, WordRun)] {
    let begin = word.iter().position(|&(c, _)| !is_mark(c)).unwrap_or(word.len());
    &word[begin..]
}

fn term(word: &[(char, WordRun)], asked: bool) -> SearchTerm {
    let (mut parts, mut open) = (String::new(), false);
    let mut push = |part: &[(char, WordRun)]| {
        if !parts.is_empty() {
            parts.push(' ');
        }
        parts.extend(part.iter().map(|&(c, _)| c));
    };
    let mut left = word.len();
    for run in word.chunk_by(|(_, one), (_, next)| one == next) {
        left -= run.len();
        if run[0].1 == WordRun::Whole {
            push(&run[..run.len().min(LONGEST)]);
            continue;
        }
        run.windows(2).for_each(&mut push);
        let is_end = asked && left == 0;
        if !is_end || run.len() == 1 {
            push(&run[run.len() - 1..]);
        }
        open = is_end && run.len() == 1;
    }
    SearchTerm { word: word.iter().take(LONGEST).map(|&(c, _)| c).collect(), parts, open }
}
