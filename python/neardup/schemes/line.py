"""The line of a scheme, a profile or a classic."""

from neardup._core import Scheme
from neardup.allowed import check
from neardup.errors import UsageError
from neardup.schemes.number import Number, write_number

_OF_SOURCE_CODE = "code"
"""Name of the profile for source files."""


def compares_source_code(scheme: object) -> bool:
    """Return whether a scheme is the profile for source files, by its name or its first stages."""
    if scheme == _OF_SOURCE_CODE or not isinstance(scheme, Scheme):
        return scheme == _OF_SOURCE_CODE
    from neardup.schemes.profiles import code

    return str(scheme).split(" | ")[:2] == str(code()).split(" | ")[:2]


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
