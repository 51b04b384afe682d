"""Shares of feature sets, for display."""


def share(part: int, whole: int) -> float:
    """Divide, rounded to six places; two empty sets are equal."""
    return round(part / whole, 6) if whole else 1.0
