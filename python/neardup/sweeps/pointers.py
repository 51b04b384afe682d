"""Pages that the site itself names as one: their URLs point to each other."""

from collections.abc import Iterator, Mapping

from neardup.corpus.pointers import Pointer
from neardup.sweeps.kinds import NEAR, Pages, PageStep, TextEvidence
from neardup.sweeps.moves import Groups

_LONGEST = 10
"""Largest number of pointers that are followed one after another, as browsers do with redirects."""


def follow_pointers(
    pointers: Mapping[str, Pointer], old: Pages, new: Pages, lost: Groups, found: Groups, evidence: TextEvidence
) -> Iterator[PageStep]:
    """Pair lost pages with found pages to which their URLs point, if the texts are equal or have something in common.

    Of several pages that point to one, the nearest moved there.
    """
    pairs: list[tuple[str, str]] = []
    texts: list[tuple[str, str]] = []
    for url in sorted(pointers.keys() & old.keys()):
        target = _end(pointers, url)
        one, other = old[url], new.get(target)
        if one is None or other is None or target == url:
            continue
        if lost.has(one, url) and found.has(other, target):
            pairs.append((url, target))
            texts.append((one, other))
    overlaps = evidence.overlaps(texts)
    ranked = sorted(
        (texts[at][0] != texts[at][1], -overlap.exact, *pairs[at], at, overlap) for at, overlap in enumerate(overlaps)
    )
    for is_changed, _, url, target, at, overlap in ranked:
        one, other = texts[at]
        is_near = not is_changed or (overlap.shared > 0 and overlap.exact >= NEAR / 2)
        if is_near and found.has(other, target):
            lost.take(one, url)
            found.take(other, target)
            counted = overlap if is_changed else None
            yield PageStep("moved+changed" if is_changed else "moved", url, target, counted, pointers[url].how)


def _end(pointers: Mapping[str, Pointer], url: str) -> str:
    """Return the URL to which the pointers lead; the first one if they lead around in a circle."""
    seen = [url]
    while len(seen) <= _LONGEST and (pointer := pointers.get(seen[-1])):
        if pointer.target in seen:
            break
        seen.append(pointer.target)
    return seen[-1]
