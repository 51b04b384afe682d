"""What texts share, counted by the core."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice

from neardup import _core
from neardup.document import Document
from neardup.live.sweeps.kinds import NEAR
from neardup.live.sweeps.overlap import Overlap
from neardup.options import Progress
from neardup.pipeline import find_pairs

_TOGETHER = 1000
"""Pairs in one call of the core, between which the user can stop."""


class TextEvidence:
    """The evidence of texts that `read` gives for their ids, on the tokens and features of a scheme."""

    def __init__(self, read: Callable[[str], str], scheme: str, progress: Progress | None = None) -> None:
        self._read = read
        tokens, features, *_ = scheme.split(" | ")
        self._scheme = str(_core.Scheme(f"{tokens} | {features} | minhash:auto | bands:auto | resemblance>={NEAR}"))
        self._progress = progress

    def near(self, old: Collection[str], new: Collection[str]) -> Iterable[tuple[str, str, Overlap]]:
        """List pairs of an old and a new text with a resemblance of `NEAR`, each with probability 0.99, or more."""
        if not (old and new):
            return
        sides = [[Document(self._read(text), text) for text in sorted(texts)] for texts in (new, old)]
        pairs = find_pairs(sides[0], against=sides[1], scheme=self._scheme, progress=self._progress).pairs
        columns = ("right", "left", "shared", "right_size", "left_size")
        for one, other, *counts in zip(*map(pairs.column, columns), strict=True):
            yield one, other, Overlap._make(counts)

    def overlaps(self, pairs: Sequence[tuple[str, str]]) -> Iterator[Overlap]:
        """Count what the texts of each pair share, in the order of the pairs."""
        waiting = iter(pairs)
        while together := list(islice(waiting, _TOGETHER)):
            texts = [(self._read(one), self._read(other)) for one, other in together]
            yield from map(Overlap._make, _core.overlaps(texts, self._scheme))
