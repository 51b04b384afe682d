//! The part of a sketch that is sent with every key. It excludes most pairs of documents that share a key by chance.

use neardup_core::keys::Keys;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::sets::sketch::{Sketch, SketchHeader};

/// Maximum number of signature words that are sent; larger signatures are left out.
const PARTS: usize = 8;
const WORD: usize = size_of::<u64>();

/// The header of a sketch, and its signature if that is small.
pub struct SketchBrief {
    header: SketchHeader,
    /// `None` if they were not sent.
    parts: Option<Vec<u64>>,
}

/// Whether the sketches of a pass are sent. Documents that share a band have many equal values, so that hardly any pair of them is
/// excluded.
pub fn are_sent(pass: &CompiledPass) -> bool {
    !pass.kinds.iter().all(|kind| matches!(kind.keys, Keys::Bands(_)))
}

/// Returns the bytes that are sent for a document with this sketch.
pub fn brief(sketch: Sketch<'_>, pass: &CompiledPass) -> Vec<u8> {
    let mut words = SketchHeader::of(sketch).words().to_vec();
    // If estimates ignore values that too many documents contain, the parts must not contain these. They are not known yet, so
    // no parts are sent.
    if pass.ignores().is_none() && sketch.parts.len() <= PARTS {
        words.extend_from_slice(sketch.parts);
    }
    words.into_iter().flat_map(u64::to_le_bytes).collect()
}

/// Reads the bytes that [`brief`] returned.
pub fn read(bytes: &[u8]) -> SketchBrief {
    let words: Vec<u64> = bytes.as_chunks::<WORD>().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
    let header = words.first_chunk::<3>().map_or_else(SketchHeader::default, |words| SketchHeader::of_words(*words));
    let parts = words.get(3..).filter(|parts| !parts.is_empty()).map(<[u64]>::to_vec);
    SketchBrief { header, parts }
}

/// Returns false only if the sketches prove that a pair fails.
pub fn possible(pass: &CompiledPass, left: &SketchBrief, right: &SketchBrief) -> bool {
    if !pass.plausible(&left.header, &right.header) {
        return false;
    }
    let (Some(left_parts), Some(right_parts)) = (&left.parts, &right.parts) else { return true };
    pass.possible(Sketch { parts: left_parts, ..left.header.sketch() }, Sketch { parts: right_parts, ..right.header.sketch() })
}
