//! The steps of signing, each alone, and all of them together.

use crate::texts::Texts;
use neardup_core::bitmap;
use neardup_core::compile::compile;
use neardup_core::segment::Draft;
use neardup_core::signatures::MinHash;
use neardup_core::signer::Signer;
use neardup_text::simd::Level;
use neardup_text::{Text, Tokeniser, Unit, fingerprint, string_end_on};
use std::hint::black_box;

/// One step over all texts.
type Step = fn(&mut Steps<'_>);

/// What is measured: over all texts, from what earlier steps made of them.
pub const STEPS: [(&str, Step); 11] = [
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
    ("minima", |it| {
        for shingles in &it.shingles {
            it.minhash.sign(it.level, shingles, &mut (), &mut it.minima);
        }
    }),
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
    ("signing", |it| it.sign(0)),
    ("simhash:64", |it| it.sign(1)),
    ("simhash:128", |it| it.sign(2)),
    ("projection", |it| it.sign(3)),
];

/// What is signed: the default scheme, and the fingerprints.
const SCHEMES: [&str; 4] = [
    "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8",
    "words | shingles:3 | simhash:64 | blocks:3,double | hamming<=3",
    "words | shingles:3 | simhash:128 | blocks:12,single | hamming<=12",
    "words | shingles:1 | projection:384 | blocks:12,single | agree>=372",
];

/// All that the steps need, for one kind of text and one instruction set.
pub struct Steps<'a> {
    texts: &'a Texts,
    level: Level,
    found: Vec<Text<'a>>,
    tokens: Vec<Vec<u64>>,
    shingles: Vec<Vec<u64>>,
    tokeniser: Tokeniser,
    minhash: MinHash,
    signers: Vec<Signer>,
    draft: Draft,
    features: Vec<u64>,
    minima: Vec<u32>,
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
        let signer = |scheme: &str| {
            let pass = scheme.parse().and_then(|scheme| compile(&scheme)).expect("the scheme is one that runs");
            Signer::with_level(&pass, level)
        };
        Steps {
            texts,
            level,
            found,
            tokens,
            shingles,
            tokeniser,
            minhash: MinHash::new(96, 0),
            signers: SCHEMES.map(signer).into(),
            draft: Draft::default(),
            features: Vec::new(),
            minima: Vec::new(),
            bitmap: Vec::new(),
        }
    }

    /// Signs all texts by one of the schemes.
    fn sign(&mut self, scheme: usize) {
        for &start in &self.texts.starts {
            self.signers[scheme].sign(text(self.level, &self.texts.bytes, start), &mut self.draft);
            if self.draft.tokens.len() == 1000 {
                self.draft.clear();
            }
        }
    }
}

fn text(level: Level, bytes: &[u8], start: usize) -> Text<'_> {
    let string = string_end_on(level, bytes, start).expect("a JSON string");
    let inside = &bytes[start..string.end];
    if string.escaped { Text::Json(inside) } else { Text::Plain(inside) }
}
