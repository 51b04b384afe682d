"""Kinds of pages: how every page changed from one sweep to the next."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple, Protocol

from neardup.sweeps.evidence import Overlap
from neardup.sweeps.moves import Groups, name_page, pair_pages

Kind = Literal["same", "changed", "moved", "moved+changed", "new", "gone", "replaced"]
KINDS: tuple[Kind, ...] = ("same", "changed", "moved", "moved+changed", "new", "gone", "replaced")

MOVES: tuple[Kind, ...] = ("moved", "moved+changed")
"""Kinds of pages whose URL changed."""
NEAR = Fraction(3, 10)
"""Least resemblance of two texts that can be one page that moved. It is low, because a page may change much between two
sweeps. Wrong pairs are rare even so, because only pages that vanished and appeared are compared, one to one
(`bench/sweeps.py`)."""
_STEPS_DOWN = (Fraction(9, 10), Fraction(6, 10), NEAR, NEAR / 2)
"""Resemblances down to which near texts are paired, in this order. Pairing all at once would find the same pairs, but
would compare pages that have found their own text with all pages that look like them: on a site with one frame, all of
them."""

Pages = Mapping[str, str | None]
"""The pages of a sweep: URL -> id of its text, None for a blank page. Equal texts have equal ids."""


class PageStep(NamedTuple):
    """Change of a page: its URLs before and after, and the overlap of both versions if its text changed.

    A *replaced* step is of a URL, not of a page: the page that was there moved away, and another one is there now.
    `remark` names what the kind does not say, such as "merged into URL".
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

    def overlaps(self, pairs: Sequence[tuple[str, str]]) -> Iterable[Overlap]:
        """Count the features that the texts of each pair share, in the order of the pairs."""
        ...


def classify_pages(old: Pages, new: Pages, evidence: TextEvidence) -> list[PageStep]:
    """Return the change of every page between two consecutive sweeps, in the order of URLs.

    A URL in both sweeps is one page: *same* if its text has the same bytes, otherwise *changed*. A URL that vanished
    and one that appeared are a page that *moved* if their texts are equal, and one that *moved+changed* if their texts
    are near. Every page is paired at most once, the nearest texts first. The remaining pages are *gone* or *new*. Two
    texts are near if their resemblance is at least `NEAR`, or at least half of it if both pages have a name that no
    other remaining page has.

    After Broder, Glassman, Manasse, Zweig 1997, "Lost and Found"; the rule for one-to-one pairs is ours.
    """
    steps = list(_compare_same_urls(old, new, evidence))
    vanished, appeared = Groups.without(old, new), Groups.without(new, old)
    for text in sorted(vanished.texts & appeared.texts):
        steps += (PageStep("moved", *pair) for pair in pair_pages(vanished, text, appeared, text))
    steps += _pair_near(vanished, appeared, evidence)
    steps += (PageStep("gone", url, None) for url in vanished.urls())
    steps += (PageStep("new", None, url) for url in appeared.urls())
    return sorted(steps, key=lambda step: (step.new or step.old or "", step.kind))


def _compare_same_urls(old: Pages, new: Pages, evidence: TextEvidence) -> Iterator[PageStep]:
    """Yield the steps of pages whose URL is in both sweeps."""
    changed = []
    for url in old.keys() & new.keys():
        if old[url] == new[url]:
            yield PageStep("same", url, url)
        else:
            changed.append((url, old[url], new[url]))
    # a blank text has no features, so it shares none and needs no counting
    pairs = [(before, after) for _, before, after in changed if before is not None and after is not None]
    counted = iter(evidence.overlaps(pairs))
    for url, before, after in changed:
        yield PageStep("changed", url, url, None if before is None or after is None else next(counted))


def _pair_near(vanished: Groups, appeared: Groups, evidence: TextEvidence) -> Iterator[PageStep]:
    """Pair pages with near texts: the nearest first, then those that share a name, then by URL."""
    places, other_places = _places(vanished), _places(appeared)

    def rank(candidate: tuple[tuple[str, str], Overlap]) -> tuple[Fraction, bool, str, str]:
        (one, other), overlap = candidate
        (url, names), (other_url, other_names) = places[one], other_places[other]
        return -overlap.exact, names.isdisjoint(other_names), url, other_url

    pairs = list(_share_names(vanished, appeared))
    # two texts without features have a resemblance of 1, which is no evidence
    named = [(pair, overlap) for pair, overlap in zip(pairs, evidence.overlaps(pairs), strict=True) if overlap.shared]
    for least in _STEPS_DOWN:
        near = {pair: overlap for pair, overlap in named if overlap.exact >= least}
        if least >= NEAR:
            near |= {
                (one, other): overlap for one, other, overlap in evidence.near(vanished.texts, appeared.texts, least)
            }
        for (one, other), overlap in sorted(near.items(), key=rank):
            for pair in pair_pages(vanished, one, appeared, other):
                yield PageStep("moved+changed", *pair, overlap)


def _places(groups: Groups) -> dict[str, tuple[str, set[str]]]:
    """Return the first URL and the names of the pages of each text."""
    return {
        text: (min(urls), {name_page(url).name for url in urls}) for text in groups.texts if (urls := groups.of(text))
    }


def _share_names(vanished: Groups, appeared: Groups) -> Iterator[tuple[str, str]]:
    """Yield pairs of texts whose pages share a name that no other page of their side has."""
    sides = []
    for groups in (vanished, appeared):
        count = Counter(name_page(url).name for url in groups.urls())
        names = ((name_page(url).name, text) for text in groups.texts for url in groups.of(text))
        sides.append({name: text for name, text in names if name and count[name] == 1})
    one, other = sides
    yield from ((one[name], other[name]) for name in sorted(one.keys() & other.keys()))
