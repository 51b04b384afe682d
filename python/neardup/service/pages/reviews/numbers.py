"""Numbers as people enter them in forms."""

import re

from neardup.errors import UsageError


def read_whole(name: str, written: str, most: int = 2**64 - 1) -> int:
    """Read a whole number; the code that uses it checks any other condition."""
    if not re.fullmatch("[0-9]{1,20}", written.strip()) or int(written) > most:
        raise UsageError(f"{name}: {written!r}; allowed are whole numbers up to {most}")
    return int(written)


def read_decimal(name: str, written: str) -> str:
    """Read a decimal of at most six places, below a million; the code that uses it checks any other condition."""
    if not re.fullmatch("[0-9]{0,6}[.]?[0-9]{1,6}", written.strip()):
        raise UsageError(f"{name}: {written!r}; allowed are numbers with at most six places")
    return written.strip()


def read_share(name: str, written: str) -> str:
    """Read a decimal of at most six places.

    Exponents are refused, because a large one would take for ever to write out.
    """
    if not re.fullmatch("[01]?[.]?[0-9]{1,6}", written.strip()):
        raise UsageError(f"{name}: {written!r}; allowed are numbers from 0 to 1 with at most six places")
    return written.strip()
