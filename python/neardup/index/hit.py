"""What an index answers."""

from typing import NamedTuple

from neardup.jobs.explanation import Passage
from neardup.output.written import share


class Hit(NamedTuple):
    """A document that is like the text that was asked about.

    `time` is as in `Document`. Counts are of features, and exact: `size` is that of the text, `id_size` that of the
    document. `rule` is None where the scheme's measure is not met. `duplicate_id` is the kept document that it is
    behind, or itself; `group_size` counts those behind that one, itself included. `value` is the number that decided,
    where that is an estimate, a distance or how many bits agree: see `Scheme.subjects`.
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
        """The share of the text that is in the document, for display."""
        return share(self.shared, self.size)

    @property
    def contained_by(self) -> float:
        """The share of the document that is in the text, for display."""
        return share(self.shared, self.id_size)


class Hits(list[Hit]):
    """Hits, the best first."""

    thin: bool = False
    """By parts: the sample of the text is so small that documents may be missed which it is in."""
    cut: bool = False
    """By parts: a feature of the sample is too common to be asked for, or too many documents share one."""
