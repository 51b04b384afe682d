"""Overlaps of texts, counted by the core."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from neardup import _core
from neardup.jobs.pairs import find_pairs
from neardup.options.values import ProgressCallback
from neardup.output.written import share


class Overlap(NamedTuple):
    """Exact numbers of features: those that two texts share, and those of each text."""

    shared: int
    left_size: int
    right_size: int

    @property
    def exact(self) -> Fraction:
        """The resemblance |A n B| / |A u B|; 1 for two texts without features."""
        union = self.left_size + self.right_size - self.shared
        return Fraction(self.shared, union) if union else Fraction(1)

    @property
    def resemblance(self) -> float:
        """The resemblance, for display."""
        return share(self.shared, self.left_size + self.right_size - self.shared)

    @property
    def left_in_right(self) -> float:
        """The share of the left text that the right one contains, for display."""
        return share(self.shared, self.left_size)

    @property
    def right_in_left(self) -> float:
        """The share of the right text that the left one contains, for display."""
        return share(self.shared, self.right_size)


LEAST_PART = 16
"""Least number of features of a part of a text. Of so many, one is 0 mod 4 with probability 1 - (3/4)^16 = 0.99; and
fewer words may occur anywhere."""
_TOGETHER = 1000
"""Number of pairs in one call of the core. The user can stop between two calls."""
_CAP = 500
"""Largest number of texts of one key that are compared with each other. Thousands of pages with the same frame share
keys, and their pairs would be quadratic in number; pages with any text of their own share other keys."""


class TextEvidence:
    """Evidence for pairs of texts by the tokens and features of a scheme."""

    def __init__(self, read: Callable[[str], str], scheme: str, progress: ProgressCallback | None = None) -> None:
        self.read = read
        """Returns the text of an id."""
        self.features = " | ".join(scheme.split(" | ")[:2])
        """The stages of the scheme up to the features."""
        self._whole = f"{self.features} | minhash:auto | bands:auto | resemblance>=1"
        self._progress = progress

    def by(self, features: str) -> "TextEvidence":
        """Return evidence for the same texts by other features, written as `features`."""
        return TextEvidence(self.read, features, self._progress)

    def near(self, old: Collection[str], new: Collection[str], least: Fraction) -> Iterable[tuple[str, str, Overlap]]:
        """List pairs of an old and a new text whose resemblance is at least `least`.

        Each such pair is found with probability 0.99, unless its texts share only keys of more than `_CAP` texts.
        """
        return self._pairs(old, new, f"minhash:auto | bands:auto cap={_CAP} | resemblance>={least}")

    def contained(
        self, old: Collection[str], new: Collection[str], least: Fraction
    ) -> Iterable[tuple[str, str, Overlap]]:
        """List pairs of an old and a new text of which one contains at least a share `least` of the other's features.

        A pair that shares `LEAST_PART` features or more is found with probability 0.99, unless they are in more than
        `_CAP` texts. Texts with fewer features are left out.
        """
        old, new = ([text for text in texts if self._has_part(text)] for texts in (old, new))
        return self._pairs(old, new, f"moduli:4 | each cap={_CAP} | containment>={least}")

    def _has_part(self, text: str) -> bool:
        return _core.count(self.read(text), self._whole)[1] >= LEAST_PART

    def tokens(self, text: str) -> list[str]:
        """Return the tokens of a text, in order."""
        return [token for token, _, _ in _core.tokens(self.read(text), self._whole)]

    def overlaps(self, pairs: Sequence[tuple[str, str]]) -> Iterator[Overlap]:
        """Count the features that the texts of each pair share, in the order of the pairs."""
        waiting = iter(pairs)
        while together := list(islice(waiting, _TOGETHER)):
            texts = [(self.read(one), self.read(other)) for one, other in together]
            yield from map(Overlap._make, _core.overlaps(texts, self._whole))

    def _pairs(self, old: Collection[str], new: Collection[str], keys: str) -> Iterable[tuple[str, str, Overlap]]:
        if not (old and new):
            return
        # written to files, because the texts of a whole site may not fit into memory
        with TemporaryDirectory() as folder:
            appeared, vanished = Path(folder) / "new.jsonl", Path(folder) / "old.jsonl"
            self._write(new, appeared)
            self._write(old, vanished)
            scheme, progress = f"{self.features} | {keys}", self._progress
            pairs = find_pairs(appeared, against=vanished, scheme=scheme, id_field="id", progress=progress).pairs
        columns = ("right", "left", "shared", "right_size", "left_size")
        for one, other, *counts in zip(*map(pairs.column, columns), strict=True):
            yield one, other, Overlap._make(counts)

    def _write(self, texts: Collection[str], path: Path) -> None:
        with path.open("w", encoding="utf-8") as file:
            for text in sorted(texts):
                file.write(json.dumps({"id": text, "text": self.read(text)}, ensure_ascii=False) + "\n")
