"""What is drawn of a review: its settings, and its sample, which grows when more pairs are drawn."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from neardup.errors import DataError, EnvironmentFault, UsageError
from neardup.evaluation.listed_pair import Key
from neardup.review.sample import SampledPair, parse_sample, read_file
from neardup.review.settings import FILE, Settings, read_settings

RUN, SAMPLE, DRAWS = "run", "sample.jsonl", "draws"
"""The folder of the listed pairs, the file of those that were drawn first, and the folder of later draws."""


class Drawn(NamedTuple):
    """The settings, the drawn pairs in the order in which they are labelled, and the ids of each.

    `version` is that of review.json, which is replaced when the files of a draw are complete.
    """

    settings: Settings
    sample: list[SampledPair]
    keys: frozenset[Key]
    version: tuple[int, int]


def sample_files(folder: Path, settings: Settings) -> Iterator[Path]:
    """Yield the files of a sample, in the order of their pairs."""
    yield folder / SAMPLE
    for each in settings.draws:
        yield draw_file(folder, each)


def draw_file(folder: Path, each: int) -> Path:
    """Return the path of the pairs that a draw of `each` pairs of a stratum has added."""
    return folder / DRAWS / f"{each}.jsonl"


def read_drawn(folder: Path) -> Drawn:
    """Read what is drawn. Raises `UsageError` if the folder is not a review, `DataError` if a file is damaged."""
    # before the file is read: if it is replaced meanwhile, it is read once more later
    version = version_of(folder)
    settings = read_settings(folder)
    files = [(path, read_file(path)) for path in sample_files(folder, settings)]
    sample = parse_sample(files, settings.strata())
    if settings.check not in (None, settings.checked(b"".join(content for _, content in files)).check):
        names = " and ".join([FILE, *(str(path.relative_to(folder)) for path, _ in files)])
        raise DataError(f"{folder}: {names} are not as they were written")
    if not sample and settings.pairs:
        raise DataError(f"{folder / SAMPLE}: no pairs, of {settings.pairs:,} that were listed")
    return Drawn(settings, sample, frozenset(pair.key for pair in sample), version)


def version_of(folder: Path) -> tuple[int, int]:
    """Return the version of review.json; a file that has replaced another one has another version."""
    try:
        status = (folder / FILE).stat()
    except FileNotFoundError:
        raise UsageError(f"{folder}: not a review of neardup (it has no {FILE})") from None
    except OSError as error:
        raise EnvironmentFault(f"{folder / FILE} cannot be read: {error.strerror}") from error
    return status.st_ino, status.st_mtime_ns


class GrowingSample:
    """What is drawn of a review at each moment, for many threads: pairs that any process draws are there at once."""

    def __init__(self, folder: Path) -> None:
        """Read what is drawn now."""
        self._folder = folder
        self._drawn = read_drawn(folder)

    def now(self) -> Drawn:
        """Return what is drawn now. Raises `DataError` if another review is in the folder."""
        drawn = self._drawn
        if version_of(self._folder) != drawn.version:
            fresh = read_drawn(self._folder)
            if not fresh.settings.names_same_review(drawn.settings):
                raise DataError(f"{self._folder}: another review has replaced this one; open it anew")
            self._drawn = drawn = fresh
        return drawn
