"""Schemes by name: profiles and classics."""

from collections.abc import Callable
from difflib import get_close_matches
from inspect import signature

from neardup._core import Scheme
from neardup.errors import UsageError
from neardup.schemes.classics import CLASSICS, banding
from neardup.schemes.number import read_number
from neardup.schemes.plan import plan_scheme
from neardup.schemes.profiles import PROFILES

NAMED = {**PROFILES, **CLASSICS}


def find_named(name: str, threshold: str | None = None) -> Scheme:
    """Return the profile or classic of this name, at another threshold if one is given.

    `UsageError` lists the near names, or those that take a threshold.
    """
    if name in NAMED:
        return NAMED[name]() if threshold is None else _at(name, threshold)
    near = get_close_matches(name, NAMED, n=3, cutoff=0.4) or list(NAMED)
    raise UsageError(f"there is no scheme {name!r}; near are {', '.join(near)}; or write a line, as in {banding()}")


def find_threshold(name: str) -> str | None:
    """Return the threshold of a named scheme, which another may replace; None if its measure has none."""
    threshold = signature(NAMED[name]).parameters.get("threshold")
    return None if threshold is None else str(threshold.default)


def _at(name: str, threshold: str) -> Scheme:
    if find_threshold(name) is None:
        own = f"takes no threshold, its measure is {str(NAMED[name]()).rpartition(' | ')[2]}"
        those = ", ".join(f"{one} ({bound})" for one in NAMED if (bound := find_threshold(one)) is not None)
        raise UsageError(f"the scheme {name} {own}; those that take one are {those}")
    if not 0 < read_number(threshold, "threshold") <= 1:
        raise UsageError(f"threshold is {threshold}; it is above 0 and at most 1")
    # bands that were made for one threshold promise nothing at another
    make: Callable[..., Scheme] = plan_scheme if name == "banding" else NAMED[name]
    return make(threshold=threshold)


def describe(named: dict[str, Callable[[], Scheme]]) -> list[tuple[str, str, str]]:
    """List schemes as (name, line, meaning), each with its defaults."""
    return [(name, str(make()), (make.__doc__ or "").partition("\n")[0]) for name, make in named.items()]
