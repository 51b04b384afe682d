//! Statistics of the part of an input that was read, and how far the rest may differ from it.

use crate::documents::chunk::CatalogueChunk;
use neardup_core::signing::segment::StoredChunk;

/// Signed chunks of an input.
#[derive(Clone, Debug, Default)]
pub struct SampleStats {
    /// The stored chunks.
    pub chunks: Vec<StoredChunk>,
    /// Bytes that their ids take in memory.
    pub id_bytes: usize,
}

impl SampleStats {
    /// Adds a chunk.
    pub fn add(&mut self, chunk: &CatalogueChunk, segment: &StoredChunk) {
        self.id_bytes += chunk.id_bytes();
        self.chunks.push(segment.clone());
    }

    /// Returns the number of documents.
    pub fn documents(&self) -> usize {
        self.chunks.iter().map(StoredChunk::len).sum()
    }

    /// Returns the bytes of the columns that grow with the length of texts, and not only with their number.
    pub fn sketch_bytes(&self) -> usize {
        self.chunks.iter().map(|chunk| size_of::<u64>() * (chunk.bitmaps.len() + chunk.parts.len())).sum()
    }
}

/// How much larger the whole input is than the sample.
#[derive(Clone, Copy, Debug)]
pub struct SampleScale {
    /// Ratio of all documents to those of the sample.
    pub documents: f64,
    /// Ratio of all bytes to those of the sample.
    pub bytes: f64,
    /// Factor by which these may be off.
    pub doubt: f64,
}

impl SampleScale {
    /// The scale of a sample that is the whole input.
    pub const ALL: SampleScale = SampleScale { documents: 1.0, bytes: 1.0, doubt: 1.0 };
}

/// Returns the factor by which an estimated number of lines may be off.
///
/// `places` are spread over an input; the bytes and lines of each are known. The factor is three standard errors of the ratio of
/// lines to bytes. Its variance is that of differences between neighbouring places, because an input is often several corpora in
/// a row (Wolter, Introduction to Variance Estimation, 2nd edition, 8.2).
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
