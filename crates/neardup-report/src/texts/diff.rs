//! Differences between two texts, by word.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffTag, capture_diff_slices_deadline};
use unicode_segmentation::UnicodeSegmentation;

/// Number of words that are compared of each text, between the common beginning and the common end; the rest is
/// [`StretchKind::Uncompared`].
pub const WORDS: usize = 100_000;

/// Time after which differences are drawn coarser, but still correctly.
pub const TIME: Duration = Duration::from_secs(1);

/// The relation of a stretch to two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StretchKind {
    /// The same words in both; white space may differ.
    Equal,
    /// Only in the left text.
    Removed,
    /// Only in the right text.
    Added,
    /// After [`WORDS`] words: present, but not compared.
    Uncompared,
}

/// A stretch of two texts.
///
/// The `left` sides of all changes, put together, are the left text, and so for `right`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiffStretch<'a> {
    /// Its relation to the texts.
    pub kind: StretchKind,
    /// Its part of the left text; empty if it was added.
    pub left: &'a str,
    /// Its part of the right text; empty if it was removed.
    pub right: &'a str,
}

/// Returns the differences of two texts, word by word, in order.
///
/// Words are those of UAX 29, so Chinese and Japanese differ by character, and a mark stays with its letter. White space belongs
/// to the word before it and is not compared. Texts with mostly equal words get a shortest script (Myers, An O(ND) difference
/// algorithm and its variations, 1986). For other texts, the rarest words that both share are matched first ("histogram diff"),
/// which keeps phrases whole where a shortest script would scatter them. [`WORDS`] and [`TIME`] bound time and memory for texts
/// of any length.
///
/// ```
/// use neardup_report::texts::diff::{StretchKind, words};
/// let kinds: Vec<StretchKind> = words("a red house", "a green house").iter().map(|c| c.kind).collect();
/// assert_eq!(kinds, [StretchKind::Equal, StretchKind::Removed, StretchKind::Added, StretchKind::Equal]);
/// ```
pub fn words<'a>(left: &'a str, right: &'a str) -> Vec<DiffStretch<'a>> {
    words_within(left, right, WORDS, Some(TIME))
}

/// Like [`words`], with other limits; without a time limit the result depends on the texts only.
pub fn words_within<'a>(left: &'a str, right: &'a str, limit: usize, time: Option<Duration>) -> Vec<DiffStretch<'a>> {
    let head = common_head(left, right);
    let tail = common_tail(&left[head..], &right[head..]);
    let (left, left_tail) = left.split_at(left.len() - tail);
    let (right, right_tail) = right.split_at(right.len() - tail);
    // From here on both sides begin with a word, or are at their end.
    let (left_head, left) = left.split_at(head + space(&left[head..]));
    let (right_head, right) = right.split_at(head + space(&right[head..]));

    let (old, left_rest) = split(left, limit);
    let (new, right_rest) = split(right, limit);
    let (old_words, new_words, unlike) = number(&old, &new);
    // The time of Myers grows with the number of differences, that of histogram with the length.
    let algorithm = if 4 * unlike <= old.len() + new.len() { Algorithm::Myers } else { Algorithm::Histogram };
    let deadline = time.map(|time| Instant::now() + time);

    let mut changes = Vec::new();
    push(&mut changes, StretchKind::Equal, left_head, right_head);
    let (mut at_left, mut at_right) = (0, 0);
    for op in capture_diff_slices_deadline(algorithm, &old_words, &new_words, deadline) {
        let (tag, old_range, new_range) = op.as_tag_tuple();
        let to_left = at_left + old[old_range].iter().map(|word| word.len()).sum::<usize>();
        let to_right = at_right + new[new_range].iter().map(|word| word.len()).sum::<usize>();
        let (removed, added) = (&left[at_left..to_left], &right[at_right..to_right]);
        if tag == DiffTag::Equal {
            push(&mut changes, StretchKind::Equal, removed, added);
        } else {
            push(&mut changes, StretchKind::Removed, removed, "");
            push(&mut changes, StretchKind::Added, "", added);
        }
        (at_left, at_right) = (to_left, to_right);
    }
    push(&mut changes, StretchKind::Uncompared, left_rest, right_rest);
    push(&mut changes, StretchKind::Equal, left_tail, right_tail);
    changes
}

/// Returns the number of words in a text by Unicode Standard Annex 29. Punctuation is not counted.
pub(crate) fn count(text: &str) -> usize {
    text.unicode_words().count()
}

