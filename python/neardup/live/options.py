"""What an index can be told when it is made."""

from typing import Literal, NamedTuple, TypedDict

from neardup import _core
from neardup.allowed import check_count, check_options
from neardup.errors import UsageError
from neardup.live.age import parse_age
from neardup.scheme import Number, plan_scheme, write_scheme

Policy = Literal["first", "earliest"]

PARTS = "words | shingles:5 | moduli:32 | each | containment>=0.5"
"""The scheme of parts when none is named: it fits the default scheme."""
MOST_FOLDERS = 1024


class IndexOptions(TypedDict, total=False):
    """Options of an index; each has a default."""

    scheme: str | _core.Scheme | None
    """A scheme of one pass, or the name of a classic; it excludes threshold, and recall unless it says `auto`."""
    threshold: Number | None
    """Resemblance from which two documents are near-duplicates (0.8)."""
    recall: Number | None
    """Probability of finding a pair exactly at the threshold (0.99), or "exact"."""
    parts: bool | str | _core.Scheme
    """A second table that finds texts in one another, whatever their sizes (False); or its scheme."""
    policy: Policy
    """Which of several is kept: the one that came `first` (the default), or the `earliest` by its time."""
    ttl: int | str | None
    """How long a document counts after it came, in seconds or as "30d"; None for ever."""
    most: int | None
    """How many documents are kept at most: the oldest go while more are, copies do not count; None for all."""
    folders: int | None
    """Over how many folders the keys and the texts are split; None for one that is whole."""


class Setup(NamedTuple):
    """The options as the core takes them."""

    scheme: str
    parts: str | None
    policy: Policy
    ttl: int | None
    most: int | None
    folders: int | None


def set_up(options: IndexOptions) -> Setup:
    """Read options; `UsageError` names a wrong one and what is allowed."""
    check_options(options, IndexOptions)
    most, parts, ttl = options.get("most"), options.get("parts", False), options.get("ttl")
    if most is not None:
        check_count("most", most)
    folders = options.get("folders")
    if folders is not None:
        check_count("folders", folders, 1, MOST_FOLDERS)
    policy = options.get("policy", "first")
    if policy not in ("first", "earliest"):
        raise UsageError(f"policy is {policy!r}; allowed are first, earliest")
    part_line = None if parts is False else PARTS if parts is True else write_scheme(parts)
    return Setup(_line(options), part_line, policy, None if ttl is None else parse_age(ttl), most, folders)


def _line(options: IndexOptions) -> str:
    scheme, threshold, recall = options.get("scheme"), options.get("threshold"), options.get("recall")
    if scheme is None:
        return str(plan_scheme(0.8 if threshold is None else threshold, 0.99 if recall is None else recall))
    return write_scheme(scheme, threshold, recall)
