//! What is sent of a sketch with every key: enough to exclude most pairs of documents, which share a key by chance, cannot hold.

use neardup_core::pass::compiled::CompiledPass;
use neardup_core::sets::sketch::{Sketch, SketchHeader};
use neardup_core::signing::segment::ChunkBuilder;

/// Words of signatures that travel along, if they are no more.
const PARTS: usize = 8;
const WORD: usize = size_of::<u64>();

/// A sketch in brief, and small parts of it.
pub struct SketchBrief {
    brief: SketchHeader,
    /// None where they were too large.
    parts: Option<Vec<u64>>,
}

/// Writes what travels of the only document of a draft, which has this many distinct features.
pub fn write(draft: &ChunkBuilder, pass: &CompiledPass, size: u32) -> Vec<u8> {
    let sketch = draft.sketch(0);
    let mut words = SketchHeader::of(Sketch { most: size, least: size, ..sketch }).words().to_vec();
    // Values that too many documents hold are taken out of the parts, where estimates ignore these: which, is not known yet.
    if pass.ignores().is_none() && sketch.parts.len() <= PARTS {
        words.extend_from_slice(sketch.parts);
    }
    words.into_iter().flat_map(u64::to_le_bytes).collect()
}

/// Reads it.
pub fn read(bytes: &[u8]) -> SketchBrief {
    let words: Vec<u64> = bytes.as_chunks::<WORD>().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
    let brief = words.first_chunk::<3>().map_or_else(SketchHeader::default, |words| SketchHeader::of_words(*words));
    let parts = words.get(3..).filter(|parts| !parts.is_empty()).map(<[u64]>::to_vec);
    SketchBrief { brief, parts }
}

/// False only when it proves that a pair fails.
pub fn possible(pass: &CompiledPass, left: &SketchBrief, right: &SketchBrief) -> bool {
    if !pass.plausible(&left.brief, &right.brief) {
        return false;
    }
    let (Some(left_parts), Some(right_parts)) = (&left.parts, &right.parts) else { return true };
    pass.possible(Sketch { parts: left_parts, ..left.brief.sketch() }, Sketch { parts: right_parts, ..right.brief.sketch() })
}
