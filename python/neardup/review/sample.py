"""The sample of a review: pairs drawn from each stratum, in the order in which they are shown."""

import heapq
import json
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from hashlib import blake2b
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from neardup.allowed import check
from neardup.errors import DataError, EnvironmentFault, UsageError
from neardup.evaluation.listed_pair import COUNTS, Key, ListedPair, ratio
from neardup.inputs.document import Document
from neardup.inputs.sources import refuse_special
from neardup.output.folders import write_rows
from neardup.review.measure import Score
from neardup.review.strata import Strata

DOCUMENT = ("id", "url", "time", "text")


class SampledPair(NamedTuple):
    """A pair: its number in the sample, from 1, both documents, the evidence, its stratum, from 0, and its score.

    The score is from 0 to 1, the more the more alike; that of a resemblance is the resemblance itself.
    """

    number: int
    left: Document
    right: Document
    rule: str
    shared: int
    left_size: int
    right_size: int
    stratum: int
    score: Fraction

    @property
    def key(self) -> Key:
        """The ids of both documents."""
        return str(self.left.id), str(self.right.id)

    @property
    def resemblance(self) -> Fraction:
        """The share of their features that both documents have."""
        return Fraction(*ratio(self.shared, self.left_size, self.right_size))


Scored = tuple[ListedPair, Score]
"""A pair with its score."""


def write_sample(path: Path, pairs: Iterable[Scored], documents: Mapping[str, Document]) -> None:
    """Write the pairs of a sample with their documents, one a line."""
    write_rows(path, (_row(pair, score, documents) for pair, score in pairs))


def read_file(path: Path) -> bytes:
    """Read the file of a sample."""
    refuse_special(path)
    try:
        return path.read_bytes()
    except OSError as error:
        raise EnvironmentFault(f"{path} cannot be read: {error.strerror}") from error


def parse_sample(files: Iterable[tuple[Path, bytes]], strata: Strata) -> list[SampledPair]:
    """Parse the files of a sample. Raises `DataError`, which names the line, for an invalid or repeated pair."""
    pairs: list[SampledPair] = []
    seen = set[Key]()
    for path, content in files:
        before = len(pairs)
        for pair in _pairs(path, content.splitlines(keepends=True), strata):
            if pair.key in seen:
                raise DataError(f"{path}, line {pair.number}: the pair is there already")
            seen.add(pair.key)
            pairs.append(pair._replace(number=before + pair.number))
    return pairs


def _row(pair: ListedPair, score: Score, documents: Mapping[str, Document]) -> dict[str, Any]:
    sides = {
        side: {name: getattr(documents[key], name) for name in DOCUMENT}
        for side, key in (("left", pair.left), ("right", pair.right))
    }
    return pair._asdict() | {"score": str(Fraction(*score))} | sides


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
    # a sample of version 1 has pairs of resemblance only
    score = Fraction(row["score"]) if "score" in row else Fraction(*ratio(shared, left_size, right_size))
    stratum = strata.place(*score.as_integer_ratio())
    if not 0 <= shared <= min(left_size, right_size) or stratum < 0 or score > 1:
        raise ValueError(f"{shared} shared of {left_size} and {right_size}, with a score of {score}")
    return SampledPair(number, left, right, row["rule"], shared, left_size, right_size, stratum, score)


MOST_SEED = LOW_BITS = 2**64
Drawn = tuple[int, Scored]
"""A pair with its number in the draw, negated."""


def check_draw(each: int, seed: int) -> None:
    """Raise `UsageError` for an `each` below 1, and for a seed that is not from 0 to below 2^64."""
    if each < 1:
        raise UsageError(f"each is {each}; allowed are 1 and more")
    if not 0 <= seed < MOST_SEED:
        raise UsageError(f"seed is {seed}; allowed are whole numbers from 0, below 2^64")


def draw_sample(pairs: Iterable[Scored], strata: Strata, each: int, seed: int) -> list[Scored]:
    """Draw `each` pairs of every stratum, or all of a smaller one, in one pass over the pairs.

    The pairs whose ids have the smallest hashes, keyed by the seed, are drawn: the sample does not depend on the order
    of the pairs. It takes a pair of each stratum in turn until none is left, so that a reviewer who stops early has
    seen pairs of all strata.
    """
    # numbers are negated, so that the largest number of each stratum is at the top of its heap
    drawn: list[list[Drawn]] = [[] for _ in range(len(strata))]
    for pair, score in pairs:
        heap = drawn[strata.place(*score)]
        entry = (-_number(seed, pair.left, pair.right), (pair, score))
        if len(heap) < each:
            heapq.heappush(heap, entry)
        else:
            heapq.heappushpop(heap, entry)
    rounds = zip_longest(*(sorted(heap, reverse=True) for heap in drawn))
    # within a round other bits of the numbers decide the order, so that the place of a pair does not reveal its stratum
    return [
        pair
        for one_round in rounds
        for _, pair in sorted(filter(None, one_round), key=lambda entry: (-entry[0] % LOW_BITS, entry[1]))
    ]


def _number(seed: int, left: str, right: str) -> int:
    """Return the number of a pair in the draw, of 128 bits."""
    first = left.encode()
    # the length marks the end of the first id
    content = b"%d:%b%b" % (len(first), first, right.encode())
    return int.from_bytes(blake2b(content, digest_size=16, key=b"%d" % seed).digest())
