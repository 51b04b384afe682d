"""The cells that several tables have."""

from typing import Any


def write_estimate(estimate: dict[str, Any]) -> str:
    """Write a ratio with its interval, whose ends are rounded outwards; a dash when the labels do not determine it."""
    if estimate["value"] is None:
        return "-"
    low, high = (round(estimate[end] * 1_000_000) for end in ("low", "high"))
    return f"{estimate['value']:.3f} ({low // 10_000 / 100:.2f}-{-(-high // 10_000) / 100:.2f})"
