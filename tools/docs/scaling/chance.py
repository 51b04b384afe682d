"""The number of keys that are equal by chance, which grows with the number of documents."""

import math

TABLES = 16
"""Keys of a document in the default scheme."""
RUN_BITS = 32
"""Bits of a key in a run on one machine."""


def equal_pairs(documents: float, bits: int = RUN_BITS) -> float:
    """Estimate the pairs of different documents with the same key in one table: n^2 / 2^(bits + 1)."""
    return documents * documents / 2.0 ** (bits + 1)


def partners(documents: float, bits: int = RUN_BITS) -> float:
    """Estimate the number of other documents that share a key of any table with one of `documents`."""
    return TABLES * documents / 2.0**bits


def collision_share(documents: float, bits: int = RUN_BITS) -> float:
    """Estimate the share of documents that share a key with any other one by chance (Poisson)."""
    return -math.expm1(-partners(documents, bits))
