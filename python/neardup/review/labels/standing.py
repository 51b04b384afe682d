"""Which labels stand: those that were given and not taken back."""

from typing import Final, Literal, NamedTuple

from neardup.evaluation.listed_pair import Key

Label = Literal["duplicate", "not", "unsure"]
LABELS: tuple[Label, ...] = ("duplicate", "not", "unsure")
UNDO: Final = "undo"

Labels = dict[Key, dict[str, Label]]
"""Of each pair, what each person says of it."""


class Entry(NamedTuple):
    """A line of the log: what a person said of a pair, and when, in UTC as of RFC 3339."""

    left: str
    right: str
    label: Label | Literal["undo"]
    who: str
    when: str


class Standing:
    """The labels that stand after a number of entries: of each person and pair all of them, the last one on top."""

    def __init__(self) -> None:
        self._given: dict[str, list[tuple[Key, Label]]] = {}
        """Of each person, what was said and not taken back, in order."""

    def take(self, entry: Entry) -> None:
        """Take the next entry; one that takes back what was never said changes nothing."""
        key, given = (entry.left, entry.right), self._given.setdefault(entry.who, [])
        if entry.label != UNDO:
            given.append((key, entry.label))
            return
        for at in range(len(given) - 1, -1, -1):
            if given[at][0] == key:
                del given[at]
                return

    def last(self, who: str, key: Key | None = None) -> Key | None:
        """Return the pair of the last label of a person that stands, or this pair when one stands on it."""
        given = self._given.get(who, [])
        return next((pair for pair, _ in reversed(given) if key in (None, pair)), None)

    def labels(self) -> Labels:
        """Return the labels that stand, in a dictionary of its own."""
        labels: Labels = {}
        for who, given in self._given.items():
            for key, label in given:
                labels.setdefault(key, {})[who] = label
        return labels
