"""What people say of the clusters: labels of the pairs that hold them together."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from neardup.evaluation.listed_pair import Key
from neardup.review.labels.label_log import LabelLog
from neardup.review.labels.standing import Label, Labels
from neardup.review.labels.verdicts import judge

ANONYMOUS = "anonymous"
"""Who somebody is where nobody needs a token."""


class Judgements:
    """A log of labels that is made with its first one; any number of threads may ask and add."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._log = LabelLog(path)

    def labels(self) -> Labels:
        """Return the labels that stand: of each pair that has any, what each person says."""
        return self._log.labels() if self._path.exists() else {}

    def confirm(self, who: str, keys: Iterable[Key]) -> None:
        """Take pairs for duplicates that most do not take for different; on the disk when this returns.

        Who said so already does not say it again: what is taken back once would stand still.
        """
        labels = self.labels()
        said = {key for key, one in labels.items() if one.get(who or ANONYMOUS) == "duplicate"}
        settled = find_cut(labels) | said
        self._add(who, [key for key in keys if key not in settled], "duplicate")

    def split(self, who: str, key: Key) -> None:
        """Take a pair for different; on the disk when this returns."""
        self._add(who, [key], "not")

    def take_back(self, who: str, key: Key) -> None:
        """Take back what somebody said of a pair last."""
        if self._path.exists():
            self._log.undo(who or ANONYMOUS, key)

    def export(self) -> Iterator[dict[str, Any]]:
        """Yield the decided pairs as `evaluate` reads them: a, b and label."""
        for (left, right), said in self.labels().items():
            verdict = judge(said.values())
            if verdict is not None:
                yield {"a": left, "b": right, "label": int(verdict)}

    def _add(self, who: str, keys: list[Key], label: Label) -> None:
        self._path.touch()
        self._log.add_all(who or ANONYMOUS, keys, label)


def find_cut(labels: Labels) -> set[Key]:
    """Return the pairs that most take for different."""
    return {key for key, said in labels.items() if judge(said.values()) is False}
