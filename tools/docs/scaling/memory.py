"""The least memory of a run, which it requires before it begins.

The engine defines it in crates/neardup-engine/src/resources/budget.rs. bench/test_scale.py compares `needed` with the
figure of the program when it refuses a run.
"""

PROGRAM = 42 << 20
PER_THREAD = 8 << 20
LEAST_ROOM = 4 << 20
"""Bytes for all work that is done in parts."""
PER_DOCUMENT = 80
"""Bytes of the numbers of each document."""
PER_ID = 8
"""Bytes of the end of each id, besides the id itself."""
MOST_DOCUMENTS = 2**32 - 2
"""Most documents of a run, which numbers them with 32 bits."""


def per_document(id_bytes: float) -> float:
    """Return the bytes that stay in memory for each document with an id of `id_bytes` bytes."""
    return PER_DOCUMENT + PER_ID + id_bytes


def needed(documents: float, id_bytes: float, threads: int) -> float:
    """Return the least `--memory` of a run."""
    return PROGRAM + threads * PER_THREAD + documents * per_document(id_bytes) + LEAST_ROOM
