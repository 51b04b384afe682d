//! What was seen of an input: some of its chunks, or all, and how far the rest may be otherwise.

use crate::documents::catalogue::CatalogueChunk;
use neardup_core::signing::segment::StoredChunk;

/// Chunks that are signed.
#[derive(Clone, Debug, Default)]
pub struct SampleStats {
    /// What signing left of each.
    pub chunks: Vec<StoredChunk>,
    /// What their ids take in memory.
    pub id_bytes: usize,
}

impl SampleStats {
    /// Adds a chunk.
    pub fn add(&mut self, shelf: &CatalogueChunk, segment: &StoredChunk) {
        self.id_bytes += shelf.id_bytes();
        self.chunks.push(segment.clone());
    }

    /// How many documents.
    pub fn documents(&self) -> usize {
        self.chunks.iter().map(StoredChunk::len).sum()
    }

    /// The bytes of what grows with the texts, and not with their number alone.
    pub fn sketch_bytes(&self) -> usize {
        self.chunks.iter().map(|chunk| size_of::<u64>() * (chunk.bitmaps.len() + chunk.parts.len())).sum()
    }
}

/// How much more there is than was seen.
#[derive(Clone, Copy, Debug)]
pub struct SampleScale {
    /// The number of times as many documents.
    pub documents: f64,
    /// The number of times as many bytes.
    pub bytes: f64,
    /// By which factor that may be off.
    pub doubt: f64,
}

impl SampleScale {
    /// That of all there is.
    pub const ALL: SampleScale = SampleScale { documents: 1.0, bytes: 1.0, doubt: 1.0 };
}

/// By which factor a number of lines may be off that is estimated from places spread over an input, of each of which the bytes and lines
/// are known: three standard errors of the ratio. Its variance is that of differences between neighbouring places, since
/// an input is often several corpora in a row (Wolter, Introduction to Variance Estimation, 2nd edition, 8.2).
pub fn doubt(places: &[(u64, usize)]) -> f64 {
    let (bytes, documents) = places.iter().fold((0, 0), |sum, place| (sum.0 + place.0, sum.1 + place.1));
    let (ratio, count) = (documents as f64 / bytes.max(1) as f64, places.len() as f64);
    let off: Vec<f64> = places.iter().map(|&(bytes, documents)| documents as f64 - ratio * bytes as f64).collect();
    let squares: f64 = off.windows(2).map(|pair| (pair[0] - pair[1]).powi(2)).sum();
    let variance = count / (2.0 * (count - 1.0).max(1.0)) * squares;
    1.0 + 3.0 * variance.sqrt() / documents.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_that_differ_leave_more_doubt() {
        let places = |documents: &[usize]| documents.iter().map(|&documents| (1000, documents)).collect::<Vec<_>>();
        assert_eq!(doubt(&[]), 1.0);
        assert_eq!(doubt(&places(&[7; 16])), 1.0);
        // Two corpora in a row are estimated well, however much they differ; a mixture of them is not.
        let (row, mixed) = (doubt(&places(&[[1; 8], [9; 8]].concat())), doubt(&places(&[1, 9].repeat(8))));
        assert!((1.1..1.4).contains(&row) && mixed > 1.6, "{row} {mixed}");
    }
}
