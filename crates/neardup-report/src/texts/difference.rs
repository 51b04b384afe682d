//! The difference of two texts in one line.

use crate::number::{count, plural};
use neardup_text::normal_form;
use std::collections::HashMap;
use std::fmt;
use unicode_segmentation::UnicodeSegmentation;

/// How two texts differ. Each kind applies only where those before it do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Their bytes are equal.
    Nothing,
    /// They are equal without white space.
    WhiteSpace,
    /// Their words are equal in their normal form, in the same order: capitals, signs between the words or characters that are not
    /// seen differ.
    Form,
    /// Each word occurs as often in both.
    Order,
    /// Some words occur in one text more often than in the other.
    Words {
        /// The larger of the numbers of words that one text has and the other has not.
        differing: usize,
        /// The number of words of the longer text.
        of: usize,
    },
}

/// Compares two texts by the words (UAX 29) of their normal form, each as often as it occurs. Chinese and Japanese differ by
/// character. The time grows with the length of the texts only.
///
/// ```
/// use neardup_report::texts::difference::difference;
/// assert_eq!(difference("a red house", "a green house").to_string(), "1 of 3 words differs");
/// assert_eq!(difference("a red house", "a  red\nhouse").to_string(), "white space differs");
/// ```
pub fn difference(left: &str, right: &str) -> Difference {
    if left == right {
        return Difference::Nothing;
    }
    if solid(left).eq(solid(right)) {
        return Difference::WhiteSpace;
    }
    let [left, right] = [left, right].map(normal_form);
    if left.unicode_words().eq(right.unicode_words()) {
        return Difference::Form;
    }
    let mut surplus: HashMap<&str, i64> = HashMap::new();
    let (mut own, mut other) = (0, 0);
    for word in left.unicode_words() {
        *surplus.entry(word).or_default() += 1;
        own += 1;
    }
    for word in right.unicode_words() {
        *surplus.entry(word).or_default() -= 1;
        other += 1;
    }
    let more = |sign: i64| surplus.values().map(|&left| (left * sign).max(0)).sum::<i64>();
    match more(1).max(more(-1)) {
        0 => Difference::Order,
        differing => Difference::Words { differing: differing.unsigned_abs() as usize, of: own.max(other) },
    }
}

fn solid(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|char| !char.is_whitespace())
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Nothing => out.write_str("same text"),
            Difference::WhiteSpace => out.write_str("white space differs"),
            Difference::Form => out.write_str("capitals or punctuation differ"),
            Difference::Order => out.write_str("same words in another order"),
            Difference::Words { differing, of } => {
                let verb = if *differing == 1 { "differs" } else { "differ" };
                write!(out, "{} of {} {verb}", count(*differing as u64), plural(*of as u64, "word"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_named() {
        let told = |left, right| difference(left, right).to_string();
        assert_eq!(told("", ""), "same text");
        assert_eq!(told("one two", "one\u{a0} two\n"), "white space differs");
        assert_eq!(told("One, two", "one two!"), "capitals or punctuation differ");
        assert_eq!(told("one Straße", "o\u{ad}ne ｓｔｒａｓｓｅ"), "capitals or punctuation differ");
        assert_eq!(told("one two three", "ONE TWO THREE FOUR"), "1 of 4 words differs");
        assert_eq!(told("one two", "two one"), "same words in another order");
        assert_eq!(told("one two three", "one two"), "1 of 3 words differs");
        assert_eq!(told("one two three", "one four five"), "2 of 3 words differ");
        assert_eq!(told("one", "two"), "1 of 1 word differs");
        assert_eq!(told("图书馆", "图书室"), "1 of 3 words differs");
        assert_eq!(told("", "one two"), "2 of 2 words differ");
        assert_eq!(told("", "!"), "capitals or punctuation differ");
    }

    #[test]
    fn it_is_the_same_in_both_directions() {
        let texts = ["a b c", "a b", "A b c.", "c b a", "", "x y", "a  b c"];
        for left in texts {
            for right in texts {
                assert_eq!(difference(left, right), difference(right, left), "{left:?} {right:?}");
            }
        }
    }
}
