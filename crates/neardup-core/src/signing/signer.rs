//! The signer: from a text to its keys, sketch and digests in one call.

use crate::features::Features;
use crate::keys::ChunkKeys;
use crate::pass::compiled::{CompiledPass, SketchContent};
use crate::sets::bitmap::BitmapBuilder;
use crate::sets::parts::SketchPart;
use crate::sets::set::Set;
use crate::signatures::Values;
use crate::signing::segment::ChunkBuilder;
use neardup_text::simd::Level;
use neardup_text::{Text, Tokeniser, Unit, fingerprint};

/// One pass of a scheme, ready to run over texts. It owns its buffers; each thread has its own signer.
pub struct Signer {
    pass: CompiledPass,
    tokeniser: Tokeniser,
    /// Tokenisers of the other units from which signatures are made.
    others_of: Vec<(Unit, Tokeniser)>,
    level: Level,
    scratch: Vec<u64>,
    terms: Vec<u64>,
    values: Values,
    others: Values,
}

impl Signer {
    /// Creates the signer of `pass`.
    pub fn new(pass: &CompiledPass) -> Self {
        Self::with_level(pass, Level::best())
    }

    /// Creates a signer that uses this instruction set, for tests and measurements. Its output is the same for all.
    #[doc(hidden)]
    pub fn with_level(pass: &CompiledPass, level: Level) -> Self {
        let of = |part: &SketchContent| {
            if let SketchContent::Of(unit, _) = *part { Some(unit).filter(|unit| *unit != pass.rules.unit) } else { None }
        };
        let tokeniser = |unit| Tokeniser::with_level(pass.rules.with_unit(unit), pass.seed, level);
        Signer {
            pass: pass.clone(),
            tokeniser: tokeniser(pass.rules.unit),
            others_of: pass.kept.iter().filter_map(of).map(|unit| (unit, tokeniser(unit))).collect(),
            level,
            scratch: Vec::new(),
            terms: Vec::new(),
            values: Values::default(),
            others: Values::default(),
        }
    }

    /// Signs one document and appends it to `segment`.
    pub fn sign(&mut self, text: Text<'_>, segment: &mut ChunkBuilder) {
        let CompiledPass { features, signatures, kinds, kept, seed, .. } = &self.pass;
        let tokens = self.tokeniser.tokens(text);
        features.extract(self.level, tokens, &mut self.scratch);
        segment.tokens.push(tokens.len() as u32);
        // With the unit of bytes, a blank text may have tokens.
        let is_blank = self.pass.is_blank(text, tokens.len());
        let features = if is_blank { &[] } else { &self.scratch[..] };
        // Minima keep the vector units busy. The bitmap and the digests do not use them, so they cost little at the same
        // time.
        let bitmap = if self.pass.has_bitmaps() && !features.is_empty() {
            BitmapBuilder::new(features, &mut segment.bitmaps)
        } else {
            BitmapBuilder::nothing()
        };
        let mut beside = (bitmap, fingerprint::sequence_in_steps(tokens, *seed), text.digest_in_steps());
        self.values.clear();
        if !features.is_empty() && self.pass.needs_signature() {
            signatures[0].sign(self.level, features, &mut beside, &mut self.values);
        }
        let (bitmap, lexical, raw) = beside;
        bitmap.finish();
        segment.raw.push(raw.finish());
        segment.lexical.push(match tokens {
            _ if is_blank => 0,
            [] => text.decoded_digest(),
            _ => lexical.finish(),
        });
        segment.keys.resize_with(kinds.len(), ChunkKeys::default);
        for (kind, rows) in kinds.iter().zip(&mut segment.keys) {
            rows.push(&kind.keys, Some(&self.values).filter(|_| !features.is_empty()));
        }
        for part in kept {
            match part {
                _ if features.is_empty() => {}
                SketchContent::Keys(kind) => kinds[*kind].keys.append_whole(&self.values, &mut segment.parts),
                SketchContent::Further(kind) => kinds[*kind].keys.append_further(&self.values, &mut segment.parts),
                SketchContent::Signature(0) => self.values.append(&mut segment.parts),
                SketchContent::Signature(number) => {
                    signatures[*number].sign(self.level, features, &mut (), &mut self.others);
                    self.others.append(&mut segment.parts);
                }
                SketchContent::Of(unit, number) => {
                    let other = self.others_of.iter_mut().find(|(other, _)| other == unit);
                    let tokens = other.map_or(tokens, |(_, tokeniser)| tokeniser.tokens(text));
                    Features::TERMS.extract(self.level, tokens, &mut self.terms);
                    self.others.clear();
                    if !self.terms.is_empty() {
                        signatures[*number].sign(self.level, &self.terms, &mut (), &mut self.others);
                    }
                    self.others.append(&mut segment.parts);
                }
                SketchContent::Size => {
                    self.others.set.make(|room| room.extend_from_slice(features));
                    SketchPart { level: 0, values: &[self.others.set.features().len() as u64] }.append(&mut segment.parts);
                }
            }
        }
        segment.features.push(features.len() as u32);
        segment.bitmap_ends.push(segment.bitmaps.len() as u32);
        if !kept.is_empty() {
            segment.part_ends.push(segment.parts.len() as u32);
        }
    }

