"""A gate and an index on a full disk: writes fail, nothing acknowledged is lost, and they continue with more room."""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from neardup import Document, EnvironmentFault, Gate, Index
from neardup.index.restoration import verify_beside

SCHEME = "words | shingles:2 | whole | prefix:0.6 | resemblance>=0.6"
WORDS = [f"word{number}" for number in range(3000)]
IS_FULL = "No space left on device|database or disk is full"
TRIES = 3
"""Number of times that room is made for one document: a step may also merge the search index."""


def make(number: int) -> Document:
    random = Random(number)
    text = " ".join(random.choices(WORDS, k=random.choice((20, 200, 1000))))
    return Document(text, f"d{number}", f"http://h/{number}")


class Writer:
    """A gate or an index, and the ids that it acknowledged."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind, self.folder, self.number = kind, folder, 0
        self.acknowledged = set[str]()
        self.open()

    def open(self) -> None:
        """Open the gate or index again, or create it."""
        folders, is_gate = 3 if self.kind.startswith("split-") else None, self.kind.endswith("gate")
        self.gate = Gate.open(self.folder, scheme=SCHEME, folders=folders) if is_gate else None
        self.index = self.gate.index if self.gate else Index.open_or_create(self.folder, scheme=SCHEME, folders=folders)

    def add(self) -> None:
        self.number += 1
        (self.gate.admit if self.gate else self.index.add)(make(self.number))
        self.acknowledged.add(f"d{self.number}")

    def fill(self) -> None:
        """Write until a write fails."""
        while True:
            self.add()
            if self.number % 40 == 0:
                (self.gate or self.index).remove(f"d{self.number - 7}")
                self.acknowledged.remove(f"d{self.number - 7}")
            if self.number % 90 == 0:
                self.index.compact()

    def can_add(self) -> bool:
        """Add one document; return `False` if the disk is full again, after a check that nothing is lost."""
        try:
            self.add()
        except EnvironmentFault as error:
            if not re.search(IS_FULL, str(error)):
                raise
            self.check()
            return False
        return True

    def check(self) -> None:
        """Assert that nothing is lost; the step that failed may have either outcome."""
        found = {str(document.id) for document in Index.open(self.index.folder)}
        assert self.acknowledged - found <= {f"d{self.number - 7}"}
        assert found - self.acknowledged <= {f"d{self.number}"}
        self.acknowledged = found

    def verify(self) -> None:
        """Verify every byte of the index, and of a gate also its store."""
        self.index.verify()
        assert {str(document.id) for document in self.index} == self.acknowledged
        if self.gate:
            self.gate.sync()
            assert all(self.gate.store.get(name) is not None for name in self.acknowledged)
            verify_beside(Index.open(self.index.folder), self.folder)


@pytest.mark.parametrize("rounds", [3, pytest.param(20, marks=pytest.mark.deep("more rounds of the same"))])
@pytest.mark.parametrize("kind", ["index", "gate", "split-index", "split-gate"])
def test_writes_continue_with_more_room(kind: str, rounds: int, disk: tuple[Path, Callable[[int], None]]) -> None:
    place, resize = disk
    # each of the three folders has files of its own
    room, random = (1800 if kind.startswith("split-") else 600) << 10, Random(kind)
    resize(room)
    writer = Writer(kind, place / "store")
    for _ in range(rounds):
        with pytest.raises(EnvironmentFault, match=IS_FULL):
            writer.fill()
        assert writer.index.query(make(min(int(name[1:]) for name in writer.acknowledged)).text)
        writer.check()
        for _ in range(TRIES):
            room += random.choice((200, 500)) << 10
            resize(room)
            if random.random() < 0.5:
                writer.open()
            if writer.can_add():
                break
        else:
            pytest.fail(f"{TRIES} times more room was not enough for one document")
        writer.verify()
