//! The sign kernel: from a text to its keys, sketch and digests in one call.

use crate::bitmap::Filling;
use crate::features::Features;
use crate::keys::Keys;
use crate::pass::Pass;
use crate::segment::Draft;
use crate::set::Set;
use crate::signatures::{Signature, Values};
use neardup_text::simd::Level;
use neardup_text::{Text, Tokeniser, fingerprint};

/// One pass of a scheme, ready to run over texts; owns its scratch, one per thread.
pub struct Signer {
    tokeniser: Tokeniser,
    features: Features,
    signature: Signature,
    keys: Keys,
    seed: u64,
    level: Level,
    scratch: Vec<u64>,
    values: Values,
}

impl Signer {
    /// Makes the kernel of `pass`.
    pub fn new(pass: &Pass) -> Self {
        Self::with_level(pass, Level::best())
    }

    /// A kernel that uses this instruction set, for tests and measurements: what it writes is the same.
    #[doc(hidden)]
    pub fn with_level(pass: &Pass, level: Level) -> Self {
        Signer {
            tokeniser: Tokeniser::with_level(pass.unit, pass.seed, level),
            features: pass.features.clone(),
            signature: pass.signature.clone(),
            keys: pass.keys.clone(),
            seed: pass.seed,
            level,
            scratch: Vec::new(),
            values: Values::default(),
        }
    }

    /// Signs one document and appends it to `segment`.
    pub fn sign(&mut self, text: Text<'_>, segment: &mut Draft) {
        let tokens = self.tokeniser.tokens(text);
        self.features.extract(self.level, tokens, &mut self.scratch);
        segment.tokens.push(tokens.len() as u32);
        let features = &self.scratch[..];
        if features.is_empty() {
            segment.raw.push(text.digest());
            segment.lexical.push(if text.is_blank() { 0 } else { text.decoded_digest() });
            if self.keys.fixed() {
                segment.keys.resize(segment.keys.len() + self.keys.tables(), 0);
            }
        } else {
            // Minima keep the vector units busy; bitmap and digests do without them, and cost little beside.
            let bitmap = Filling::new(features, &mut segment.bitmaps);
            let mut beside = (bitmap, fingerprint::sequence_in_steps(tokens, self.seed), text.digest_in_steps());
            self.signature.sign(self.level, features, &mut beside, &mut self.values);
            let (bitmap, lexical, raw) = beside;
            bitmap.finish();
            segment.lexical.push(lexical.finish());
            segment.raw.push(raw.finish());
            self.keys.keys(&self.values, &mut segment.keys);
        }
        segment.features.push(features.len() as u32);
        segment.bitmap_ends.push(segment.bitmaps.len() as u32);
        if !self.keys.fixed() {
            segment.key_ends.push(segment.keys.len() as u32);
        }
    }

    /// Makes `set` the feature set of one text.
    pub fn set(&mut self, text: Text<'_>, set: &mut Set) {
        let tokens = self.tokeniser.tokens(text);
        set.make(|out| self.features.extract(self.level, tokens, out));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitmap;
    use crate::compile::compile;
    use proptest::prelude::*;

    /// What signing writes, step by step, each by itself.
    fn slow(pass: &Pass, text: Text<'_>) -> Draft {
        let mut tokeniser = Tokeniser::new(pass.unit, pass.seed);
        let tokens = tokeniser.tokens(text);
        let (mut features, mut values, mut draft) = (Vec::new(), Values::default(), Draft::default());
        pass.features.extract(Level::best(), tokens, &mut features);
        draft.tokens = vec![tokens.len() as u32];
        draft.features = vec![features.len() as u32];
        draft.raw = vec![text.digest()];
        if features.is_empty() {
            draft.lexical = vec![if text.decode().trim().is_empty() { 0 } else { text.decoded_digest() }];
            draft.keys = vec![0; if pass.keys.fixed() { pass.keys.tables() } else { 0 }];
        } else {
            draft.lexical = vec![fingerprint::sequence(tokens, pass.seed)];
            pass.signature.sign(Level::best(), &features, &mut (), &mut values);
            pass.keys.keys(&values, &mut draft.keys);
            bitmap::append(&features, &mut draft.bitmaps);
        }
        draft.key_ends = if pass.keys.fixed() { vec![] } else { vec![draft.keys.len() as u32] };
        draft.bitmap_ends = vec![draft.bitmaps.len() as u32];
        draft
    }

    proptest! {
        #[test]
        fn every_level_writes_the_same(words in proptest::collection::vec("[a-zA-Z]{1,9}|[가-힣]{1,4}|[一-龥ぁ-ん]{1,12}|[а-яА-Я]{1,30}|[.,!]", 0..400)) {
            let plain = words.join(" ");
            let coded: String = plain.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
            for line in ["words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8", "words | shingles:2 | minhash:115 | bands:23x5 | resemblance>=0.7", "words | shingles:5 | whole | prefix:0.8 | resemblance>=0.8"] {
                let pass = compile(&line.parse().unwrap()).unwrap();
                for text in [Text::Plain(plain.as_bytes()), Text::Json(coded.as_bytes())] {
                    let slow = format!("{:?}", slow(&pass, text));
                    for level in Level::available() {
                        let mut draft = Draft::default();
                        Signer::with_level(&pass, level).sign(text, &mut draft);
                        prop_assert_eq!(format!("{draft:?}"), &slow[..], "{}", level.name());
                    }
                }
            }
        }
    }
}
