"""Kinds of pages: how every page changed from one sweep to the next."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple, Protocol

from neardup.sweeps.evidence import Overlap

Kind = Literal["same", "changed", "moved", "moved+changed", "new", "gone", "replaced"]
KINDS: tuple[Kind, ...] = ("same", "changed", "moved", "moved+changed", "new", "gone", "replaced")

MOVES: tuple[Kind, ...] = ("moved", "moved+changed")
"""Kinds of pages whose URL changed."""
NEAR = Fraction(3, 10)
"""Least resemblance of two texts that can be one page that moved. It is low, because a page may change much between two
sweeps. Wrong pairs are rare even so, because only pages that vanished and appeared are compared, one to one
(`bench/sweeps.py`)."""
STUB = "stub"
"""Remark of a step to a text that is no page: it says that the page is elsewhere or nowhere, or is the front page."""

Pages = Mapping[str, str | None]
"""The pages of a sweep: URL -> id of its text, None for a blank page. Equal texts have equal ids."""


class PageStep(NamedTuple):
    """Change of a page: its URLs before and after, and the overlap of both versions if its text changed.

    A *replaced* step is of a URL, not of a page: the page that was there left, and another text is there now. `remark`
    names what the kind does not say, such as "merged into URL".
    """

    kind: Kind
    old: str | None
    new: str | None
    overlap: Overlap | None = None
    remark: str | None = None


class TextEvidence(Protocol):
    """Overlaps of texts, which are given by their ids."""

    def near(self, old: Collection[str], new: Collection[str], least: Fraction) -> Iterable[tuple[str, str, Overlap]]:
        """List pairs of an old and a new text whose resemblance is at least `least`."""
        ...

    def contained(
        self, old: Collection[str], new: Collection[str], least: Fraction
    ) -> Iterable[tuple[str, str, Overlap]]:
        """List pairs of an old and a new text of which one contains at least a share `least` of the other."""
        ...

    def overlaps(self, pairs: Sequence[tuple[str, str]]) -> Iterable[Overlap]:
        """Count the features that the texts of each pair share, in the order of the pairs."""
        ...

    def tokens(self, text: str) -> list[str]:
        """Return the tokens of a text, in order."""
        ...
