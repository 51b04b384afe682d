"""Schemes by name: profiles and classics."""

from collections.abc import Callable
from difflib import get_close_matches

from neardup._core import Scheme
from neardup.classics import CLASSICS, banding
from neardup.errors import UsageError
from neardup.profiles import PROFILES

NAMED = {**PROFILES, **CLASSICS}


def find_named(name: str) -> Scheme:
    """Give the profile or classic of this name; `UsageError` lists the near names."""
    if name in NAMED:
        return NAMED[name]()
    near = get_close_matches(name, NAMED, n=3, cutoff=0.4) or list(NAMED)
    raise UsageError(f"there is no scheme {name!r}; near are {', '.join(near)}; or write a line, as in {banding()}")


def describe(named: dict[str, Callable[[], Scheme]]) -> list[tuple[str, str, str]]:
    """List schemes as (name, line, meaning), each with its defaults."""
    return [(name, str(make()), (make.__doc__ or "").partition("\n")[0]) for name, make in named.items()]
