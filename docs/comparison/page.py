"""The page: written by hand, with generated parts in it."""

from collections.abc import Mapping
from pathlib import Path

from comparison import classics, settings, swaps

PAGE = Path(__file__).parent.parent / "compare.md"

PARTS = {
    "overview": classics.write_overview,
    "distances": settings.write_distances,
    "weights": settings.write_weights,
    "rules": settings.write_rules,
    "swaps": swaps.write_swaps,
    "details": classics.write_details,
}
"""The generated parts, by the names of their marks."""


def fill(page: str, parts: Mapping[str, str]) -> str:
    """Put every part between its marks, `<!-- NAME -->` and `<!-- end of NAME -->`.

    Raises `ValueError` when the marks of a part do not stand in the page, in this order and once.
    """
    for name, text in parts.items():
        first, last = f"<!-- {name} -->", f"<!-- end of {name} -->"
        before, _, rest = page.partition(first)
        _, found, after = rest.partition(last)
        if not found or page.count(first) + page.count(last) != 2:
            raise ValueError(f"the page should have {first} and behind it {last}, each once")
        page = f"{before}{first}\n\n{text}\n\n{last}{after}"
    return page
