"""The change of every page between two sweeps, found from its texts and from what the site says about them."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction

from neardup.corpus.pointers import Pointer
from neardup.sweeps.evidence import Overlap
from neardup.sweeps.kinds import NEAR, STUB, Pages, PageStep, TextEvidence
from neardup.sweeps.moves import Groups, name_page, pair_pages
from neardup.sweeps.parts import find_merged, find_split, pair_parts
from neardup.sweeps.pointers import follow_pointers
from neardup.sweeps.stubs import find_repeated, is_little, is_short

SURE = Fraction(1, 2)
"""Least resemblance of two texts if an address that one of them left or reached has a page of its own in the other
sweep. Then it may just as well have been rewritten, near to another page by chance."""
_STEPS_DOWN = (Fraction(9, 10), SURE, NEAR, NEAR / 2)
"""Resemblances down to which near texts are paired, in this order. Pairing all at once would find the same pairs, but
would compare pages that have found their own text with all pages that look like them: on a site with one frame, all of
them."""


def classify_pages(
    old: Pages,
    new: Pages,
    evidence: TextEvidence,
    *,
    stubs: Collection[str] = (),
    pointers: Mapping[str, Pointer] | None = None,
) -> list[PageStep]:
    """Return the change of every page between two consecutive sweeps, in the order of URLs.

    A URL in both sweeps is one page: *same* if its text has the same bytes, otherwise *changed*. Two kinds of URLs are
    open: those in only one of the sweeps, and those whose texts have little in common. A page that left an open URL and
    one that came to another open URL are a page that *moved* if their texts are equal, and one that *moved+changed* if
    their texts are near, or if one contains most of the other. Every page is paired at most once: first the pairs that
    the site itself names (`pointers`), then the nearest texts. The remaining pages are *gone* or *new*; an open URL in
    both sweeps that no page left or came to is *changed*. A URL that a page left, and to which none came, is also
    *replaced* if it has another text.

    Two texts are near if their resemblance is at least `NEAR`, or at least half of it if both pages have a name that no
    other remaining page has. `stubs` are the URLs whose old texts are no pages (`STUB`). docs/concepts/moves.md
    explains the rule.

    After Broder, Glassman, Manasse, Zweig 1997, "Lost and Found"; the rule for one-to-one pairs is ours.
    """
    same = {url for url, text in old.items() if url in new and new[url] == text}
    before, after = ({url: text for url, text in pages.items() if url not in same} for pages in (old, new))
    steps = _Classification(before, after, evidence, frozenset(stubs)).steps(pointers or {})
    steps += (PageStep("same", url, url) for url in same)
    return sorted(steps, key=lambda step: (step.new or step.old or "", step.kind))


class _Classification:
    """The pages that are not the same in two sweeps, while they are paired."""

    def __init__(self, old: Pages, new: Pages, evidence: TextEvidence, stubs: frozenset[str]) -> None:
        self._old, self._new, self._evidence, self._stubs = old, new, evidence, stubs
        self._overlaps = self._compare_same_urls()
        different = {url for url, overlap in self._overlaps.items() if not _is_near(overlap)}
        self._repeated = find_repeated(old, new, different, self._overlaps, stubs, evidence)
        self._open = {url for url, overlap in self._overlaps.items() if url in stubs or is_little(overlap)}
        self._open |= self._repeated
        self._lost = Groups(
            (url, text) for url, text in old.items() if url not in stubs and (url not in new or url in self._open)
        )
        self._found = Groups(
            (url, text)
            for url, text in new.items()
            if url not in self._repeated and (url not in old or url in self._open)
        )
        self._moves: list[PageStep] = []

    def steps(self, pointers: Mapping[str, Pointer]) -> list[PageStep]:
        """Pair the pages, and return their steps."""
        lost, found, evidence = self._lost, self._found, self._evidence
        self._moves += follow_pointers(pointers, self._old, self._new, lost, found, evidence)
        for text in sorted(lost.texts & found.texts):
            self._moves += (PageStep("moved", *pair) for pair in pair_pages(lost, text, found, text, last=self._open))
        for least in _STEPS_DOWN:
            if least == NEAR:
                lost.drop({url for url in self._open if not self._is_stub(url)})
                found.drop(self._open - self._stubs)
            self._moves += _pair_near(lost, found, evidence, least, self._open)
        self._moves += pair_parts(lost, found, evidence)
        return [*self._moves, *self._stay(), *self._leave(pointers), *self._come()]

    def _compare_same_urls(self) -> dict[str, Overlap | None]:
        """Return the URLs whose text changed, with the overlap of both texts; None if one is blank."""
        old, new = self._old, self._new
        changed = sorted(old.keys() & new.keys())
        # a blank text has no features, so it shares none and needs no counting
        counted = {
            url: (one, other) for url in changed if (one := old[url]) is not None and (other := new[url]) is not None
        }
        return dict.fromkeys(changed) | dict(zip(counted, self._evidence.overlaps(list(counted.values())), strict=True))

    def _stay(self) -> Iterator[PageStep]:
        """Yield the steps of URLs in both sweeps that no page left or came to."""
        for url in self._overlaps.keys() - self._open:
            yield PageStep("changed", url, url, self._overlaps[url])

    def _leave(self, pointers: Mapping[str, Pointer]) -> Iterator[PageStep]:
        """Yield the steps of the old pages of open URLs, except moves, and of the texts that replaced them."""
        merged = find_merged(self._lost, self._old, self._new, self._evidence)
        left, reached = ({getattr(step, side) for step in self._moves} for side in ("old", "new"))
        for url in {*self._old.keys() - self._new.keys(), *self._open}:
            if url in self._stubs:
                if url not in self._new:
                    yield PageStep("gone", url, None, None, STUB)
                elif url not in reached:
                    is_stub = url in self._repeated or not is_little(self._overlaps[url])
                    yield PageStep("replaced", url, url, None, STUB) if is_stub else PageStep("new", None, url)
                continue
            is_away = url in left
            if not is_away and url in self._new and url not in (reached | merged.keys() | self._repeated):
                yield PageStep("changed", url, url, self._overlaps[url])
                continue
            if not is_away:
                remark = merged.get(url) or (pointers[url].remark if url in pointers else None)
                yield PageStep("gone", url, None, None, remark)
            if url in self._new and url not in reached:
                yield self._replace(url)

    def _replace(self, url: str) -> PageStep:
        return PageStep("replaced", url, url, None, STUB if self._is_stub(url) else None)

    def _is_stub(self, url: str) -> bool:
        """Return whether the new text at a URL that a page left is a stub."""
        overlap = self._overlaps[url]
        return url in self._repeated or is_short(overlap)

    def _come(self) -> Iterator[PageStep]:
        """Yield the steps of pages at URLs that are in the new sweep only, except moves."""
        split = find_split(self._found, self._old, self._new, self._evidence)
        for url in self._found.urls():
            if url not in self._old:
                yield PageStep("new", None, url, None, split.get(url))


def _is_near(overlap: Overlap | None) -> bool:
    return overlap is not None and overlap.exact >= Fraction(1, 2)


def _pair_near(
    lost: Groups, found: Groups, evidence: TextEvidence, least: Fraction, last: set[str]
) -> Iterator[PageStep]:
    """Pair pages with texts of at least a resemblance: the nearest first, then those that share a name, then by URL."""
    places, other_places = _places(lost), _places(found)

    def rank(candidate: tuple[tuple[str, str], Overlap]) -> tuple[Fraction, bool, str, str]:
        (one, other), overlap = candidate
        (url, names), (other_url, other_names) = places[one], other_places[other]
        return -overlap.exact, names.isdisjoint(other_names), url, other_url

    pairs = list(_share_names(lost, found))
    # two texts without features have a resemblance of 1, which is no evidence
    named = zip(pairs, evidence.overlaps(pairs), strict=True)
    near = {pair: overlap for pair, overlap in named if overlap.shared and overlap.exact >= least}
    if least >= NEAR:
        near |= {(one, other): overlap for one, other, overlap in evidence.near(lost.texts, found.texts, least)}
    for (one, other), overlap in sorted(near.items(), key=rank):
        for pair in pair_pages(lost, one, found, other, last=last):
            yield PageStep("moved+changed", *pair, overlap)


def _places(groups: Groups) -> dict[str, tuple[str, set[str]]]:
    """Return the first URL and the names of the pages of each text."""
    return {
        text: (min(urls), {name_page(url).name for url in urls}) for text in groups.texts if (urls := groups.of(text))
    }


def _share_names(lost: Groups, found: Groups) -> Iterable[tuple[str, str]]:
    """Yield pairs of texts whose pages share a name that no other page of their side has."""
    sides = []
    for groups in (lost, found):
        count = Counter(name_page(url).name for url in groups.urls())
        names = ((name_page(url).name, text) for text in groups.texts for url in groups.of(text))
        sides.append({name: text for name, text in names if name and count[name] == 1})
    one, other = sides
    yield from ((one[name], other[name]) for name in sorted(one.keys() & other.keys()))
