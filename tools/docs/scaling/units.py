"""Bytes, times and counts in human-readable form."""

import statistics


def write_bytes(count: float) -> str:
    """Write bytes in powers of 1,000 with three digits."""
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if count < 999.5:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:,.0f} PB" if count >= 999.5 else f"{count:.3g} PB"


def write_time(seconds: float) -> str:
    """Write a time in the largest unit that fits."""
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:.1f} s"


def write_count(count: float) -> str:
    """Write a count in full, or as a power of ten from 10^9 on."""
    if count < 999_999_999.5:
        return f"{count:,.0f}" if count >= 100 else f"{count:.3g}"
    digits, power = f"{count:.2e}".split("e+")
    digits = digits.rstrip("0").rstrip(".")
    return f"10^{int(power)}" if digits == "1" else f"{digits} * 10^{int(power)}"


def write_spread(values: list[float]) -> str:
    """Write the median with minimum and maximum: 3.21 (3.10-3.50)."""
    middle = f"{statistics.median(values):.2f}"
    return middle if len(values) == 1 else f"{middle} ({min(values):.2f}-{max(values):.2f})"
