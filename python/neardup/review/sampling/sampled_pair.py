"""Pairs of the sample, with their documents as they stood when it was drawn."""

import json
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from neardup.allowed import check
from neardup.errors import DataError, EnvironmentFault, UsageError
from neardup.evaluation.folder import write_rows
from neardup.evaluation.listed_pair import COUNTS, Key, ListedPair, ratio
from neardup.inputs.document import Document
from neardup.inputs.sources import refuse_special
from neardup.review.sampling.strata import Strata

DOCUMENT = ("id", "url", "time", "text")


class SampledPair(NamedTuple):
    """A pair: its number in the sample, from 1, both documents, what the run has found, and its stratum, from 0."""

    number: int
    left: Document
    right: Document
    rule: str
    shared: int
    left_size: int
    right_size: int
    stratum: int

    @property
    def key(self) -> Key:
        """The ids of both documents."""
        return str(self.left.id), str(self.right.id)

    @property
    def resemblance(self) -> Fraction:
        """The share of their features that both have."""
        return Fraction(*ratio(self.shared, self.left_size, self.right_size))


def write_sample(path: Path, pairs: Iterable[ListedPair], documents: Mapping[str, Document]) -> None:
    """Write the pairs of a sample with their documents, one a line."""
    write_rows(path, (_row(pair, documents) for pair in pairs))


def read_file(path: Path) -> bytes:
    """Read the file of a sample."""
    refuse_special(path)
    try:
        return path.read_bytes()
    except OSError as error:
        raise EnvironmentFault(f"{path} cannot be read: {error.strerror}") from error


def parse_sample(path: Path, content: bytes, strata: Strata) -> list[SampledPair]:
    """Read the content of a sample; `DataError` names the line that is no pair, or one that was there before."""
    pairs: list[SampledPair] = []
    seen = set[Key]()
    for pair in _pairs(path, content.splitlines(keepends=True), strata):
        if pair.key in seen:
            raise DataError(f"{path}, line {pair.number}: the pair is there already")
        seen.add(pair.key)
        pairs.append(pair)
    return pairs


def _row(pair: ListedPair, documents: Mapping[str, Document]) -> dict[str, Any]:
    sides = {
        side: {name: getattr(documents[key], name) for name in DOCUMENT}
        for side, key in (("left", pair.left), ("right", pair.right))
    }
    return pair._asdict() | sides


def _pairs(path: Path, lines: Iterable[bytes], strata: Strata) -> Iterator[SampledPair]:
    for number, line in enumerate(lines, 1):
        try:
            if not line.endswith(b"\n"):
                raise ValueError("it has no line end")
            yield _pair(number, json.loads(line.decode()), strata)
        except UnicodeDecodeError:
            raise DataError(f"{path}, line {number}: not UTF-8") from None
        except (UsageError, ValueError, TypeError, KeyError, ArithmeticError, RecursionError) as error:
            raise DataError(f"{path}, line {number}: not a pair of a sample: {error!r}") from None


def _pair(number: int, row: dict[str, Any], strata: Strata) -> SampledPair:
    left, right = (Document(**{name: row[side][name] for name in DOCUMENT}) for side in ("left", "right"))
    for document in (left, right):
        check("id", document.id, str)
        check("text", document.text, str)
        check("url", document.url, str | None)
        check("time", document.time, int | str | None)
    check("rule", row["rule"], str)
    shared, left_size, right_size = (int(row[name]) for name in COUNTS)
    stratum = strata.place(*ratio(shared, left_size, right_size))
    if not 0 <= shared <= min(left_size, right_size) or stratum < 0:
        raise ValueError(f"{shared} shared of {left_size} and {right_size}")
    return SampledPair(number, left, right, row["rule"], shared, left_size, right_size, stratum)
