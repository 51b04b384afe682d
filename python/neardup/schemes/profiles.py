"""Profiles: a scheme for each kind of text that the default is not made for, chosen by labelled sets.

    neardup.find_pairs(texts, scheme=neardup.schemes.profiles.short())

On the command line a profile is chosen by its name: `--scheme short`. Reasons and figures: docs/guides/profiles.md.
"""

from collections.abc import Callable

from neardup._core import Scheme
from neardup.allowed import allow
from neardup.schemes.number import Number


@allow
def noisy(threshold: Number = "0.5", w: int = 5) -> Scheme:
    """Find copies with mistakes all over, as scanned and recognised text has them: a mistake costs w characters."""
    return _bands("chars", f"shingles:{w}", threshold)


@allow
def short(threshold: Number = "0.65", w: int = 3) -> Scheme:
    """Find retyped copies of a line or two, as reviews, titles and messages; none is missed, since sets are small."""
    return Scheme(f"chars | shingles:{w} | whole | prefix:{threshold} | resemblance>={threshold}")


@allow
def code(threshold: Number = "0.4", w: int = 4, comments: str = "c+shell+html") -> Scheme:
    """Find copies of source files, laid out anew, renamed in part or edited: operators count, white space does not.

    `comments` are the styles of comments that are left out; an empty string keeps all.
    """
    return _bands(f"code comments={comments}" if comments else "code", f"shingles:{w}", threshold)


@allow
def web(threshold: Number = "0.8", w: int = 5, frame: Number = "0.05") -> Scheme:
    """Find copies of web pages by what is their own: what more than a share of a host's pages hold is left out."""
    return _bands("words", f"shingles:{w} frame={frame}", threshold)


def _bands(unit: str, features: str, threshold: Number) -> Scheme:
    return Scheme(f"{unit} | {features} | minhash:auto | bands:auto | resemblance>={threshold}")


PROFILES: dict[str, Callable[[], Scheme]] = {function.__name__: function for function in (noisy, short, code, web)}
"""The profiles by the names that the command line knows."""
