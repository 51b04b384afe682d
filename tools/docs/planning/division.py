"""How the driver of the core divides a run: crates/neardup-engine/src/distributed/driver/division.rs."""

from dataclasses import dataclass

HOME = 2 << 20, 32 << 20
"""Bytes of input that one task reads, at least and at most."""
HOMES = 100_000
"""Number of homes above which homes are larger instead."""
TURNS = 4
"""Homes for each core of a small run."""
PART = 32 << 20
"""Bytes of input for each part of the keys."""
PARTS = 10_000
"""Number of parts above which parts are larger instead."""


@dataclass(frozen=True)
class Division:
    """The numbers of tasks of a run."""

    homes: int
    """Tasks that read documents: of `sign`, `fetch` and `write`."""
    parts: int
    """Tasks of all other stages."""

    @classmethod
    def of(cls, size: float, cores: int) -> "Division":
        """Return the division of an input of `size` bytes."""
        home = max(min(max(size / (TURNS * cores), HOME[0]), HOME[1]), size / HOMES)
        return cls(round(size / home), max(min(int(size / PART), PARTS), 2 * cores))
