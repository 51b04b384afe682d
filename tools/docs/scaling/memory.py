"""Memory that cannot be had in parts: what a run asks for before it begins.

The engine says it in crates/neardup-engine/src/resources/budget.rs.

bench/test_scale.py compares `needed` with what the program says when it refuses a run.
"""

PROGRAM = 36 << 20
PER_THREAD = 8 << 20
LEAST_ROOM = 4 << 20
"""For all that is done in parts."""
PER_DOCUMENT = 80
"""Numbers of every document."""
PER_ID = 8
"""Where an id ends, beside its bytes."""
MOST_DOCUMENTS = 2**32 - 2
"""A run numbers its documents with 32 bits."""


def per_document(id_bytes: float) -> float:
    """Return the bytes that stay in memory for every document, whose ids are `id_bytes` long."""
    return PER_DOCUMENT + PER_ID + id_bytes


def needed(documents: float, id_bytes: float, threads: int) -> float:
    """Return the least `--memory` of a run."""
    return PROGRAM + threads * PER_THREAD + documents * per_document(id_bytes) + LEAST_ROOM
