"""The reviews of a service: those in its folder, and the one that is being made."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from threading import Lock
from typing import Any

from neardup.errors import DataError, EnvironmentFault
from neardup.evaluation.listed_pair import Key
from neardup.index.index import Index
from neardup.options.values import ProgressCallback
from neardup.review.agreement import judge
from neardup.review.label_log import Label, LabelLog, Labels
from neardup.review.options import more_of, plan_draw
from neardup.review.review import Review
from neardup.review.settings import FILE, Settings, check_name
from neardup.service.answers import Refusal
from neardup.service.work.background import THREADS, Background, ThreadPool

MOST_EACH = 1000
"""Largest number of pairs of a stratum, because all texts of a sample are in memory."""
ANONYMOUS = "anonymous"
"""Name of the person if no token is needed."""


class Judgements:
    """A log of labels that is created with its first one. Any number of threads may read and add labels."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._log = LabelLog(path)

    def labels(self) -> Labels:
        """Return the valid labels of each pair that has any, by person."""
        return self._log.labels() if self._path.exists() else {}

    def confirm(self, who: str, keys: Iterable[Key]) -> None:
        """Label pairs as duplicates, except those that most people label otherwise; on the disk when this returns.

        A pair that the person has labelled so already gets no second label: after one undo the first would still be
        valid.
        """
        labels = self.labels()
        confirmed = {key for key, one in labels.items() if one.get(who or ANONYMOUS) == "duplicate"}
        settled = find_cut(labels) | confirmed
        self._add(who, [key for key in keys if key not in settled], "duplicate")

    def split(self, who: str, key: Key) -> None:
        """Label a pair as no duplicate; on the disk when this returns."""
        self._add(who, [key], "not")

    def take_back(self, who: str, key: Key) -> None:
        """Undo the last label of a person on a pair."""
        if self._path.exists():
            self._log.undo(who or ANONYMOUS, key)

    def export(self) -> Iterator[dict[str, Any]]:
        """Yield the decided pairs as `evaluate` reads them: a, b and label."""
        for (left, right), by_person in self.labels().items():
            verdict = judge(by_person.values())
            if verdict is not None:
                yield {"a": left, "b": right, "label": int(verdict)}

    def _add(self, who: str, keys: list[Key], label: Label) -> None:
        self._path.touch()
        self._log.add_all(who or ANONYMOUS, keys, label)


def find_cut(labels: Labels) -> set[Key]:
    """Return the pairs that most people label as no duplicates."""
    return {key for key, by_person in labels.items() if judge(by_person.values()) is False}


def next_each(settings: Settings) -> int:
    """Return how many pairs of a stratum the service draws next: no more than before if these are MOST_EACH."""
    return max(settings.most, min(more_of(settings.most), MOST_EACH))


class ReviewFolder:
    """A folder of reviews, each opened when it is first used. Any number of threads may use it.

    All methods except `begin` and `draw` may wait for the disk. A damaged review raises `EnvironmentFault`, because the
    owner of the service has to repair it.
    """

    def __init__(self, folder: Path, index: Index, threads: ThreadPool) -> None:
        self._folder, self._index = folder, index
        self._lock = Lock()
        self._opened: dict[str, tuple[tuple[int, int], Review]] = {}
        self.making = Background[Review](threads)
        """The job that makes a review."""
        self.made = ""
        """The name of the review that is being made, or was made last."""
        self.drawing = Background[int](threads)
        """The job that draws more pairs of a review."""
        self.drawn = ""
        """The name of the review of which pairs are being drawn, or were drawn last."""

    def names(self) -> list[str]:
        """Return the names of the reviews, sorted."""
        return sorted(path.parent.name for path in self._folder.glob(f"*/{FILE}") if "." not in path.parent.name)

    def open(self, name: str) -> Review:
        """Return a review; 404 if there is none. Raises `UsageError` for an invalid name."""
        path = self._folder / check_name(name) / FILE
        with self._lock:
            try:
                status = path.stat()
                # a folder that replaced another is a different review
                version = status.st_ino, status.st_mtime_ns
                if name not in self._opened or self._opened[name][0] != version:
                    self._opened[name] = version, Review.open(path.parent)
            except FileNotFoundError:
                raise Refusal(404, "there is no review of this name") from None
            except DataError as error:
                raise EnvironmentFault(str(error)) from error
            return self._opened[name][1]

    def begin(self, name: str, **options: Any) -> None:
        """Start making a review of the index as it is now; 409 while another one is made, or if the name is taken.

        `options` are scheme, floor, width, each and seed, as in `Review.create`. Raises `UsageError` for those that are
        not allowed; later errors are in `making`.
        """
        folder = self._folder / check_name(name)
        plan_draw(self._index.scheme, options)
        if self.making.is_busy:
            raise Refusal(409, f"the review {self.made} is being made; begin another one when it is there")
        if folder.exists():
            raise Refusal(409, f"there is a review {name} already; choose another name")
        self.made = name
        self.making.start(lambda progress: self._make(folder, options, progress))

    def draw(self, name: str, review: Review, settings: Settings) -> None:
        """Start drawing more pairs of a review; 409 while pairs are being drawn. Later errors are in `drawing`.

        The documents of a review of an index are those of the index that is served, which may have been moved.
        """
        if self.drawing.is_busy:
            raise Refusal(409, f"pairs of the review {self.drawn} are being drawn; try again when they are there")
        each = next_each(settings)
        if each <= settings.most:
            raise Refusal(409, f"{settings.most:,} pairs of a stratum are drawn; neardup review draw draws more")
        self.drawn = name
        self.drawing.start(lambda _: review.draw(each=each, inputs=self._index if settings.indexes else None))

    def is_drawing(self, name: str) -> bool:
        """Return whether pairs of a review are being drawn, or could not be."""
        return name == self.drawn and (self.drawing.is_busy or bool(self.drawing.problem))

    def is_making(self, name: str) -> bool:
        """Return whether a review is being made, or could not be."""
        return name == self.made and (self.making.is_busy or bool(self.making.problem))

    async def close(self) -> None:
        """Stop making a review, of which nothing remains; wait for the pairs that are being drawn."""
        await self.making.close()
        await self.drawing.close()

    def _make(self, folder: Path, options: dict[str, Any], progress: ProgressCallback) -> Review:
        self._folder.mkdir(exist_ok=True)
        return Review.create(folder, self._index, threads=THREADS, progress=progress, **options)