    /// Makes `set` the feature set of one text.
    pub fn set(&mut self, text: Text<'_>, set: &mut Set) {
        let tokens = self.tokeniser.tokens(text);
        set.make(|out| self.pass.features.extract(self.level, tokens, out));
    }

    /// Returns the features of one text, with repeats.
    pub fn features(&mut self, text: Text<'_>) -> &[u64] {
        let tokens = self.tokeniser.tokens(text);
        self.pass.features.extract(self.level, tokens, &mut self.scratch);
        &self.scratch
    }

    /// Writes the distinct features of one text to `out`, ascending, each with its weight. Depending on the scheme, the
    /// weight is 1, the number of occurrences, or that number times the idf in steps of 1/1024.
    pub fn vector(&mut self, text: Text<'_>, out: &mut Vec<(u64, u64)>) {
        let tokens = self.tokeniser.tokens(text);
        self.pass.features.weigh(self.level, tokens, &self.pass.weigher, &mut self.scratch, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::compile_with;
    use crate::keys::KeyKind;
    use crate::sets::bitmap;
    use crate::signing::counting::{CountTotals, Counter, Counting};
    use neardup_text::Unit;
    use proptest::prelude::*;
    use std::sync::Arc;

    /// Compiles `line`. If it needs a lexicon, that counts the words of `text`, each as a document.
    fn compile(line: &str, text: &str) -> CompiledPass {
        let scheme: crate::scheme::Scheme = line.parse().unwrap();
        let counted = compile_with(&scheme, &|_| {
            let (counting, tally) = (Counting::of(&scheme.passes()[0])?, CountTotals::new());
            let mut counter = Counter::new(&counting);
            text.split(' ').for_each(|word| counter.count(Text::Plain(word.as_bytes()), &tally));
            counter.flush(&tally);
            Ok(Arc::new(tally.finish(&counting).unwrap()))
        });
        counted.unwrap()
    }

    /// Signs a text step by step, as a reference for [`Signer::sign`].
    fn slow(pass: &CompiledPass, text: Text<'_>) -> ChunkBuilder {
        let mut tokeniser = Tokeniser::new(pass.rules, pass.seed);
        let tokens = tokeniser.tokens(text);
        let (mut features, mut values, mut draft) = (Vec::new(), Values::default(), ChunkBuilder::default());
        pass.features.extract(Level::best(), tokens, &mut features);
        let is_blank = text.decode().trim().is_empty() || pass.rules.unit == Unit::Given && tokens.is_empty();
        if is_blank {
            features.clear();
        }
        draft.tokens = vec![tokens.len() as u32];
        draft.features = vec![features.len() as u32];
        draft.raw = vec![text.digest()];
        let keeps = !pass.kept.is_empty();
        draft.lexical = vec![match tokens {
            [] if text.decode().trim().is_empty() => 0,
            [] => text.decoded_digest(),
            _ => fingerprint::sequence(tokens, pass.seed),
        }];
        if !features.is_empty() {
            pass.signatures[0].sign(Level::best(), &features, &mut (), &mut values);
            if pass.has_bitmaps() {
                bitmap::append(&features, &mut draft.bitmaps);
            }
            for part in &pass.kept {
                match part {
                    SketchContent::Keys(kind) => pass.kinds[*kind].keys.append_whole(&values, &mut draft.parts),
                    SketchContent::Further(kind) => pass.kinds[*kind].keys.append_further(&values, &mut draft.parts),
                    SketchContent::Size => {
                        let distinct: std::collections::BTreeSet<u64> = features.iter().copied().collect();
                        draft.parts.extend([1, distinct.len() as u64]);
                    }
                    SketchContent::Signature(number) => {
                        let mut values = Values::default();
                        pass.signatures[*number].sign(Level::best(), &features, &mut (), &mut values);
                        values.append(&mut draft.parts);
                    }
                    SketchContent::Of(unit, number) => {
                        let (mut tokeniser, mut terms) = (Tokeniser::new(pass.rules.with_unit(*unit), pass.seed), Vec::new());
                        fingerprint::shingles(tokeniser.tokens(text), 1, &mut terms);
                        let mut values = Values::default();
                        if !terms.is_empty() {
                            pass.signatures[*number].sign(Level::best(), &terms, &mut (), &mut values);
                        }
                        values.append(&mut draft.parts);
                    }
                }
            }
        }
        for KeyKind { keys, .. } in &pass.kinds {
            let mut rows = ChunkKeys::default();
            if !features.is_empty() {
                keys.keys(&values, &mut rows.keys);
            } else if keys.fixed() {
                rows.keys = vec![0; keys.tables()];
            }
            rows.ends = if keys.fixed() { vec![] } else { vec![rows.keys.len() as u32] };
            draft.keys.push(rows);
        }
        draft.bitmap_ends = vec![draft.bitmaps.len() as u32];
        draft.part_ends = if keeps { vec![draft.parts.len() as u32] } else { vec![] };
        draft
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn every_level_writes_the_same(words in proptest::collection::vec("[a-zA-Z]{1,9}|[가-힣]{1,4}|[一-龥ぁ-ん]{1,12}|[а-яА-Я]{1,30}|[.,!]", 0..400)) {
            let plain = words.join(" ");
            let coded: String = plain.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
            for line in [
                "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8",
                "words | shingles:2 | minhash:115 | bands:23x5 + bands:9x9 match=2 | resemblance>=0.7",
                "words | shingles:2 | whole | lengths:0.5 + each match=3 | equal & resemblance>=0.5",
                "words | shingles:5 | whole | prefix:0.8 | resemblance>=0.8",
                "words | shingles:4 hash=rabin | levels:9 + minima:20 | each | ~containment>=0.5 & ~resemblance>=0.5 & resemblance>=0.2",
                "words | shingles:2 | supershingles:20,4 + moduli:3 | each match=2 | equal & ~containment>=0.5",
                "words | terms:0.2,0.9 weight=idf:corpus | lexicons:3 | each | equal",
                "words | keywords:5 weight=idf:corpus | digest:md5 | each | equal",
                "eojeol | spots:1 antecedents=ko | whole | lengths:0.44 | resemblance>=0.44",
                "sentences | chunks:3 | whole | each match=2 | equal",
                "words | shingles:3 | minhash:84 + projection:128 of=words weight=tf | bands:6x14 match=2 | equal & agree>=100",
                "chars | shingles:4 | whole + minhash:20 of=words | prefix:0.5 | ~resemblance>=0.5 & resemblance>=0.5",
                "words | shingles:3 | minhash:84 + simhash:64 | bands:6x14 match=2 | equal & ~resemblance>=0.5 & hamming<=9",
            ] {
                let pass = compile(line, &plain);
                let texts = [Text::Plain(plain.as_bytes()), Text::Json(coded.as_bytes())];
                let mut of_run = pass.clone();
                of_run.kinds.iter_mut().for_each(|kind| kind.keys = kind.keys.clone().of_run());
                for (pass, text) in [pass.clone(), pass.to_keep(), of_run].iter().flat_map(|pass| texts.map(|text| (pass, text))) {
                    let slow = format!("{:?}", slow(pass, text));
                    for level in Level::available() {
                        let mut draft = ChunkBuilder::default();
                        Signer::with_level(pass, level).sign(text, &mut draft);
                        prop_assert_eq!(format!("{draft:?}"), &slow[..], "{}", level.name());
                    }
                }
            }
        }
    }

    #[test]
    fn vectors_carry_weights() {
        let vector = |line: &str, text: &str| {
            let mut out = Vec::new();
            Signer::new(&compile(line, "a b b c d")).vector(Text::Plain(text.as_bytes()), &mut out);
            out
        };
        let weights = |vector: &[(u64, u64)]| {
            let mut weights: Vec<u64> = vector.iter().map(|feature| feature.1).collect();
            weights.sort_unstable();
            weights
        };
        let line = |features: &str, weight: &str| format!("words | {features}{weight} | digest | each | equal");
        assert_eq!(weights(&vector(&line("terms", ""), "b a b e")), [1, 1, 1]);
        assert_eq!(weights(&vector(&line("terms", " weight=tf"), "b a b e")), [1, 1, 2]);
        // With five documents: log2 of 6/2, twice log2 of 6/3, and log2 of 6/1.
        let weighed = vector(&line("terms", " weight=idf:corpus"), "b a b e");
        assert_eq!(weights(&weighed), [1623, 2048, 2647]);
        assert!(weighed.is_sorted());
        let keywords = vector(&line("keywords:2,sorted", " weight=idf:corpus"), "b a b e");
        assert_eq!(weights(&keywords), [2048, 2647]);
        assert!(keywords.iter().all(|keyword| weighed.contains(keyword)));
        assert_eq!(weights(&vector(&line("keywords:2,ranked", " weight=idf:corpus"), "b a b e")), [2048, 2647]);
        assert_eq!(vector(&line("terms", ""), "?"), []);
    }
}
