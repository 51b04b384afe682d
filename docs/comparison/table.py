"""Tables in Markdown, and the cells that several of them have."""

from collections.abc import Iterable
from typing import Any


def write_table(head: list[str], rows: Iterable[list[str]]) -> str:
    """Write a table, a line for each row."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def write_estimate(estimate: dict[str, Any]) -> str:
    """Write a ratio with its interval, whose ends are rounded outwards; a dash when the labels cannot tell it."""
    if estimate["value"] is None:
        return "-"
    low, high = (round(estimate[end] * 1_000_000) for end in ("low", "high"))
    return f"{estimate['value']:.3f} ({low // 10_000 / 100:.2f}-{-(-high // 10_000) / 100:.2f})"
