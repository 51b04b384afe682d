//! Documents that have only fingerprints.

use neardup_core::candidates::texts::TextAccess;
use neardup_core::keys::ChunkKeys;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::signatures::Values;
use neardup_core::signing::segment::ChunkBuilder;
use neardup_core::signing::segments::Segments;
use neardup_core::util::store::Store;
use neardup_text::Text;
use std::sync::Arc;

/// Texts that are all the same word, so that only fingerprints decide.
pub struct OneWord;

impl TextAccess for OneWord {
    fn text<'b>(&'b self, _: u32, _: &'b mut Vec<u8>) -> neardup_core::Result<Text<'b>> {
        Ok(Text::Plain(b"word"))
    }
}

/// Returns the segments that signing would write for documents with these fingerprints, `chunk` documents in each.
pub fn segments(fingerprints: &[&[u64]], pass: &CompiledPass, chunk: usize) -> Segments {
    let store = Arc::new(Store::new(tempfile::tempfile().unwrap(), 0));
    let mut values = Values::default();
    let sealed = fingerprints.chunks(chunk).map(|fingerprints| {
        let mut draft = ChunkBuilder::default();
        for &fingerprint in fingerprints {
            values.clear();
            values.wide.extend_from_slice(fingerprint);
            draft.keys.resize_with(1, ChunkKeys::default);
            draft.keys[0].push(&pass.kinds[0].keys, Some(&values));
            values.append(&mut draft.parts);
            draft.part_ends.push(draft.parts.len() as u32);
            [&mut draft.tokens, &mut draft.features].into_iter().for_each(|column| column.push(1));
            [&mut draft.raw, &mut draft.lexical].into_iter().for_each(|column| column.push(1));
            draft.bitmap_ends.push(0);
        }
        draft.seal(&store).unwrap()
    });
    let sealed = sealed.collect();
    Segments::new(store, sealed)
}
