"""Cells that several tables share."""

from typing import Any


def write_estimate(estimate: dict[str, Any]) -> str:
    """Write a ratio with its interval, rounded outwards; a dash if the labels do not determine the ratio."""
    if estimate["value"] is None:
        return "-"
    low, high = (round(estimate[end] * 1_000_000) for end in ("low", "high"))
    return f"{estimate['value']:.3f} ({low // 10_000 / 100:.2f}-{-(-high // 10_000) / 100:.2f})"
