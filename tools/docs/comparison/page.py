"""The page docs/compare.md, and the functions that write its generated parts."""

from pathlib import Path

from comparison import classics, settings, swaps

PAGE = Path(__file__).parents[3] / "docs" / "compare.md"

PARTS = {
    "overview": classics.write_overview,
    "distances": settings.write_distances,
    "weights": settings.write_weights,
    "rules": settings.write_rules,
    "swaps": swaps.write_swaps,
    "details": classics.write_details,
}
"""The generated parts, by the names of their marks."""
