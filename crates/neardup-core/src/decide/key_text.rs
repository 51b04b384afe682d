//! Key text: the words of a text from which a key was cut.

use crate::features::Features;
use crate::keys::{Keys, each};
use crate::pass::compiled::CompiledPass;
use neardup_text::Located;
use neardup_text::simd::Level;
use std::collections::HashMap;
use std::ops::Range;

/// Whether each key of `table` is cut from a single run of tokens. A key of bands, digests or bits represents many runs at
/// once.
pub fn has_texts(pass: &CompiledPass, table: usize) -> bool {
    let keeps_features = pass.signatures[0].keeps_features();
    let is_cut_from_values = pass.kind_of(table).is_some_and(|kind| matches!(kind.keys, Keys::Each(_)));
    keeps_features && is_cut_from_values && run(&pass.features).is_some()
}

/// Returns the bytes of the first run of tokens in a text for every key of `table`. Empty if the keys are not cut from
/// single runs ([`has_texts`]).
pub fn key_texts(pass: &CompiledPass, table: usize, tokens: &[Located]) -> HashMap<u32, Range<usize>> {
    let mut key_texts = HashMap::new();
    let Some((width, step)) = run(&pass.features).filter(|_| has_texts(pass, table)) else { return key_texts };
    let hashes: Vec<u64> = tokens.iter().map(|token| token.hash).collect();
    let mut features = Vec::new();
    let last = hashes.len().saturating_sub(if step == 1 { width } else { 1 });
    for start in (0..=last).step_by(step).filter(|&start| start < hashes.len()) {
        let end = hashes.len().min(start.saturating_add(width));
        pass.features.extract(Level::best(), &hashes[start..end], &mut features);
        features.iter().for_each(|&feature| {
            key_texts.entry(each::key(feature)).or_insert(tokens[start].start..tokens[end - 1].end);
        });
    }
    key_texts
}

/// Returns the number of tokens in a feature, and the number of tokens from the start of one feature to the next. `None`
/// for features that are not runs of tokens.
fn run(features: &Features) -> Option<(usize, usize)> {
    match features {
        Features::Chunks(chunks) => Some((chunks.length, chunks.length)),
        Features::Rabin(rabin) => Some((rabin.width, 1)),
        Features::Shingles(shingles) => Some((shingles.width, 1)),
        Features::Terms(_) => Some((1, 1)),
        Features::Abstract(_) | Features::Bits(_) | Features::Keywords(_) | Features::Spots(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::compile;
    use crate::signing::segment::ChunkBuilder;
    use crate::signing::signer::Signer;
    use neardup_text::{Text, locate};
    use std::collections::BTreeSet;

    /// Returns the words of every key of `text`.
    fn key_texts_by<'t>(line: &str, text: &'t str) -> Vec<Option<&'t str>> {
        let pass = compile(&line.parse().unwrap()).unwrap();
        let tokens = locate(pass.rules, pass.seed, text);
        let mut draft = ChunkBuilder::default();
        Signer::new(&pass).sign(Text::Plain(text.as_bytes()), &mut draft);
        let (keys, key_texts) = (draft.keys.iter().flat_map(|rows| &rows.keys), super::key_texts(&pass, 0, &tokens));
        keys.map(|key| key_texts.get(key).map(|bytes| &text[bytes.clone()])).collect()
    }

    #[test]
    fn every_key_of_a_run_says_it() {
        let distinct =
            |line: &str, text: &'static str| key_texts_by(line, text).into_iter().map(Option::unwrap).collect::<BTreeSet<&str>>();
        let shingles = BTreeSet::from(["All rights are", "rights are Reserved", "are Reserved, all", "Reserved, all rights"]);
        let text = "All rights are Reserved, all rights are!";
        assert_eq!(distinct("words | shingles:3 | whole | each | equal", text), shingles);
        assert_eq!(distinct("words | shingles:3 hash=rabin | minima:9 | each | equal", text), shingles);
        assert_eq!(distinct("words | shingles:3 | moduli:1 seed=7 | each | equal", text).len(), 4);
        assert_eq!(distinct("words | terms | whole | each | equal", text), BTreeSet::from(["All", "are", "Reserved", "rights"]));
        assert_eq!(distinct("words | shingles:9 | levels:5 | each | equal", "too short"), BTreeSet::from(["too short"]));
        assert_eq!(distinct("lines | chunks:2 | whole | each | equal", "a\nb\n\n c c\nd\ne"), BTreeSet::from(["a\nb", "c c\nd", "e"]));
        assert_eq!(distinct("words | chunks:document | whole | each | equal", "a b."), BTreeSet::from(["a b"]));
    }

    #[test]
    fn keys_of_many_features_say_nothing() {
        for line in [
            "words | shingles:1 | minhash:6 | bands:3x2 | resemblance>=0.5",
            "words | shingles:1 | digest | each | equal",
            "words | shingles:1 | whole | prefix:0.5 | resemblance>=0.5",
            "words | spots antecedents=en | whole | each | equal",
        ] {
            let texts = key_texts_by(line, "the cat is a cat and the dog is the dog");
            assert!(!texts.is_empty() && texts.iter().all(Option::is_none), "{line}: {texts:?}");
        }
        let pass = compile(&"words | terms | whole | each | equal".parse().unwrap()).unwrap();
        assert!(key_texts(&pass, 9, &locate(pass.rules, pass.seed, "a b")).is_empty());
        assert!(key_texts(&pass, 0, &[]).is_empty());
    }
}
