"""What becomes of documents that are added to an index, or removed from it."""

from typing import Literal, NamedTuple

from neardup.output.written import share

Kind = Literal["new", "duplicate", "update"]
Told = tuple[str, str | None, str | None, int, int, int, bool]


class Verdict(NamedTuple):
    """Whether a document is kept, and the evidence when it is not.

    A kept document is its own original; its rule is None. Counts are of features, and exact; `id_size` is that of the
    document, `original_size` that of its original.
    """

    id: str
    original: str
    rule: str | None
    shared: int
    id_size: int
    original_size: int
    verified: bool

    @property
    def kept(self) -> bool:
        """Whether the document is kept."""
        return self.rule is None

    @property
    def resemblance(self) -> float | None:
        """|A n B| / |A u B|, for display; None for a kept document."""
        return None if self.kept else share(self.shared, self.id_size + self.original_size - self.shared)

    @property
    def in_original(self) -> float | None:
        """The share of the document that is in its original, for display; None for a kept document."""
        return None if self.kept else share(self.shared, self.id_size)

    @property
    def of_original(self) -> float | None:
        """The share of the original that is in the document, for display; None for a kept document."""
        return None if self.kept else share(self.shared, self.original_size)


class Admission(NamedTuple):
    """What came of a document that was added.

    `replaced` is the document of the same URL whose place it took; `unchanged` says that this one is the same to the
    letter, and stays as it is. `expired` had to go for their age, or because there would be too many. `changed` are
    documents that were there before and whose verdict is another now.
    """

    verdict: Verdict
    replaced: str | None
    unchanged: bool
    expired: list[str]
    changed: list[Verdict]

    @property
    def kind(self) -> Kind:
        """What it is, in a word."""
        return _kind(self.verdict, self.replaced)


class Check(NamedTuple):
    """What would come of a document."""

    verdict: Verdict
    replaced: str | None
    unchanged: bool

    @property
    def kind(self) -> Kind:
        """What it is, in a word."""
        return _kind(self.verdict, self.replaced)


class Removal(NamedTuple):
    """What came of documents that were removed: their ids, and those whose verdict is another now."""

    removed: list[str]
    changed: list[Verdict]


def verdict(told: Told) -> Verdict:
    """Make a verdict of what the core returns."""
    name, original, rule, shared, size, original_size, verified = told
    return Verdict(name, name if original is None else original, rule, shared, size, original_size, verified)


def _kind(decided: Verdict, replaced: str | None) -> Kind:
    if replaced is not None:
        return "update"
    return "new" if decided.kept else "duplicate"
