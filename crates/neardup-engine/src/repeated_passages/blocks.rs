//! Blocks: ranges of documents that are processed at once.

use neardup_core::repeated_passages::first::Gram;
use neardup_core::repeated_passages::partitioned::Partitioned;
use neardup_core::signing::segment::StoredChunk;
use neardup_core::util::ids::DocId;

/// The block of every chunk of documents. Most repeated N-grams are in a few of the chunks.
pub struct ChunkBlocks {
    /// First document of every chunk.
    firsts: Vec<DocId>,
    blocks: Vec<usize>,
}

impl ChunkBlocks {
    /// Assigns chunks to `count` blocks with about equally many of the N-grams of `chunks`. No chunk is split.
    pub fn new(segments: &[(DocId, &StoredChunk, u64)], chunks: &[Partitioned<Gram>], count: usize) -> Self {
        let total: usize = chunks.iter().map(Partitioned::len).sum();
        let block = |before: &mut usize, grams: &Partitioned<Gram>| {
            let before = std::mem::replace(before, *before + grams.len());
            Some((before as u128 * count as u128 / total.max(1) as u128) as usize)
        };
        // Chunks without N-grams may follow all others.
        let blocks = chunks.iter().scan(0, block).map(|block| block.min(count - 1)).collect();
        ChunkBlocks { firsts: segments.iter().map(|segment| segment.0).collect(), blocks }
    }

    /// Returns the block of a document.
    pub fn of(&self, document: DocId) -> usize {
        self.blocks[self.firsts.partition_point(|&first| first <= document) - 1]
    }
}
