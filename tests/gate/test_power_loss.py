"""Power loss while a gate is written: every acknowledged document is there afterwards."""

from pathlib import Path
from random import Random

import pytest

from neardup import Gate, Index, NeardupError
from neardup.index.restoration import verify_beside
from power_loss import Disk, Event, record

WRITER = """
import sys
from neardup import Document, Gate, Index, _core
from neardup.gate import SqliteStore
folder = sys.argv[1]
line = "words | shingles:1 | whole | prefix:0.5 | resemblance>=0.5"
Gate.open(folder + "/gate", scheme=line).close()
core = _core.Index.open(folder + "/gate/index", None, None, flush_at=8)
gate = Gate(Index(core, folder + "/gate/index"), SqliteStore(folder + "/gate/documents.sqlite"))

def note(word):
    with open(folder + "/notes", "a") as notes:
        notes.write(word + "\\n")

note("+")
for at in range(40):
    text = f"the boat {at // 3} left the quay {at // 3} at noon {at // 3}"
    # d31 takes the place of d1, and so on
    if at >= 30 and at % 2:
        note(f"-d{at - 30}")
    gate.admit(Document(text, f"d{at}", f"http://h/{at % 30}" if at % 2 else None))
    note(f"+d{at}")
    if at % 9 == 8:
        note(f"-d{at - 4}")
        gate.remove(f"d{at - 4}")
    if at % 16 == 15:
        gate.index.compact()
gate.close()
"""
"""Writes documents to a gate; notes `-` before it removes a document, and `+` after it has added one."""
POINTS = 60


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> list[Event]:
    folder = tmp_path_factory.mktemp("written")
    return record(WRITER, folder / "disk", tmp_path_factory.mktemp("records") / "records")


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.deep("another draw"))])
def test_acknowledged_documents_are_there(events: list[Event], tmp_path: Path, seed: int, deep: bool) -> None:
    random, folder = Random(seed), events[0].path.removesuffix("/gate")
    points = set(range(len(events)) if deep else random.sample(range(len(events)), POINTS))
    disk, acknowledged = Disk(Path(folder)), set[str]()
    for at, event in enumerate(events):
        disk.do(event)
        if event.path == f"{folder}/notes" and event.data:
            sign, name = event.data[:1], event.data[1:].strip().decode()
            acknowledged = acknowledged | {name} if sign == b"+" else acknowledged - {name}
        if at in points and acknowledged:
            target = tmp_path / str(at)
            disk.write(target, random)
            check(target / "gate", acknowledged - {""})
    assert sum(event.kind == "sync" for event in events) > 100


def check(folder: Path, acknowledged: set[str]) -> None:
    with Gate.open(folder) as gate:
        assert acknowledged <= {str(one.id) for one in gate.index}
        assert all(gate.store.get(name) is not None for name in acknowledged)
    index = Index.open(folder)
    index.verify()
    verify_beside(index, folder)


def test_documents_are_lost_without_waiting_for_the_disk(events: list[Event], tmp_path: Path) -> None:
    """Shows that the test above would notice a writer that does not wait for the disk."""
    folder = events[0].path.removesuffix("/gate")
    disk = Disk(Path(folder))
    for event in events:
        if event.kind != "sync":
            disk.do(event)
    lost = 0
    for seed in range(5):
        target = tmp_path / str(seed)
        disk.write(target, Random(seed))
        try:
            check(target / "gate", {"d38", "d39"})
        except (AssertionError, NeardupError):
            lost += 1
    assert lost > 0
