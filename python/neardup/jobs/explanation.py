"""Why two texts are, or are not, near-duplicates."""

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from neardup import _core
from neardup.allowed import allow
from neardup.inputs.document import Document
from neardup.schemes.defaults import DEFAULT_THRESHOLD
from neardup.schemes.line import write_scheme
from neardup.schemes.number import Number
from neardup.schemes.plan import plan_scheme


class Span(NamedTuple):
    """A stretch of the original text, half open, in bytes of UTF-8 and in code points."""

    bytes: tuple[int, int]
    chars: tuple[int, int]


class Passage(NamedTuple):
    """A stretch of tokens that occurs in both texts."""

    tokens: int
    left: Span
    right: Span


class Change(NamedTuple):
    """A piece of the word by word difference."""

    kind: Literal["equal", "removed", "added"]
    text: str


class Condition(NamedTuple):
    """A condition that a scheme sets for a pair, and whether two texts meet it.

    `value` is for display: a number of bits for `hamming` and `agree`, the estimate from the signatures for an
    estimate. It is None for `equal`, and if a text has nothing to be compared by.
    """

    test: str
    value: float | None
    holds: bool


class Explanation(NamedTuple):
    """The evidence for a pair. Counts are exact, and decide; the ratios are for display, None without features."""

    scheme: str
    rule: str | None
    left_tokens: int
    right_tokens: int
    shared: int
    left_size: int
    right_size: int
    left_frame: int
    right_frame: int
    conditions: list[Condition]
    resemblance: float | None
    left_in_right: float | None
    right_in_left: float | None
    passages: list[Passage]
    left_covered: int
    right_covered: int
    changes: list[Change]
    changes_cut: bool
    measures: dict[str, float | None]


@allow
def explain(
    left: str | Document,
    right: str | Document,
    *,
    scheme: str | _core.Scheme | None = None,
    threshold: Number | None = None,
    measures: Iterable[str] = (),
) -> Explanation:
    """Compare two texts: scores, containments, shared passages with their spans, and the difference.

    `measures` names further measures to compute: bag, cosine, distinct, euclidean, lcs, levenshtein, sim; those of
    sequences with a unit, as "lcs:chars" or "levenshtein:jamo". `rule` is None if the scheme's measure is not met.
    Raises `UsageError` for a wrong scheme, threshold or measure.
    """
    import json

    default = DEFAULT_THRESHOLD if threshold is None else threshold
    line = str(plan_scheme(default)) if scheme is None else write_scheme(scheme, threshold)
    found: dict[str, Any] = json.loads(_core.explain(_text(left), _text(right), line))
    passages = [Passage(one["tokens"], _span(one["left"]), _span(one["right"])) for one in found.pop("passages")]
    changes = [Change(one["kind"], one["text"]) for one in found.pop("changes")]
    conditions = [Condition(**one) for one in found.pop("conditions")]
    values = {name: _core.measure(_text(left), _text(right), line, name) for name in measures}
    return Explanation(passages=passages, changes=changes, conditions=conditions, measures=values, **found)


def write_value(value: float) -> str:
    """Write the value of a measure with at most four decimals."""
    return f"{value:.4f}".rstrip("0").rstrip(".")


def _text(side: str | Document) -> str:
    return side if isinstance(side, str) else side.text


def _span(found: dict[str, list[int]]) -> Span:
    [first, last], [begin, end] = found["bytes"], found["chars"]
    return Span((first, last), (begin, end))