fn push<'a>(changes: &mut Vec<DiffStretch<'a>>, kind: StretchKind, left: &'a str, right: &'a str) {
    if !(left.is_empty() && right.is_empty()) {
        changes.push(DiffStretch { kind, left, right });
    }
}

/// Returns both texts as numbers, which are equal for equal words, and the number of words that one text has more often than the
/// other.
fn number<'a>(old: &[&'a str], new: &[&'a str]) -> (Vec<u32>, Vec<u32>, usize) {
    let mut numbers: HashMap<&'a str, u32> = HashMap::with_capacity(old.len());
    let mut surplus: Vec<i64> = Vec::with_capacity(old.len());
    let mut of = |word: &'a str, by: i64| {
        let number = *numbers.entry(word.trim_end()).or_insert_with(|| {
            surplus.push(0);
            (surplus.len() - 1) as u32
        });
        surplus[number as usize] += by;
        number
    };
    let old_words = old.iter().map(|&word| of(word, 1)).collect();
    let new_words = new.iter().map(|&word| of(word, -1)).collect();
    (old_words, new_words, surplus.iter().map(|n| n.unsigned_abs() as usize).sum())
}

/// Returns the number of bytes of white space at the beginning of a text.
fn space(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// Cuts a text into words, each with the white space after it, and the rest after `limit` words.
fn split(text: &str, limit: usize) -> (Vec<&str>, &str) {
    if text.is_ascii() { split_at(text, limit, ascii_starts(text)) } else { split_at(text, limit, starts(text)) }
}

fn split_at(text: &str, limit: usize, starts: impl Iterator<Item = usize>) -> (Vec<&str>, &str) {
    let mut words: Vec<&str> = Vec::with_capacity(limit.min(text.len() / 5));
    let mut from = 0;
    for at in starts.filter(|&at| at > 0) {
        words.push(&text[from..at]);
        from = at;
        if words.len() == limit {
            return (words, &text[at..]);
        }
    }
    if from < text.len() {
        words.push(&text[from..]);
    }
    (words, "")
}

/// Returns the starts of those pieces of UAX 29 that are not white space.
fn starts(text: &str) -> impl Iterator<Item = usize> {
    text.split_word_bound_indices().filter(|(_, piece)| !piece.chars().all(char::is_whitespace)).map(|(at, _)| at)
}

/// Returns the same for ASCII, from the words alone, which are found much faster. Between words, every sign is a piece.
fn ascii_starts(text: &str) -> impl Iterator<Item = usize> {
    let signs = |from: usize, to: usize| (from..to).filter(|&at| !text.as_bytes()[at].is_ascii_whitespace() && text.as_bytes()[at] != 0x0b);
    let ends = |word: Option<(usize, &str)>| word.map_or((text.len(), text.len()), |(at, word)| (at, at + word.len()));
    let mut from = 0;
    let words = text.unicode_word_indices().map(Some).chain([None]);
    words.flat_map(move |word| {
        let (at, end) = ends(word);
        let before = signs(from, at);
        from = end;
        before.chain((at < end).then_some(at))
    })
}

/// Returns the number of bytes with which both texts begin, up to a place at which a word has just ended.
fn common_head(left: &str, right: &str) -> usize {
    let mut equal = left.bytes().zip(right.bytes()).take_while(|(a, b)| a == b).count();
    if equal == left.len() && equal == right.len() {
        return equal;
    }
    while !left.is_char_boundary(equal) {
        equal -= 1;
    }
    left[..equal].char_indices().rfind(|&(_, c)| ends_word(c)).map_or(0, |(at, c)| at + c.len_utf8())
}

/// Returns the number of bytes with which both texts end, from a place at which a word has just ended.
fn common_tail(left: &str, right: &str) -> usize {
    let equal = left.bytes().rev().zip(right.bytes().rev()).take_while(|(a, b)| a == b).count();
    let mut from = left.len() - equal;
    while !left.is_char_boundary(from) {
        from += 1;
    }
    let shared = &left[from..];
    // A line end of two characters stays whole.
    let first = shared.char_indices().find(|&(at, c)| ends_word(c) && !shared[at..].starts_with("\r\n"));
    first.map_or(0, |(at, c)| left.len() - (from + at + c.len_utf8()))
}

/// Returns whether a character ends a word: white space, and the full stops and commas of scripts without spaces.
fn ends_word(c: char) -> bool {
    c.is_whitespace() || matches!(c, '。' | '、' | '，')
}
