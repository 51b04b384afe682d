"""Tables and progress for the terminal."""

import statistics
import sys
from collections.abc import Sequence
from typing import Any


def say(line: str) -> None:
    """Print progress to standard error, so that standard output contains only the report."""
    print(line, file=sys.stderr, flush=True)


def spread(values: Sequence[float], digits: int) -> str:
    """Return the median with the least and the largest: 3.21 (3.10-3.50)."""
    middle = f"{statistics.median(values):.{digits}f}"
    return middle if len(values) == 1 else f"{middle} ({min(values):.{digits}f}-{max(values):.{digits}f})"


def portion(value: float | None) -> str:
    """Return a share with four digits, cut and not rounded, so that 1.0000 means all."""
    return "-" if value is None else f"{int(value * 10_000) / 10_000:.4f}"


def count(value: int | None) -> str:
    """Return a number with commas."""
    return "-" if value is None else f"{value:,}"


def ratio(result: dict[str, Any], base: dict[str, Any] | None, cost: str) -> str:
    """Return the median cost of a tool divided by that of another; a dash if the other did not run."""
    if base is None:
        return "-"
    return f"{statistics.median(result[cost]) / statistics.median(base[cost]):.1f}"


def lay_out(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as lines with aligned columns: the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def render(results: Sequence[dict[str, Any]], base: str) -> str:
    """Return the table of all tools; columns headed `/ base` are medians divided by that of the tool `base`."""
    good = {result["tool"]: result for result in results if "failure" not in result}
    head = ["tool", "wall s", f"/ {base}", "cpu s", "peak MB", f"/ {base}", "pairs", "recall", "precision"]
    head += ["removed", "recall", "precision", "lost", "unverified", "wrong counts"]
    rows = [head]
    for result in results:
        name = result["tool"]
        if name not in good:
            rows.append([name, result["failure"], *[""] * (len(head) - 2)])
            continue
        quality = result["quality"]
        rows.append(
            [
                name,
                spread(result["wall"], 2),
                ratio(result, good.get(base), "wall"),
                spread(result["cpu"], 1),
                spread([peak / 1e6 for peak in result["peak"]], 0),
                ratio(result, good.get(base), "peak"),
                count(quality.get("pairs")),
                portion(quality.get("pair_recall")),
                portion(quality.get("pair_precision")),
                count(quality.get("removed")),
                portion(quality.get("removal_recall")),
                portion(quality.get("removal_precision")),
                count(quality.get("lost")),
                count(quality.get("unverified")),
                count(quality.get("wrong_counts")),
            ]
        )
    return lay_out(rows)
