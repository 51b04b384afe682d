"""Keys that are equal by chance, which is what a run of very many documents meets more and more."""

import math

TABLES = 16
"""Keys of a document in the default scheme."""
RUN_BITS = 32
"""Of a key in a run."""


def equal_pairs(documents: float, bits: int = RUN_BITS) -> float:
    """Count the pairs of this many different documents with the same key in one table: n^2 / 2^(bits + 1)."""
    return documents * documents / 2.0 ** (bits + 1)


def partners(documents: float, bits: int = RUN_BITS) -> float:
    """Count the others with which one of this many documents shares a key of any table."""
    return TABLES * documents / 2.0**bits


def met(documents: float, bits: int = RUN_BITS) -> float:
    """Return the share of this many documents that share a key with any other (Poisson)."""
    return -math.expm1(-partners(documents, bits))
