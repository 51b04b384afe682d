//! Shared passages are compared with the definition of greedy string tiling.

use neardup_core::passages::{Passages, find_passages};
use neardup_text::Located;
use proptest::prelude::*;

/// Returns one token for each character, at the bytes of a text with one byte between tokens.
fn tokens(text: &str) -> Vec<Located> {
    text.bytes().enumerate().map(|(at, byte)| Located { start: 2 * at, end: 2 * at + 1, hash: u64::from(byte) }).collect()
}

fn find(left: &str, right: &str, width: usize) -> Passages {
    find_passages(&tokens(left), &tokens(right), width)
}

/// Left start, right start, length.
type Tile = (usize, usize, usize);

fn tiles(found: &Passages) -> Vec<Tile> {
    found.passages.iter().map(|passage| (passage.left_tokens.start, passage.right_tokens.start, passage.left_tokens.len())).collect()
}

/// Computes the definition: it repeatedly takes the longest run of free equal tokens; of equal ones the first in the left
/// text, then in the right.
fn oracle(left: &str, right: &str, width: usize) -> Vec<Tile> {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len().min(right.len()) < width {
        return if left == right && !left.is_empty() { vec![(0, 0, left.len())] } else { Vec::new() };
    }
    let (mut left_free, mut right_free) = (vec![true; left.len()], vec![true; right.len()]);
    let mut taken = Vec::new();
    loop {
        let mut best = (0, 0, 0);
        for l in 0..left.len() {
            for r in 0..right.len() {
                let equal = |&at: &usize| left[l + at] == right[r + at] && left_free[l + at] && right_free[r + at];
                let length = (0..(left.len() - l).min(right.len() - r)).take_while(equal).count();
                if length > best.2 {
                    best = (l, r, length);
                }
            }
        }
        let (l, r, length) = best;
        if length < width {
            taken.sort_unstable();
            return taken;
        }
        left_free[l..l + length].fill(false);
        right_free[r..r + length].fill(false);
        taken.push(best);
    }
}

#[test]
fn known_answers() {
    let table: [(&str, &str, usize, &[Tile]); 15] = [
        ("", "", 3, &[]),
        ("abc", "", 3, &[]),
        ("abcdef", "abcdef", 3, &[(0, 0, 6)]),
        ("abcdef", "xxabcdefxx", 3, &[(0, 2, 6)]),
        ("abcXdef", "abcYdef", 3, &[(0, 0, 3), (4, 4, 3)]),
        ("abcdef", "defabc", 3, &[(0, 3, 3), (3, 0, 3)]),
        ("abXab", "abYab", 3, &[]),
        // The longer run is taken first and cuts the other.
        ("abcdefg", "abcd#cdefg", 2, &[(0, 0, 2), (2, 5, 5)]),
        ("abcdefg", "abcd#cdefg", 3, &[(2, 5, 5)]),
        // One passage on the left cannot be used twice.
        ("abc", "abcabc", 3, &[(0, 0, 3)]),
        ("abcabc", "abc", 3, &[(0, 0, 3)]),
        ("aaaaaa", "aaaa", 2, &[(0, 0, 4)]),
        // Fewer than w tokens form one shingle.
        ("ab", "ab", 3, &[(0, 0, 2)]),
        ("ab", "abc", 3, &[]),
        ("abc", "xbx", 1, &[(1, 1, 1)]),
    ];
    for (left, right, width, expected) in table {
        assert_eq!(tiles(&find(left, right, width)), expected, "{left} {right} {width}");
        assert_eq!(oracle(left, right, width), expected, "{left} {right} {width}");
    }
}

#[test]
fn spans_and_coverage() {
    let found = find("xxabcdx", "abcd", 3);
    let passage = &found.passages[0];
    assert_eq!((passage.left_tokens.clone(), passage.right_tokens.clone()), (2..6, 0..4));
    assert_eq!((passage.left_bytes.clone(), passage.right_bytes.clone()), (4..11, 0..7));
    assert_eq!((found.covered, found.left, found.right, found.capped), (4, 7, 4, false));
}

#[test]
fn a_width_of_0_counts_as_1() {
    assert_eq!(find("ab", "b", 0), find("ab", "b", 1));
    assert_eq!(find("", "", 0).passages, []);
}

#[test]
fn repeats_are_found_in_bounded_time() {
    let long = 200_000;
    let same = "a".repeat(long);
    let found = find(&same, &same, 5);
    assert_eq!((tiles(&found), found.capped), (vec![(0, 0, long)], true));
    let left: String = "abcdefgh".repeat(long / 8);
    let right = format!("{}x{}", &left[3..], &left[..long / 2]);
    let found = find(&left, &right, 5);
    assert!(found.capped && found.covered * 10 >= left.len() * 9, "{}", found.covered);
    // A repeated block between other text: rare shingles align it.
    let rule = "-".repeat(5_000);
    let text = format!("one{rule}two{rule}six");
    let found = find(&text, &format!("0123{text}"), 5);
    assert_eq!(tiles(&found), [(0, 4, text.len())]);
}

/// Returns whether every passage is equal in both texts, long enough, and overlaps no other.
fn is_sound(left: &str, right: &str, width: usize, found: &Passages) -> bool {
    let (mut left_seen, mut right_seen) = (vec![false; left.len()], vec![false; right.len()]);
    let once = |seen: &mut Vec<bool>, at: usize| !std::mem::replace(&mut seen[at], true);
    let covered: usize = found.passages.iter().map(|passage| passage.left_tokens.len()).sum();
    covered == found.covered
        && found.passages.iter().all(|passage| {
            let (l, r) = (passage.left_tokens.clone(), passage.right_tokens.clone());
            (l.len() >= width || (l.len() == left.len() && left == right))
                && left[l.clone()] == right[r.clone()]
                && l.into_iter().all(|at| once(&mut left_seen, at))
                && r.into_iter().all(|at| once(&mut right_seen, at))
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn equals_the_definition(left in "[a-c]{0,24}", right in "[a-c]{0,24}", width in 1usize..6) {
        let found = find(&left, &right, width);
        prop_assert!(is_sound(&left, &right, width, &found));
        if !found.capped {
            prop_assert_eq!(tiles(&found), oracle(&left, &right, width));
        }
    }

    #[test]
    fn equals_the_definition_on_edited_texts(text in "[a-p]{10,60}", cut in 0usize..60, moved in 0usize..60, width in 1usize..6) {
        let (cut, moved) = (cut % text.len(), moved % text.len());
        let right = format!("{}z{}{}", &text[cut..], &text[..cut], &text[moved..]);
        let found = find(&text, &right, width);
        prop_assert!(is_sound(&text, &right, width, &found));
        if !found.capped {
            prop_assert_eq!(tiles(&found), oracle(&text, &right, width));
        }
    }

    #[test]
    fn capped_results_are_sound_and_repeatable(left in "[ab]{0,200}", right in "[ab]{0,200}", width in 1usize..4) {
        let found = find(&left, &right, width);
        prop_assert!(is_sound(&left, &right, width, &found));
        prop_assert_eq!(find(&left, &right, width), found);
    }
}
