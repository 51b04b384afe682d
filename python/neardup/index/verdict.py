"""Results of adding documents to an index, and of removing them."""

from typing import Literal, NamedTuple

from neardup.output.written import share

Kind = Literal["new", "duplicate", "update"]
VerdictRow = tuple[str, str | None, str | None, int, int, int, bool]


class Verdict(NamedTuple):
    """Whether a document is kept, and the evidence if it is not.

    A kept document is its own original; its rule is None. Counts are exact counts of features: `id_size` of the
    document, `original_size` of its original.
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
        """Share of the document that is in its original, for display; None for a kept document."""
        return None if self.kept else share(self.shared, self.id_size)

    @property
    def of_original(self) -> float | None:
        """Share of the original that is in the document, for display; None for a kept document."""
        return None if self.kept else share(self.shared, self.original_size)


class Admission(NamedTuple):
    """Result of adding a document.

    `replaced` is the document of the same URL whose place it took; `unchanged` says that this one is the same to the
    letter, and stays as it is. `expired` were removed for their age, or because there would be too many. `changed` are
    the new verdicts of documents that were there before.
    """

    verdict: Verdict
    replaced: str | None
    unchanged: bool
    expired: list[str]
    changed: list[Verdict]

    @property
    def kind(self) -> Kind:
        """Kind of the document, in one word."""
        return _kind(self.verdict, self.replaced)


class Check(NamedTuple):
    """Result that adding a document would have."""

    verdict: Verdict
    replaced: str | None
    unchanged: bool

    @property
    def kind(self) -> Kind:
        """Kind of the document, in one word."""
        return _kind(self.verdict, self.replaced)


class Removal(NamedTuple):
    """Result of removing documents: their ids, and the new verdicts of others."""

    removed: list[str]
    changed: list[Verdict]


def verdict(row: VerdictRow) -> Verdict:
    """Make a verdict from the tuple that the core returns."""
    name, original, rule, shared, size, original_size, verified = row
    return Verdict(name, name if original is None else original, rule, shared, size, original_size, verified)


def _kind(decided: Verdict, replaced: str | None) -> Kind:
    if replaced is not None:
        return "update"
    return "new" if decided.kept else "duplicate"
