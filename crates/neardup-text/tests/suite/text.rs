//! Views of a text: blank texts, decoding and digests.

use std::collections::HashSet;

use crate::oracle::{Style, json};
use neardup_text::{Located, Text, Tokeniser, Unit, fingerprint, locate};
use proptest::prelude::*;

const STYLES: [Style; 4] = [Style::Raw, Style::Ascii, Style::All, Style::Mixed(5)];

#[test]
fn golden_digests() {
    let stripe = "0123456789abcdef".repeat(4);
    let golden = [
        ("", 0xE866_B1AC_C40D_54C0_5B76_3200_8574_9628, 0x0EE5_EFC0_44BA_D7C5_94E8_1C52_878A_0AF6),
        ("a", 0x10D3_6966_EECB_9B38_6195_9DE0_6EF8_7FA1, 0x8E47_9A7E_ABCC_6EC8_94FD_AF12_D2F0_237F),
        (&stripe, 0x3A65_F2DF_0ECF_5BD3_3ECF_1396_7420_F805, 0x06A7_A2A2_5440_B402_C2CB_F4A0_BDAE_35C0_u128),
    ];
    for (text, plain, coded) in golden {
        assert_eq!(Text::Plain(text.as_bytes()).digest(), plain);
        assert_eq!(Text::Json(text.as_bytes()).digest(), coded);
    }
}

#[test]
fn digests_differ_by_any_byte_and_length() {
    let mut seen = HashSet::new();
    for length in 0..200 {
        let mut bytes = vec![0; length];
        assert!(seen.insert(Text::Plain(&bytes).digest()));
        for i in 0..length {
            bytes[i] = 1;
            assert!(seen.insert(Text::Plain(&bytes).digest()));
            bytes[i] = 0;
        }
    }
}

#[test]
fn blank_texts_are_recognised() {
    let blank = ["", " ", "\n\t\r\u{b}\u{c} ", "\u{85}\u{a0}\u{1680}\u{2000}\u{2028}\u{3000}", "\n\u{3000} \u{b} "];
    let not = ["a", " a", "\u{8}", "\u{1f}", "\u{200b}", "\u{feff}", "\0", "\\", "\"", "/", "\u{3000}é", "\u{b}x"];
    for (texts, expected) in [(&blank[..], true), (&not[..], false)] {
        for text in texts {
            assert_eq!(Text::Plain(text.as_bytes()).is_blank(), expected, "{text:?}");
            for style in STYLES {
                assert_eq!(Text::Json(json(text, style).as_bytes()).is_blank(), expected, "{text:?} {style:?}");
            }
        }
    }
}

#[test]
fn lines_paragraphs_sentences_and_bytes_are_tokens() {
    let text = "First LINE. Second one!\n  \r\n\nÉtage 2\u{301}\r\nlast";
    let hash = |piece: &str| fingerprint::token(piece.as_bytes(), 3);
    let expected = [
        (Unit::Lines, vec!["first line. second one!", "étage 2\u{301}", "last"]),
        (Unit::Paragraphs, vec!["first line. second one!", "étage 2\u{301}\r\nlast"]),
        (Unit::Sentences, vec!["first line.", "second one!", "étage 2\u{301}", "last"]),
    ];
    for (unit, pieces) in expected {
        let hashes: Vec<u64> = pieces.iter().map(|piece| hash(piece)).collect();
        let mut tokeniser = Tokeniser::new(unit, 3);
        assert_eq!(tokeniser.tokens(Text::Plain(text.as_bytes())), hashes, "{unit}");
        assert_eq!(tokeniser.tokens(Text::Json(json(text, Style::All).as_bytes())), hashes, "{unit}");
        assert!(locate(unit, 3, text).iter().map(|located| located.hash).eq(hashes), "{unit}");
    }
    let bytes: Vec<u64> = text.bytes().map(|byte| fingerprint::token(&[byte], 3)).collect();
    assert_eq!(Tokeniser::new(Unit::Bytes, 3).tokens(Text::Json(json(text, Style::Ascii).as_bytes())), bytes);
    assert!(locate(Unit::Bytes, 3, text).iter().map(|located| located.hash).eq(bytes));
}

#[test]
fn places_refer_to_the_original_text() {
    let text = "ÉCOLE e\u{301}te\u{301} İz 漢字";
    let places: Vec<&str> = locate(Unit::Words, 0, text).iter().map(|&Located { start, end, .. }| &text[start..end]).collect();
    assert_eq!(places, ["ÉCOLE", "e\u{301}te\u{301}", "İz", "漢字"]);
}

#[test]
fn a_changed_vowel_changes_one_jamo_token() {
    let mut tokeniser = Tokeniser::new(Unit::Jamo, 0);
    let mut tokens = |text: &str| tokeniser.tokens(Text::Plain(text.as_bytes())).to_vec();
    let (one, other) = (tokens("한 글"), tokens("한 갈"));
    assert_eq!(one.len(), 6);
    assert_eq!(one.iter().zip(&other).filter(|(a, b)| a != b).count(), 1);
    assert_eq!(tokens("가"), tokens("\u{1100}\u{1161}"));
    assert_eq!(tokens("ㅋ"), tokens("\u{110F}"), "NFKC makes a letter written alone a part of a syllable");
    let places: Vec<(usize, usize)> = locate(Unit::Jamo, 0, "A 한\u{1100}\u{1161}").iter().map(|l| (l.start, l.end)).collect();
    assert_eq!(places, [(0, 1), (2, 5), (2, 5), (2, 5), (5, 11), (5, 11)]);
}

#[test]
fn units_have_names() {
    for unit in Unit::ALL {
        assert_eq!(unit.to_string().parse(), Ok(unit));
    }
    let error = "word".parse::<Unit>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no unit \"word\"; there are words, eojeol, segmented, chars, jamo, bytes, lines, sentences, paragraphs, code, given"
    );
}

proptest! {
    #[test]
    fn plain_and_json_forms_agree(text in any::<String>(), draw in any::<u64>()) {
        let plain = Text::Plain(text.as_bytes());
        for style in [Style::Raw, Style::Ascii, Style::All, Style::Mixed(draw)] {
            let form = json(&text, style);
            let coded = Text::Json(form.as_bytes());
            prop_assert_eq!(&coded.decode(), &text);
            prop_assert_eq!(coded.decoded_digest(), plain.digest());
            prop_assert_eq!(coded.decoded_digest(), plain.decoded_digest());
            prop_assert!(coded.digest() != plain.digest());
        }
    }
}
