"""First pages: whether two hosts welcome their visitors with the same text."""

from typing import Any, Literal, NamedTuple

from neardup.inputs.document import Document
from neardup.jobs.pairs import find_pairs

Verdict = Literal["alike", "different", "missing"]

MISSING: tuple[Verdict, None] = ("missing", None)
"""Where a host has no first page, or nobody asked."""


class FirstPages(NamedTuple):
    """The first pages of hosts, compared. Equal texts are one document, known by its number."""

    numbers: dict[str, str]
    """Host to document."""
    stars: dict[str, str]
    """Documents of a large group of equal ones, of which only the first is listed with others."""
    resemblances: dict[tuple[str, str], float]
    """Documents that resemble each other, the smaller id first."""

    def compare(self, left: str, right: str) -> tuple[Verdict, float | None]:
        """Return the verdict on two hosts, and the resemblance where it reaches the threshold."""
        if left not in self.numbers or right not in self.numbers:
            return MISSING
        one, other = sorted(self.stars.get(number, number) for number in (self.numbers[left], self.numbers[right]))
        score = 1.0 if one == other else self.resemblances.get((one, other))
        return ("different" if score is None else "alike"), score


def compare_first_pages(texts: dict[str, str], scheme: str, **options: Any) -> FirstPages:
    """Find the pairs of `texts`, by host, under a scheme; `options` are those of `neardup.find_pairs`."""
    documents: dict[str, str] = {}
    numbers = {host: documents.setdefault(texts[host], str(len(documents))) for host in sorted(texts)}
    found = find_pairs([Document(text, id=number) for text, number in documents.items()], scheme=scheme, **options)
    firsts = {first for first, _ in found.summary["stars"]}
    stars: dict[str, str] = {}
    resemblances: dict[tuple[str, str], float] = {}
    columns = (found.pairs.column(name) for name in ("left", "right", "rule", "resemblance"))
    for left, right, rule, resemblance in zip(*columns, strict=True):
        resemblances[left, right] = resemblance
        if rule != "near" and firsts & {left, right}:
            first = left if left in firsts else right
            stars[right if first == left else left] = first
    return FirstPages(numbers, stars, resemblances)
