//! The combined method of Henzinger 2006 is compared with its definition: shingles propose a pair, and the tokens of both
//! texts, with their frequencies, confirm it.

use neardup_core::compile::compile;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::signing::segment::ChunkBuilder;
use neardup_core::signing::signer::Signer;
use neardup_core::util::splitmix::SplitMix;
use neardup_text::{Text, Tokeniser, Unit, fingerprint};
use proptest::prelude::*;
use std::collections::HashMap;

const BITS: usize = 384;

fn compiled(line: &str) -> CompiledPass {
    compile(&line.parse().unwrap()).unwrap()
}

/// Returns for every bit whether the sum of the tokens' +1 and -1 is above 0; `frequency` weighs them by their frequency.
fn projected(unit: Unit, text: &str, frequency: bool) -> Vec<bool> {
    let mut counts: HashMap<u64, i64> = HashMap::new();
    for &token in Tokeniser::new(unit, 0).tokens(Text::Plain(text.as_bytes())) {
        let mut term = Vec::new();
        fingerprint::shingles(&[token], 1, &mut term);
        *counts.entry(term[0]).or_default() += 1;
    }
    let key = SplitMix::new(0).draw();
    let mut sums = vec![0; BITS];
    for (term, count) in counts {
        let mut stream = SplitMix::new(term ^ key);
        for word in sums.chunks_mut(64) {
            let signs = stream.draw();
            let weight = if frequency { count } else { 1 };
            word.iter_mut().enumerate().for_each(|(bit, sum)| *sum += if signs >> bit & 1 == 1 { weight } else { -weight });
        }
    }
    sums.into_iter().map(|sum| sum > 0).collect()
}

/// Returns whether a pass accepts two texts, even if they share no key.
fn accepts(pass: &CompiledPass, texts: [&str; 2]) -> bool {
    let (mut signer, mut draft) = (Signer::new(pass), ChunkBuilder::default());
    texts.iter().for_each(|text| signer.sign(Text::Plain(text.as_bytes()), &mut draft));
    pass.possible(draft.sketch(0), draft.sketch(1))
}

fn agreeing(unit: Unit, texts: [&str; 2], frequency: bool) -> usize {
    let [left, right] = texts.map(|text| projected(unit, text, frequency));
    left.iter().zip(&right).filter(|(left, right)| left == right).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_second_signature_uses_tokens_with_their_frequency(
        words in proptest::collection::vec("[a-d]{1,2}|[가-나]{1,2}", 1..60), changed in proptest::collection::vec((0usize..60, "[a-z]"), 0..9),
        unit in proptest::sample::select(vec![Unit::Words, Unit::Eojeol, Unit::Chars, Unit::Jamo]), frequency in any::<bool>(),
    ) {
        let mut copy = words.clone();
        for (at, word) in changed.into_iter().filter(|(at, _)| *at < words.len()) {
            copy[at] = word;
        }
        let (left, right) = (words.join(" "), copy.join(" "));
        let texts = [&left[..], &right];
        let agree = agreeing(unit, texts, frequency);
        let weight = if frequency { " weight=tf" } else { "" };
        for first in ["words | shingles:3", "chars | shingles:7", "sentences | shingles:1"] {
            let line = |bits: usize| compiled(&format!("{first} | minhash:20 + projection:{BITS} of={unit}{weight} | bands:20x1 | agree={bits}"));
            prop_assert!(accepts(&line(agree), texts), "{first} {unit} {agree}");
            prop_assert!(!accepts(&line(agree % BITS + 1), texts));
        }
    }
}

#[test]
fn shingles_detect_order_and_projections_detect_frequency() {
    let words: Vec<String> = (0..400).map(|number| format!("word{number}")).collect();
    let page = words.join(" ");
    let halves = format!("{} {}", words[200..].join(" "), words[..200].join(" "));
    let often = format!("{page}{}", " word7".repeat(400));
    let combined =
        compiled("words | shingles:5 | minhash:84 + projection:384 of=words weight=tf | bands:6x14 match=2 | equal & agree>=355");
    let shingles = compiled("words | shingles:5 | minhash:84 | bands:6x14 match=2 | equal");
    // One seam changes 8 of 792 shingles, and no word.
    assert_eq!(agreeing(Unit::Words, [&page, &halves], true), 384);
    assert_eq!(accepts(&combined, [&page, &halves]), accepts(&shingles, [&page, &halves]));
    // A word that occurs as often as all others together turns the page by 45 degrees, and adds five shingles.
    assert!(accepts(&shingles, [&page, &often]));
    assert!(!accepts(&combined, [&page, &often]));
}

#[test]
fn a_text_without_such_tokens_agrees_with_none() {
    for line in [
        "minhash:20 + simhash:64 of=words | bands:20x1 | hamming<=64",
        "minhash:20 + projection:384 of=words | bands:20x1 | agree>=1",
        "whole + minhash:9 of=words | each | ~resemblance>=0.1",
        "whole + minima:9 of=words | each | ~resemblance>=0.1",
        "whole + levels:9 of=words | each | ~containment>=0.1",
    ] {
        let pass = compiled(&format!("chars | shingles:2 | {line}"));
        assert!(accepts(&pass, ["ab, cd!", "ab, cd?"]), "{line}");
        assert!(!accepts(&pass, ["!!!???", "!!!???"]), "{line}");
        assert!(!accepts(&pass, ["!!!???", "ab, cd!"]), "{line}");
    }
}
