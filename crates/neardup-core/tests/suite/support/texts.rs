//! Documents that are texts: they are signed, and read again to compare them.

use neardup_core::candidates::numbered::Candidates;
use neardup_core::candidates::texts::TextAccess;
use neardup_core::decide::leaders::ReferenceLeaders;
use neardup_core::measures::Overlap;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::sets::set::Set;
use neardup_core::signing::segment::ChunkBuilder;
use neardup_core::signing::segments::Segments;
use neardup_core::signing::signer::Signer;
use neardup_core::util::store::Store;
use neardup_text::Text;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Texts of all documents, read by candidate.
pub struct Corpus<'a> {
    pub texts: Vec<String>,
    pub candidates: &'a Candidates,
}

impl TextAccess for Corpus<'_> {
    fn text<'b>(&'b self, candidate: u32, _: &'b mut Vec<u8>) -> neardup_core::Result<Text<'b>> {
        Ok(Text::Plain(self.texts[self.candidates.documents[candidate as usize].index()].as_bytes()))
    }
}

pub const NONE: ReferenceLeaders<'static> = ReferenceLeaders { count: 0, represents_others: &|_| false };

pub fn segments(texts: &[String], pass: &CompiledPass, chunk: usize) -> Segments {
    let store = Arc::new(Store::new(tempfile::tempfile().unwrap(), 0));
    let mut signer = Signer::new(pass);
    // The last chunk is empty: a chunk may have no documents.
    let sealed = texts.chunks(chunk).chain([&[][..]]).map(|texts| {
        let mut draft = ChunkBuilder::default();
        texts.iter().for_each(|text| signer.sign(Text::Plain(text.as_bytes()), &mut draft));
        draft.seal(&store).unwrap()
    });
    let sealed = sealed.collect();
    Segments::new(store, sealed)
}

pub fn sets(texts: &[String], pass: &CompiledPass) -> Vec<BTreeSet<u64>> {
    let (mut signer, mut set) = (Signer::new(pass), Set::default());
    texts
        .iter()
        .map(|text| {
            signer.set(Text::Plain(text.as_bytes()), &mut set);
            set.features().iter().copied().collect()
        })
        .collect()
}

pub fn overlap(left: &BTreeSet<u64>, right: &BTreeSet<u64>) -> Overlap {
    Overlap { shared: left.intersection(right).count() as u32, left: left.len() as u32, right: right.len() as u32 }
}

/// Returns texts of many families. The members of a family are mostly variants of each other; few are equal.
pub fn variants(seed: u64, count: u64) -> Vec<String> {
    let mut state = seed;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let text = |number| {
        let family = random(count / 7);
        let length = 12 + family % 9;
        let mut words: Vec<String> = (0..length).map(|at| format!("f{family}w{at}")).collect();
        for _ in 0..random(4) {
            words[random(length) as usize] = format!("v{}", random(if family.is_multiple_of(3) { 4 } else { 1000 }));
        }
        words.push(format!("u{}", if family.is_multiple_of(2) { number } else { random(3) }));
        words.join(" ")
    };
    (0..count).map(text).collect()
}
