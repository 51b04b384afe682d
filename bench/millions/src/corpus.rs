//! The corpus: the text of each document, computed from its number.

use crate::chance::Chance;
use crate::frames;
use crate::words::Script;

/// Most bytes of a text.
const LONGEST: usize = 300;
const MILLION: u64 = 1_000_000;
/// Streams of random numbers, each with one use.
const KIND: u64 = 1;
const TEXT: u64 = 2;
const BASE: u64 = 3;
const EDIT: u64 = 4;
const SPAMMED: u64 = 5;

/// Documents by number.
pub struct Corpus {
    seed: u64,
    documents: u64,
    family: u64,
    /// One document in `spam` is in a family of equal documents, and as many are in a family of near-copies; `None`: no families.
    spam: Option<u64>,
    spammers: u64,
}

/// The kind of a document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// One to three sentences of its own, each a paragraph.
    Original,
    /// A copy of an original.
    Copy,
    /// An original with some words changed.
    Edit,
    /// The paragraphs of an original in another order.
    Move,
    /// A filled-in frame.
    Frame,
    /// One of a family of equal documents.
    Equal,
    /// One of a family of nearly equal documents.
    Near,
    /// One of the family of the option `--family`.
    Family,
}

impl Corpus {
    /// Creates a corpus of `documents`, of which `family` are near-copies of one. Each million contains a family of `spam` equal
    /// documents, and one of `spam` near-copies.
    pub fn new(seed: u64, documents: u64, family: u64, spam: u64) -> Self {
        let spammers = documents.div_ceil(MILLION);
        Corpus { seed, documents, family: family.min(documents), spam: MILLION.checked_div(spam), spammers }
    }

    fn kind(&self, number: u64) -> Kind {
        let mut chance = Chance::of(self.seed, KIND, number);
        if chance.below(self.documents) < self.family {
            return Kind::Family;
        }
        match self.spam.map(|spam| chance.below(spam)) {
            Some(0) => return Kind::Equal,
            Some(1) => return Kind::Near,
            _ => {}
        }
        match chance.below(100) {
            0..58 => Kind::Original,
            58..68 => Kind::Copy,
            68..82 => Kind::Edit,
            82..88 => Kind::Move,
            _ => Kind::Frame,
        }
    }

    /// Appends the text of document `number` to `text`.
    pub fn write(&self, number: u64, text: &mut String) {
        let mut chance = Chance::of(self.seed, EDIT, number);
        match self.kind(number) {
            Kind::Original => text.push_str(&self.original(number)),
            Kind::Copy => text.push_str(&self.original(self.base(number))),
            Kind::Edit => text.push_str(&edited(&self.original(self.base(number)), 1 + chance.below(3), &mut chance)),
            Kind::Move => text.push_str(&moved(&self.original(self.base(number)), &mut chance)),
            Kind::Frame => frames::write(&mut chance, text),
            Kind::Equal => text.push_str(&self.spam(2 * chance.below(self.spammers))),
            Kind::Near => text.push_str(&tagged(&self.spam(2 * chance.below(self.spammers) + 1), &mut chance)),
            Kind::Family => text.push_str(&tagged(&self.spam(2 * self.spammers), &mut chance)),
        }
        shorten(text);
    }

    /// Returns the original that a document was made from.
    fn base(&self, number: u64) -> u64 {
        let mut chance = Chance::of(self.seed, BASE, number);
        loop {
            let base = chance.below(self.documents);
            // If there may be no original, any document is taken after many tries.
            if self.kind(base) == Kind::Original || chance.below(1000) == 0 {
                return base;
            }
        }
    }

    fn original(&self, number: u64) -> String {
        let mut chance = Chance::of(self.seed, TEXT, number);
        let sentences = 1 + chance.below(3);
        prose(sentences, &mut chance)
    }

    fn spam(&self, family: u64) -> String {
        prose(2, &mut Chance::of(self.seed, SPAMMED, family))
    }
}

/// Returns sentences, each on its own line.
fn prose(sentences: u64, chance: &mut Chance) -> String {
    let script = Script::by(chance);
    let sentence = |_| {
        let words: Vec<String> = (0..script.sentence(chance)).map(|_| script.word(chance)).collect();
        words.join(script.gap()) + script.stop()
    };
    (0..sentences).map(sentence).collect::<Vec<_>>().join("\n")
}

/// Returns the text with `count` of its words replaced, or with a number added at the end.
fn edited(text: &str, count: u64, chance: &mut Chance) -> String {
    if chance.below(2) == 0 {
        return format!("{text}\n{}", chance.below(1_000_000));
    }
    let mut words: Vec<&str> = text.split(' ').collect();
    let fresh: Vec<String> = (0..count).map(|_| Script::Latin.word(chance)).collect();
    for word in &fresh {
        let at = chance.below(words.len() as u64) as usize;
        words[at] = word;
    }
    words.join(" ")
}

/// Returns the lines of a text, rotated by a random number of lines.
fn moved(text: &str, chance: &mut Chance) -> String {
    let mut lines: Vec<&str> = text.split('\n').collect();
    let by = chance.below(lines.len() as u64) as usize;
    lines.rotate_left(by);
    lines.join("\n")
}

/// Returns a text with a number at the end, as in spam; one in five is also edited.
fn tagged(text: &str, chance: &mut Chance) -> String {
    let text = if chance.below(5) == 0 { edited(text, 1, chance) } else { text.to_owned() };
    format!("{text} {}", chance.below(1_000_000_000))
}

fn shorten(text: &mut String) {
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
}
