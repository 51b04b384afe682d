//! The cases `sign-*`: keys, sketches and digests are computed from texts.

use crate::texts::{Language, Maker};
use crate::{Digest, Done, SCHEME, measured};
use neardup_core::compile::compile;
use neardup_core::signing::segment::ChunkBuilder;
use neardup_core::signing::signer::Signer;
use neardup_text::Text;

/// Number of documents.
const DOCUMENTS: usize = 400;
/// Approximate words in a document.
const LENGTH: usize = 500;

pub fn sign(language: &'static Language) -> Done<u64> {
    let texts = Maker::new(language).documents(DOCUMENTS, LENGTH);
    let pass = compile(&SCHEME.parse()?)?;
    let (mut signer, mut draft) = (Signer::new(&pass), ChunkBuilder::default());
    measured(&mut || {
        texts.iter().for_each(|text| signer.sign(Text::Plain(text.as_bytes()), &mut draft));
        Ok(())
    })?;
    let mut digest = Digest::default();
    draft.tokens.iter().for_each(|&tokens| digest.add(tokens));
    draft.lexical.iter().for_each(|&lexical| digest.add(lexical));
    draft.keys.iter().flat_map(|rows| &rows.keys).for_each(|&key| digest.add(key));
    Ok(digest.0)
}
