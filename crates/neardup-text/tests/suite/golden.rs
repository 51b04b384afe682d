//! The golden vectors: texts and their words by version 2 of the tokens.

use crate::oracle::{self, hashes};
use neardup_text::{TOKENS_VERSION, Text, Tokeniser, Unit, fingerprint};
use serde_json::Value;

const VECTORS: &str = include_str!("../../../../tests/golden/tokens-v2.jsonl");

#[test]
fn texts_have_their_golden_words() {
    assert_eq!(TOKENS_VERSION, 2);
    let mut tokeniser = Tokeniser::new(Unit::Words, 0);
    let mut count = 0;
    for line in VECTORS.lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        let text = vector["text"].as_str().unwrap();
        let words: Vec<&str> = vector["tokens"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
        assert_eq!(oracle::tokens(Unit::Words.into(), text), words, "{}", vector["name"]);
        let expected: Vec<u64> = words.iter().map(|word| fingerprint::token(word.as_bytes(), 0)).collect();
        assert_eq!(tokeniser.tokens(Text::Plain(text.as_bytes())), expected, "{}", vector["name"]);
        assert_eq!(hashes(Unit::Words.into(), 0, text), expected);
        count += 1;
    }
    assert_eq!(count, 47);
}
