"""The index of gaoya with its own word n-grams."""

import common
import gaoya


def make(threshold: float) -> gaoya.minhash.MinHashStringIndex:
    """Make an empty index that checks hits by their estimate, at `threshold`."""
    return gaoya.minhash.MinHashStringIndex(
        hash_size=32,
        jaccard_threshold=threshold,
        num_bands=common.BANDS,
        band_size=common.ROWS,
        num_hashes=common.PERMUTATIONS,
        analyzer="word",
        lowercase=True,
        ngram_range=(common.WIDTH, common.WIDTH),
    )
