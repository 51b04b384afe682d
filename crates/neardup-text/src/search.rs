//! Terms for search engines, by which a piece of a word is found where a script writes no spaces, or few.

use crate::unicode::{CharacterKind, is_hangul, kind, normalise};

/// Characters of a word, or of a run within it, that tell it from others: what Lucene's tokenisers take at most.
const LONGEST: usize = 255;

/// A word of a text, as it goes into a search engine or is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchTerm {
    /// The word whole, cut off after 255 characters.
    pub word: String,
    /// Its parts, a space between two. A run of Hangul, or of a script that is cut into pairs, becomes the pair of
    /// characters that begins at each, and its last character alone; any other run stays whole, cut off like the word.
    pub parts: String,
    /// Of a word that is asked for: the last part may be the beginning of a term.
    pub open: bool,
}

/// The words of a document, in order: those of [`Unit::Eojeol`](crate::Unit::Eojeol).
#[must_use]
pub fn search_terms(text: &str) -> Vec<SearchTerm> {
    terms(text, false)
}

/// The words of a query, in order.
///
/// A document holds such a word, or a word that it is part of without a cut through a run that stays whole, when the
/// parts of one of its words hold these parts in a row. Where the word ends in a pair, no last character follows it, since
/// in the document the run may continue; where it ends in a run of one character, that begins a term.
#[must_use]
pub fn query_terms(query: &str) -> Vec<SearchTerm> {
    terms(query, true)
}

/// What a word is cut into.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WordRun {
    /// What is between words.
    Separator,
    /// Hangul, which hangs particles on words.
    Hangul,
    /// A script written without spaces.
    Unspaced,
    /// Everything else.
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
    let letters: Vec<(char, WordRun)> = normalise(text).chars().map(|c| (c, WordRun::of(c))).collect();
    letters.split(|&(_, run)| run == WordRun::Separator).filter(|word| !word.is_empty()).map(|word| term(word, asked)).collect()
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
