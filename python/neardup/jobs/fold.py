"""Folding: puts the near-duplicates of a ranked list behind the best of them."""

from collections.abc import Iterable
from typing import Generic, NamedTuple, TypeVar

from neardup._core import Scheme
from neardup.allowed import allow
from neardup.errors import UsageError
from neardup.inputs.document import Document
from neardup.inputs.sources import refuse_table
from neardup.jobs.dedup import dedup
from neardup.schemes.number import Number

T = TypeVar("T", str, Document)


class Folded(NamedTuple, Generic[T]):
    """A result that is shown, and its near-duplicates from further down the list, in order."""

    best: T
    others: list[T]


@allow
def fold(results: Iterable[T], threshold: Number | None = None, scheme: str | Scheme | None = None) -> list[Folded[T]]:
    """Fold near-duplicates in a ranked list: the best of each group is kept in its place, the others follow it.

    `results` are texts or documents, the best first; all documents have ids, or none has. A result is put behind the
    first kept one that it meets, as verified: the leader rule in the order of ranks. The threshold is a resemblance
    (0.8); `scheme` is a scheme line or the name of a classic. Raises `UsageError`, `DataError` (for ids that are not
    unique).
    """
    if isinstance(results, str | Document):
        raise UsageError("results are a list of texts or documents, and this is one")
    refuse_table(results, "str and neardup.Document")
    items = list(results)
    if not items:
        return []
    found = dedup(items, threshold=threshold, scheme=scheme, keep="first").decisions
    columns = zip(*(found.column(name) for name in ("row", "id", "original")), strict=True)
    folded: dict[str, Folded[T]] = {}
    # a result comes after its original, which has the better rank
    for row, name, original in sorted(columns):
        if name == original:
            folded[name] = Folded(items[row - 1], [])
        else:
            folded[original].others.append(items[row - 1])
    return list(folded.values())
