"""Pages that became a part of another page, and pages that were a part of another one."""

from collections.abc import Collection, Iterator
from fractions import Fraction

from neardup.sweeps.evidence import LEAST_PART, Overlap
from neardup.sweeps.kinds import NEAR, Pages, PageStep, TextEvidence
from neardup.sweeps.moves import Groups, pair_pages

MOST = Fraction(7, 10)
"""Least share of a text that another one contains if it is a part of it."""
_WHOLE = Fraction(9, 10)
"""Least resemblance of a text that is the whole of another one, and no part."""
_KEPT = Fraction(1, 2)
"""Least share of a part that a page had before, or has still, so that nothing was merged or split."""


def pair_parts(lost: Groups, found: Groups, evidence: TextEvidence) -> Iterator[PageStep]:
    """Pair remaining pages of which one is the larger part of the other: those that share most first."""
    candidates = [
        (one, other, overlap)
        for one, other, overlap in evidence.contained(lost.texts, found.texts, MOST)
        if _is_part(overlap) and overlap.exact >= NEAR / 2
    ]
    for one, other, overlap in sorted(candidates, key=lambda found: (-found[2].shared, found[0], found[1])):
        for pair in pair_pages(lost, one, found, other):
            yield PageStep("moved+changed", *pair, overlap)


def find_merged(lost: Groups, old: Pages, new: Pages, evidence: TextEvidence) -> dict[str, str]:
    """Return the remarks of the remaining lost pages whose text is now in another page that did not have it before."""
    fresh = Groups((url, text) for url, text in new.items() if old.get(url) != text)
    wholes = evidence.contained(lost.texts, fresh.texts, MOST)
    return {
        url: f"merged into {other}"
        for url, other in _find_wholes(
            lost, fresh, old, ((part, whole, overlap.left_size, overlap) for part, whole, overlap in wholes), evidence
        )
    }


def find_split(found: Groups, old: Pages, new: Pages, evidence: TextEvidence) -> dict[str, str]:
    """Return the remarks of the remaining found pages whose text was in another page that has it no longer."""
    stale = Groups((url, text) for url, text in old.items() if new.get(url) != text)
    # a copy of a whole page is no part
    wholes = (one for one in evidence.contained(stale.texts, found.texts, MOST) if one[2].exact < _WHOLE)
    return {
        url: f"split from {other}"
        for url, other in _find_wholes(
            found, stale, new, ((part, whole, overlap.right_size, overlap) for whole, part, overlap in wholes), evidence
        )
    }


def _find_wholes(
    parts: Groups,
    wholes: Groups,
    others: Pages,
    candidates: Collection[tuple[str, str, int, Overlap]] | Iterator[tuple[str, str, int, Overlap]],
    evidence: TextEvidence,
) -> Iterator[tuple[str, str]]:
    """Yield the URL of each part with that of its whole: the one that shares most with it.

    The page of the whole must not have the part in the other sweep, whose pages are `others`.
    """
    ranked = sorted(
        (-overlap.shared, part, min(wholes.of(whole)), size)
        for part, whole, size, overlap in candidates
        if size >= LEAST_PART and overlap.shared >= MOST * size
    )
    asked = [(part, text) for _, part, url, _ in ranked if (text := others.get(url)) is not None]
    shared = dict(zip(asked, (overlap.shared for overlap in evidence.overlaps(asked)), strict=True))
    named: set[str] = set()
    for _, part, whole, size in ranked:
        for url in sorted(parts.of(part) - named - {whole}):
            if shared.get((part, others.get(whole) or ""), 0) < _KEPT * size:
                named.add(url)
                yield url, whole


def _is_part(overlap: Overlap) -> bool:
    smaller = min(overlap.left_size, overlap.right_size)
    return smaller >= LEAST_PART and overlap.shared >= MOST * smaller
