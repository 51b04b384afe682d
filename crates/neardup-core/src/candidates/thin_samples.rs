//! Thin samples: of documents that have too few values to be estimated from.

use crate::Result;
use crate::pass::compiled::{CompiledPass, SketchContent};
use crate::sets::parts::SketchPart;
use crate::signatures::Signature;
use crate::signing::ignored_keys::Ignored;
use crate::signing::segment::{StoredChunk, range};
use crate::signing::segments::Segments;
use crate::util::ids::DocId;
use rayon::prelude::*;

/// Fewer values are a thin sample: an estimate by 8 is off by 0.35 one time in twenty.
pub const LEAST: usize = 8;

/// The documents, ascending, whose samples hold fewer than [`LEAST`] values, though the documents have more features.
///
/// Samples are those that a test estimates by, without what is `ignored`. Of `moduli` the features are counted with
/// repeats.
pub fn thin(segments: &Segments, pass: &CompiledPass, ignored: &Ignored) -> Result<Vec<DocId>> {
    let samples: Vec<(usize, &Signature)> = pass.estimated().filter_map(|part| Some((part, sampler(pass, part)?))).collect();
    if samples.is_empty() {
        return Ok(Vec::new());
    }
    let of_segment = |(first, segment): &(DocId, &StoredChunk)| {
        let store = segments.store();
        let (features, parts, ends) = (store.all(segment.features)?, store.all(segment.parts)?, store.all(segment.part_ends)?);
        let (mut rest, mut found) = (Vec::new(), Vec::new());
        for (place, &features) in features.iter().enumerate().filter(|(_, features)| **features > 0) {
            let parts = &parts[range(&ends, place)];
            ignored.filter(parts, &mut rest);
            let is_thin = |(part, signature): &(usize, &Signature)| {
                signature.leaves_out(SketchPart::nth(parts, *part), features) && SketchPart::nth(&rest, *part).values.len() < LEAST
            };
            if samples.iter().any(is_thin) {
                found.push(DocId(first.0 + place as u32));
            }
        }
        Ok(found)
    };
    let listed: Vec<_> = segments.iter().collect();
    let found: Result<Vec<Vec<DocId>>> = listed.par_iter().map(of_segment).collect();
    Ok(found?.concat())
}

/// The signature behind a part, when it is a sample.
fn sampler(pass: &CompiledPass, part: usize) -> Option<&Signature> {
    match pass.kept[part] {
        SketchContent::Signature(number) | SketchContent::Of(_, number) => Some(&pass.signatures[number]).filter(|it| it.is_sample()),
        SketchContent::Keys(_) | SketchContent::Size => None,
    }
}
