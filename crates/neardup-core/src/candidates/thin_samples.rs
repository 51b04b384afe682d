//! Thin samples: documents whose samples have too few values for an estimate.

use crate::Result;
use crate::pass::compiled::{CompiledPass, SketchContent};
use crate::sets::parts::SketchPart;
use crate::signatures::Signature;
use crate::signing::ignored_keys::Ignored;
use crate::signing::segment::{StoredChunk, range};
use crate::signing::segments::Segments;
use crate::util::ids::DocId;
use rayon::prelude::*;

/// Minimum number of values of a sample that is not thin. An estimate from 8 values is off by 0.35 one time in twenty.
pub const LEAST: usize = 8;

/// Returns the documents, ascending, whose samples contain fewer than [`LEAST`] values although the documents have more
/// features.
///
/// These are the samples from which a test estimates, without the values that are `ignored`. For `moduli`, features are
/// counted with repeats.
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
                found.push(first.plus(place as u32));
            }
        }
        Ok(found)
    };
    let listed: Vec<_> = segments.iter().collect();
    let found: Result<Vec<Vec<DocId>>> = listed.par_iter().map(of_segment).collect();
    Ok(found?.concat())
}

/// Returns the signature of a part, if it is a sample.
fn sampler(pass: &CompiledPass, part: usize) -> Option<&Signature> {
    match pass.kept[part] {
        SketchContent::Signature(number) | SketchContent::Of(_, number) => Some(&pass.signatures[number]).filter(|it| it.is_sample()),
        SketchContent::Keys(_) | SketchContent::Further(_) | SketchContent::Size => None,
    }
}
