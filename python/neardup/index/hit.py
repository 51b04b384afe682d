"""Hits, the answers of an index."""

from typing import NamedTuple

from neardup.jobs.explanation import Passage
from neardup.output.written import share


class Hit(NamedTuple):
    """A document that is like the text of a query.

    `time` is as in `Document`. Counts are exact counts of features: `size` of the text, `id_size` of the document.
    `rule` is None if the scheme's measure is not met. `duplicate_id` is the original of the document, or the document
    itself; `group_size` is the number of documents with that original, including it. `value` is the number that
    decided, if that is an estimate, a distance or a number of equal bits: see `Scheme.subjects`.
    """

    id: str
    url: str | None
    time: int | str | None
    shared: int
    size: int
    id_size: int
    rule: str | None
    duplicate_id: str
    group_size: int
    value: float | None = None
    passages: list[Passage] | None = None

    @property
    def resemblance(self) -> float:
        """|A n B| / |A u B|, for display."""
        return share(self.shared, self.size + self.id_size - self.shared)

    @property
    def containment(self) -> float:
        """Share of the text that is in the document, for display."""
        return share(self.shared, self.size)

    @property
    def contained_by(self) -> float:
        """Share of the document that is in the text, for display."""
        return share(self.shared, self.id_size)


class Hits(list[Hit]):
    """Hits, the best first."""

    thin: bool = False
    """By parts: whether the sample of the text is so small that documents that contain it may be missed."""
    cut: bool = False
    """By parts: whether a feature of the sample is too common to be looked up, or too many documents share one."""
