"""The line of a scheme, a profile or a classic."""

from neardup._core import Scheme
from neardup.allowed import check
from neardup.errors import UsageError
from neardup.schemes.number import Number, write_number


def write_scheme(scheme: str | Scheme, threshold: Number | None = None, recall: Number | None = None) -> str:
    """Write a scheme as its line; `str` without a `|` names a profile or classic, `threshold` replaces that of a name.

    Raises `UsageError` for an unknown name, with near ones, and for a threshold or a recall that the scheme states.
    """
    check("scheme", scheme, str | Scheme)
    line = str(scheme)
    bound = None if threshold is None else write_number(threshold, "threshold")
    if "|" not in line:
        # the classics and difflib take milliseconds to import
        from neardup.schemes.named import find_named

        named = str(find_named(line, bound))
        if recall is not None:
            raise UsageError(f"the scheme {line} states its own keys: leave out recall")
        return named
    if bound is not None:
        raise UsageError("a scheme line states its own threshold: write it there, and leave out threshold")
    if recall is not None and "auto" not in line:
        raise UsageError("a scheme line states its own keys: leave out recall, or write auto where it is to choose")
    return line
