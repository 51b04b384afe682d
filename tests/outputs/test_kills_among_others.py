"""Writers that are killed at random moments, among files, folders and links of other programs, lose nothing."""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

import killed_writer
import kills
from killed_writer import SCHEME, make_text
from neardup import Document, Gate, Index
from neardup.stores.sqlite import SqliteStore
from others import Others

NAMES = ("", ".partial", ".replaced")
MOST = 1500
"""Number of documents after which a store is deleted, because each check reads all of it."""
INSIDE = ("notes.txt", "kept", "run.json", "work", "lock", "decisions.parquet.tmp")


@pytest.fixture
def count(deep: bool) -> int:
    """Number of kills of each writer; those of the stores and the driver of Spark are five hundred in all."""
    return 120 if deep else 3


@pytest.fixture
def others(tmp_path: Path) -> Others:
    return Others(tmp_path / "all")


def run_until_killed(command: list[str], cwd: Path, lasts: float, random: Random) -> tuple[bool, list[str]]:
    """Run a command for at most a random part of `lasts` seconds; return whether it was killed, and its whole lines."""
    with subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            printed, _ = process.communicate(timeout=random.uniform(0, lasts))
        except subprocess.TimeoutExpired:
            process.kill()
            printed, _ = process.communicate()
    return process.returncode < 0, [
        line.rstrip("\n") for line in printed.splitlines(keepends=True) if line.endswith("\n")
    ]


def check_runs(command: list[str], others: Others, count: int, random: Random, read: Callable[[Path], object]) -> None:
    """Kill runs that overwrite a result, often with something in their way, and check the result at the end."""
    folder, out = others.root, others.root / "out"
    started = time.monotonic()
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    lasts, whole, killed = time.monotonic() - started, read(out), 0
    places = [folder / f"out{end}" for end in NAMES]
    inside = [place / name for place in places for name in INSIDE]
    while killed < count:
        if random.random() < 0.5:
            others.put(random, places)
            others.put(random, inside)
        was_killed, _ = run_until_killed(command, folder, lasts * 1.2, random)
        killed += was_killed
        others.check()
        others.clear()
        if not was_killed and random.random() < 0.3:
            # The next run makes a new result instead of replacing one.
            shutil.rmtree(out, ignore_errors=True)
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    others.check()
    assert read(out) == whole
    assert sorted(path.name for path in folder.glob("out*")) == ["out"]


def test_batch(others: Others, count: int) -> None:
    kills.write_corpus(others.root, 3000, seed=3)
    shutil.rmtree(others.root / kills.RUN)
    command = [*kills.command(kills.Trial("dedup", ["dedup", kills.DOCS]), Path("out"), 1), "--overwrite"]
    check_runs(command, others, count, Random(1), kills.results)


@pytest.mark.spark
@pytest.mark.deep("a driver takes seconds to start, and writes with the same code as a batch")
def test_the_driver_of_spark(others: Others) -> None:
    records = [{"id": f"d{at}", "text": make_text(at)} for at in range(60)]
    (others.root / "docs.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    command = [sys.executable, "-m", "neardup", "dedup", "docs.jsonl", "--id-field", "id", "-o", "out", "--overwrite"]

    def read(out: Path) -> object:
        return json.loads((out / "run.json").read_text())["digest"]

    check_runs([*command, "--engine", "spark", "--quiet"], others, 20, Random(2), read)


def read_verified(kind: str, folder: Path) -> set[str]:
    """Verify every byte of a store, and return the ids of its documents."""
    is_gate = kind.endswith("gate")
    index = Index.open(folder / "index" if is_gate else folder)
    index.verify()
    names = {str(document.id) for document in index}
    if is_gate:
        with Gate.open(folder), closing(SqliteStore(folder / "documents.sqlite")) as store:
            assert {one.id for one in store.documents()} == names
    return names


@pytest.mark.parametrize("kind", ["index", "gate", "split-index", "split-gate"])
def test_acknowledged_steps_are_stored(kind: str, others: Others, count: int) -> None:
    """A killed writer may have finished one step more than it printed.

    A store may show this step only after the next writer has started.
    """
    store, random, killed, expected, next_number = others.root / "store", Random(kind), 0, set[str](), 0
    doubted = set[str]()
    inside = [
        folder / name for folder in (store, store / "index") for name in ("notes.txt", "more", "segment-x", "log.old")
    ]
    while killed < count:
        others.put(random, inside)
        command = [sys.executable, killed_writer.__file__, kind, str(store), str(next_number)]
        was_killed, lines = run_until_killed(command, others.root, 2.5, random)
        killed += was_killed
        others.check()
        others.clear()
        for line in lines:
            expected = expected - {line[1:]} if line.startswith("-") else expected | {line}
        added = [int(line[1:]) for line in lines if not line.startswith("-")]
        next_number = max([next_number, *(number + 1 for number in added)])
        doubted.add(f"d{next_number - 6}")
        if expected:
            found = read_verified(kind, store)
            surplus, missing = found - expected, expected - found
            assert surplus <= {f"d{next_number}"}
            assert missing <= doubted
            expected = found
        if len(expected) > MOST:
            shutil.rmtree(store)
            expected, doubted, next_number = set(), set(), 0


def damage(store: Path, random: Random) -> None:
    """Change a byte of an index file that can be repaired."""
    files = [path for path in (store / "index").iterdir() if path.name.startswith(("segment", "manifest.json"))]
    path = random.choice(sorted(files))
    data = bytearray(path.read_bytes())
    data[random.randrange(len(data))] ^= 0xFF
    path.write_bytes(data)


def test_repair(others: Others, count: int) -> None:
    store, random, killed = others.root / "store", Random(4), 0
    with Gate.open(store, scheme=SCHEME) as gate:
        gate.admit_all(Document(make_text(at), f"d{at}") for at in range(300))
        gate.index.compact()
        gate.admit_all(Document(make_text(at), f"d{at}") for at in range(300, 330))
        gate.remove(["d3", "d310"])
    whole = read_verified("gate", store)
    command = [sys.executable, "-m", "neardup", "index", "repair", "store"]
    started = time.monotonic()
    subprocess.run(command, cwd=others.root, check=True, capture_output=True)
    lasts = time.monotonic() - started
    inside = [
        folder / name for folder in (store, store / "index") for name in ("notes.txt", "more", "repaired", "aside")
    ]
    while killed < count:
        damage(store, random)
        was_killed = True
        while was_killed:
            others.put(random, inside)
            was_killed, _ = run_until_killed(command, others.root, lasts * 2, random)
            killed += was_killed
            others.check()
            others.clear()
        assert read_verified("gate", store) == whole
