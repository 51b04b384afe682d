"""The settings of a review: how its pairs were listed, and how its sample was drawn."""

import json
import re
from fractions import Fraction
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from neardup.allowed import check, check_count
from neardup.errors import DataError, EnvironmentFault, UsageError
from neardup.inputs.sources import refuse_special
from neardup.output.json import write_json
from neardup.output.replaced import replace_file
from neardup.review.measure import Measure, restore_measure
from neardup.review.sample import check_draw
from neardup.review.strata import Strata

FILE = "review.json"
VERSION = 2
KNOWN = (1, VERSION)
"""Versions that are read; of version 1, every review is of resemblance."""
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Settings(NamedTuple):
    """The content of review.json. The numbers that decide are strings, which are exact.

    `scheme` listed the pairs from `floor` on. `threshold` is that of the scheme under review; pairs below it are
    near-misses. Both are values of `measure`; a distance has the score 0 at `limit`, and any other measure the score 1.
    `width` is one of scores. `notes` are for the readers of the figures. `check` is a digest of all settings and the
    sample; None in a review that an earlier build made. `draws` has the larger values that `each` had in later draws,
    and `indexes` the folders of the indexes whose documents were compared; both are missing if they are empty.
    """

    version: int
    neardup: str
    created: str
    scheme: str
    threshold: str
    floor: str
    width: str
    each: int
    seed: int
    documents: int
    pairs: int
    notes: list[str]
    check: str | None = None
    measure: str = "resemblance"
    limit: str = "1"
    draws: list[int] = []  # noqa: RUF012 - a tuple would not be what JSON has
    indexes: list[str] = []  # noqa: RUF012

    @property
    def most(self) -> int:
        """The largest number of pairs that were drawn from a stratum."""
        return self.draws[-1] if self.draws else self.each

    def names_same_review(self, other: "Settings") -> bool:
        """Return whether both are settings of one review, to which more pairs may have been drawn between them."""
        return all(getattr(self, name) == getattr(other, name) for name in _IDENTITY)

    def written(self) -> dict[str, Any]:
        """Return the content of review.json."""
        return {name: value for name, value in self._asdict().items() if value or name not in ("draws", "indexes")}

    def strata(self) -> Strata:
        """Return the strata that the settings describe."""
        measure = self.measured()
        floor, threshold = (measure.score(Fraction(one)) for one in (self.floor, self.threshold))
        return Strata(floor, self.width, threshold, measure.write)

    def measured(self) -> Measure:
        """Return the measure under review."""
        return restore_measure(self.measure, Fraction(self.limit))

    def checked(self, sample: bytes) -> "Settings":
        """Return the settings with the digest of them and of the content of the sample."""
        content = self._replace(check=None).written()
        if self.version == 1:
            content = {name: value for name, value in content.items() if name not in ("measure", "limit")}
        own = write_json(content).encode()
        return self._replace(check=blake2b(b"%d:%b%b" % (len(own), own, sample), digest_size=16).hexdigest())


_IDENTITY = ("created", "scheme", "threshold", "floor", "width", "each", "seed", "documents", "pairs")


def write_settings(folder: Path, settings: Settings) -> None:
    """Write review.json, which makes a folder a review, in the place of the previous one if there is one."""
    replace_file(folder / FILE, f"{write_json(settings.written())}\n")


def read_settings(folder: Path) -> Settings:
    """Read review.json. Raises `UsageError` if there is none, `DataError` if it is of another version or damaged."""
    path = folder / FILE
    refuse_special(path)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["version"] not in KNOWN:
            raise DataError(f"{path}: the version is {content['version']}; this neardup reads {VERSION}")
        settings = Settings(**content)
        _check_types(settings)
        # this refuses what is no number
        settings.strata()
    except FileNotFoundError:
        raise UsageError(f"{folder}: not a review of neardup (it has no {FILE})") from None
    except OSError as error:
        raise EnvironmentFault(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, TypeError, KeyError, ArithmeticError, RecursionError):
        raise DataError(f"{path}: not the settings of a review") from None
    return settings


def _check_types(settings: Settings) -> None:
    """Raise `TypeError` for a value that does not have the type of its field, and for a number that is not allowed."""
    try:
        for name, kind in Settings.__annotations__.items():
            check(name, getattr(settings, name), kind)
        check_draw(settings.each, settings.seed)
        check_count("documents", settings.documents, 0)
        check_count("pairs", settings.pairs, 0)
        if any(after <= before for before, after in pairwise([settings.each, *settings.draws])):
            raise TypeError("draws are not ascending")
    except UsageError as error:
        raise TypeError(str(error)) from None


def check_name(name: str) -> str:
    """Return `name` unchanged. Raises `UsageError` unless it is 1 to 64 letters of ASCII, digits, - and _."""
    if not NAME.fullmatch(name):
        raise UsageError(f"the name is {name!r}; allowed are 1 to 64 letters (A to Z, a to z), digits, - and _")
    return name
