"""What became of every page from one sweep to the next."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple, Protocol

from neardup.live.sweeps.moves import Groups, pair_pages
from neardup.live.sweeps.names import name_page
from neardup.live.sweeps.overlap import Overlap

Kind = Literal["same", "changed", "moved", "moved+changed", "new", "gone"]
KINDS: tuple[Kind, ...] = ("same", "changed", "moved", "moved+changed", "new", "gone")

NEAR = Fraction(3, 10)
"""Resemblance from which two texts can be one page that moved. A page may change much between two sweeps, and only
pages that vanished and appeared are compared, one to one: wrong pairs are rare even so (`bench/sweeps.py`)."""

Pages = Mapping[str, str | None]
"""The pages of a sweep: URL to the id of its text, None for a blank one. Equal texts have equal ids."""


class Step(NamedTuple):
    """What became of a page: its URL before and after, and for a text that changed what both versions share."""

    kind: Kind
    old: str | None
    new: str | None
    overlap: Overlap | None = None


class Evidence(Protocol):
    """What texts share; texts are given by their ids."""

    def near(self, old: Collection[str], new: Collection[str]) -> Iterable[tuple[str, str, Overlap]]:
        """List pairs of an old and a new text that resemble each other by `NEAR` or more."""
        ...

    def overlaps(self, pairs: Sequence[tuple[str, str]]) -> Iterable[Overlap]:
        """Count what the texts of each pair share, in the order of the pairs."""
        ...


def tell_kinds(old: Pages, new: Pages, evidence: Evidence) -> list[Step]:
    """Tell for every page of two consecutive sweeps what became of it, in the order of URLs.

    A URL that stays is one page: *same* when its text has the same bytes, else *changed*. Of the URLs that vanish and
    those that appear, two with the same text are a page that *moved*, and two with near texts one that *moved+changed*;
    every page is taken once, the nearest texts first. What is left is *gone* or *new*. Texts are near from a
    resemblance of `NEAR` on, or of half of it where both pages have a name that no other page left has.

    After Broder, Glassman, Manasse, Zweig 1997, "Lost and Found"; the rule for one-to-one pairs is ours.
    """
    steps = list(_stay(old, new, evidence))
    vanished, appeared = Groups.without(old, new), Groups.without(new, old)
    for text in sorted(vanished.texts & appeared.texts):
        steps += (Step("moved", *pair) for pair in pair_pages(vanished, text, appeared, text))
    for one, other, overlap in _rank(_candidates(vanished, appeared, evidence), vanished, appeared):
        steps += (Step("moved+changed", *pair, overlap) for pair in pair_pages(vanished, one, appeared, other))
    steps += (Step("gone", url, None) for url in vanished.urls())
    steps += (Step("new", None, url) for url in appeared.urls())
    return sorted(steps, key=lambda step: (step.new or step.old or "", step.kind))


def _stay(old: Pages, new: Pages, evidence: Evidence) -> Iterator[Step]:
    """Tell the pages whose URL stays."""
    changed = []
    for url in old.keys() & new.keys():
        if old[url] == new[url]:
            yield Step("same", url, url)
        else:
            changed.append((url, old[url], new[url]))
    # a blank text has no features, so it shares none and needs no counting
    pairs = [(before, after) for _, before, after in changed if before is not None and after is not None]
    counted = iter(evidence.overlaps(pairs))
    for url, before, after in changed:
        yield Step("changed", url, url, None if before is None or after is None else next(counted))


def _candidates(vanished: Groups, appeared: Groups, evidence: Evidence) -> dict[tuple[str, str], Overlap]:
    """Gather the pairs of texts that may be one page."""
    found = {(one, other): overlap for one, other, overlap in evidence.near(vanished.texts, appeared.texts)}
    named = [pair for pair in _share_names(vanished, appeared) if pair not in found]
    counted = zip(named, evidence.overlaps(named), strict=True)
    # two texts without features have a resemblance of 1, which says nothing
    return found | {pair: overlap for pair, overlap in counted if overlap.shared and overlap.exact >= NEAR / 2}


def _share_names(vanished: Groups, appeared: Groups) -> Iterator[tuple[str, str]]:
    """List the texts of pages whose name is that of no other page on either side."""
    sides = []
    for groups in (vanished, appeared):
        count = Counter(name_page(url).name for url in groups.urls())
        names = ((name_page(url).name, text) for text in groups.texts for url in groups.of(text))
        sides.append({name: text for name, text in names if name and count[name] == 1})
    one, other = sides
    yield from ((one[name], other[name]) for name in sorted(one.keys() & other.keys()))


def _rank(
    candidates: Mapping[tuple[str, str], Overlap], vanished: Groups, appeared: Groups
) -> list[tuple[str, str, Overlap]]:
    """Order candidates: the nearest first, then those that share a name, then by URL."""

    def rank(candidate: tuple[str, str, Overlap]) -> tuple[Fraction, bool, str, str]:
        one, other, overlap = candidate
        names, other_names = ({name_page(url).name for url in urls} for urls in (vanished.of(one), appeared.of(other)))
        return -overlap.exact, not names & other_names, min(vanished.of(one)), min(appeared.of(other))

    return sorted(((*pair, overlap) for pair, overlap in candidates.items()), key=rank)
