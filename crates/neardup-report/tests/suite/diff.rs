//! The word diff: it is lossless and correct, and its cost is bounded.

use neardup_report::texts::diff::{DiffStretch, StretchKind, WORDS, words};
use proptest::prelude::*;

fn shown(left: &str, right: &str) -> String {
    let mark = |change: &DiffStretch| match change.kind {
        StretchKind::Equal => change.left.to_string(),
        StretchKind::Removed => format!("[-{}-]", change.left),
        StretchKind::Added => format!("[+{}+]", change.right),
        StretchKind::Uncompared => format!("[?{}|{}?]", change.left, change.right),
    };
    words(left, right).iter().map(mark).collect()
}

/// Returns the length of the longest common subsequence of words, by the definition.
fn lcs(left: &[&str], right: &[&str]) -> usize {
    let mut row = vec![0; right.len() + 1];
    for a in left {
        let mut diagonal = 0;
        for (j, b) in right.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = if a == b { diagonal + 1 } else { above.max(row[j]) };
            diagonal = above;
        }
    }
    row[right.len()]
}

#[test]
fn known_cases() {
    let cases = [
        ("", "", ""),
        ("same words here", "same words here", "same words here"),
        ("a red house", "a green house", "a [-red -][+green +]house"),
        ("one two", "one two three", "one two[+three+]"),
        ("one two three", "one three", "one [-two -]three"),
        ("", "new", "[+new+]"),
        ("old", "", "[-old-]"),
        ("line one\nline two", "line  one line two", "line one\nline two"),
        ("a b", " a b ", "a b"),
        ("one\r\ntwo", "three\r\ntwo", "[-one\r\n-][+three\r\n+]two"),
        ("  ", "", "  "),
        ("café au lait", "cafe au lait", "[-café -][+cafe +]au lait"),
        ("今日は晴れです。", "今日は雨です。", "今日は[-晴れ-][+雨+]です。"),
        ("검색 엔진은 문서를", "검색 엔진이 문서를", "검색 [-엔진은 -][+엔진이 +]문서를"),
        ("الكتاب على الطاولة", "الكتاب تحت الطاولة", "الكتاب [-على -][+تحت +]الطاولة"),
        ("हिन्दी भाषा", "हिन्दी लिपि", "हिन्दी [-भाषा-][+लिपि+]"),
    ];
    for (left, right, expected) in cases {
        assert_eq!(shown(left, right), expected, "{left:?} {right:?}");
    }
}

#[test]
fn ten_megabytes_that_share_nothing_are_compared_in_bounded_time() {
    let text = |seed: u64| {
        let mut state = seed;
        let mut out = String::new();
        while out.len() < 10_000_000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            out.push_str(&format!("w{} ", (state >> 33) % 5_000));
        }
        out
    };
    let (left, right) = (text(1), text(2));
    // without a bound on the compared words it would take minutes to find that nothing is shared
    let changes = words(&left, &right);
    let last = changes.iter().rfind(|change| change.kind == StretchKind::Uncompared).unwrap();
    assert!(last.left.len() > 9_000_000);
    let compared: usize = changes.iter().filter(|c| c.kind != StretchKind::Uncompared).map(|c| c.left.split_whitespace().count()).sum();
    assert!(compared <= WORDS + 1, "{compared}");
}

#[test]
fn one_changed_word_in_ten_megabytes_is_found() {
    let left = "the quick brown fox jumps over the lazy dog\n".repeat(230_000);
    let at = left.len() / 44 / 2 * 44;
    let right = format!("{}the quick brown cat{}", &left[..at], &left[at + 19..]);
    let kinds: Vec<_> = words(&left, &right).iter().map(|c| (c.kind, c.left.trim(), c.right.trim())).collect();
    assert_eq!(kinds.len(), 4);
    assert_eq!(kinds[1], (StretchKind::Removed, "fox", ""));
    assert_eq!(kinds[2], (StretchKind::Added, "", "cat"));
}

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect()
}

proptest! {
    #[test]
    fn both_texts_can_be_restored(left in "([ab。 \\n]|かな|é|\\PC){0,40}", right in "([ab。 \\n]|かな|é|\\PC){0,40}") {
        let changes = words(&left, &right);
        let (mut l, mut r) = (String::new(), String::new());
        for change in &changes {
            l.push_str(change.left);
            r.push_str(change.right);
            match change.kind {
                StretchKind::Equal => prop_assert_eq!(squeeze(change.left), squeeze(change.right)),
                StretchKind::Removed => prop_assert!(change.right.is_empty() && !change.left.is_empty()),
                StretchKind::Added => prop_assert!(change.left.is_empty() && !change.right.is_empty()),
                StretchKind::Uncompared => prop_assert!(false),
            }
        }
        prop_assert_eq!(l, left);
        prop_assert_eq!(r, right);
    }

    #[test]
    fn equal_words_form_a_common_subsequence(left in "([abc] ){0,12}", right in "([abc] ){0,12}") {
        let equal: usize = words(&left, &right).iter().filter(|c| c.kind == StretchKind::Equal).map(|c| c.left.split_whitespace().count()).sum();
        let (l, r): (Vec<_>, Vec<_>) = (left.split_whitespace().collect(), right.split_whitespace().collect());
        // Matching rare words first does not always find the longest subsequence, but it finds one if there is any.
        let longest = lcs(&l, &r);
        prop_assert!(equal <= longest && (equal > 0) == (longest > 0), "{} of {}", equal, longest);
    }
}
