//! The steps of signing: each alone, and all of them together.

use crate::text;
use crate::texts::Texts;
use neardup_core::compile::compile;
use neardup_core::features::Rabin;
use neardup_core::sets::bitmap;
use neardup_core::signatures::{Levels, MinHash, Minima, Moduli, Signature, SuperShingles, Values};
use neardup_core::signing::segment::ChunkBuilder;
use neardup_core::signing::signer::Signer;
use neardup_text::simd::Level;
use neardup_text::{Text, Tokeniser, Unit, fingerprint, string_end_on};
use std::hint::black_box;

/// One step over all texts.
type Step = fn(&mut Steps<'_>);

/// The timed steps. Each processes all texts, from the stored results of earlier steps.
pub const STEPS: [(&str, Step); 13] = [
    ("string end", |it| {
        for &start in &it.texts.starts {
            black_box(string_end_on(it.level, &it.texts.bytes, start));
        }
    }),
    ("tokens", |it| {
        for text in &it.found {
            black_box(it.tokeniser.tokens(*text).len());
        }
    }),
    ("shingles", |it| {
        for tokens in &it.tokens {
            it.features.clear();
            fingerprint::shingles_on(it.level, tokens, 5, &mut it.features);
        }
    }),
    ("rabin", |it| {
        for tokens in &it.tokens {
            it.features.clear();
            it.rabin.extract(tokens, &mut it.features);
        }
    }),
    ("minhash", |it| it.sign(0)),
    ("minima", |it| it.sign(1)),
    ("moduli", |it| it.sign(2)),
    ("levels", |it| it.sign(3)),
    ("supershingles", |it| it.sign(4)),
    ("bitmap", |it| {
        for shingles in &it.shingles {
            it.bitmap.clear();
            bitmap::append(shingles, &mut it.bitmap);
        }
    }),
    ("token digest", |it| {
        for tokens in &it.tokens {
            black_box(fingerprint::sequence(tokens, 0));
        }
    }),
    ("byte digest", |it| {
        for text in &it.found {
            black_box(text.digest());
        }
    }),
    ("signing", |it| {
        for &start in &it.texts.starts {
            it.signer.sign(text(it.level, &it.texts.bytes, start), &mut it.draft);
            if it.draft.tokens.len() == 1000 {
                it.draft.clear();
            }
        }
    }),
];

/// Inputs and buffers of the steps, for one kind of text and one instruction set.
pub struct Steps<'a> {
    texts: &'a Texts,
    level: Level,
    found: Vec<Text<'a>>,
    tokens: Vec<Vec<u64>>,
    shingles: Vec<Vec<u64>>,
    tokeniser: Tokeniser,
    rabin: Rabin,
    signatures: [Signature; 5],
    values: Values,
    signer: Signer,
    draft: ChunkBuilder,
    features: Vec<u64>,
    bitmap: Vec<u64>,
}

impl<'a> Steps<'a> {
    pub fn new(texts: &'a Texts, level: Level) -> Self {
        let found: Vec<Text<'a>> = texts.starts.iter().map(|&start| text(level, &texts.bytes, start)).collect();
        let mut tokeniser = Tokeniser::with_level(Unit::Words, 0, level);
        let tokens: Vec<Vec<u64>> = found.iter().map(|text| tokeniser.tokens(*text).to_vec()).collect();
        let shingles = tokens.iter().map(|tokens| {
            let mut shingles = Vec::new();
            fingerprint::shingles_on(level, tokens, 5, &mut shingles);
            shingles
        });
        let shingles = shingles.filter(|shingles| !shingles.is_empty()).collect();
        let scheme = "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8".parse();
        let pass = scheme.and_then(|scheme| compile(&scheme)).expect("the scheme is one that runs");
        Steps {
            texts,
            level,
            found,
            tokens,
            shingles,
            tokeniser,
            rabin: Rabin::new(10, 0),
            signatures: [
                Signature::MinHash(MinHash::new(96, 0)),
                Signature::Minima(Minima { size: 200 }),
                Signature::Moduli(Moduli::new(25)),
                Signature::Levels(Levels { least: 50 }),
                Signature::SuperShingles(SuperShingles { size: 200, width: 14 }),
            ],
            values: Values::default(),
            signer: Signer::with_level(&pass, level),
            draft: ChunkBuilder::default(),
            features: Vec::new(),
            bitmap: Vec::new(),
        }
    }
}

impl Steps<'_> {
    /// Signs all shingles with signature `number`.
    fn sign(&mut self, number: usize) {
        for shingles in &self.shingles {
            self.signatures[number].sign(self.level, shingles, &mut (), &mut self.values);
        }
    }
}
