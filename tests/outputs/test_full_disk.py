"""A full disk stops a run with advice and without anything that looks finished; later the run resumes."""

import json
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

import kills
from command import PATIENCE, run_neardup
from records import write_records

Whole = Callable[[kills.Trial], Path]
TRIALS = [trial for trial in kills.TRIALS if trial.name not in ("dedup", "pairs", "cluster")]
SMALL_DISKS = [
    trial
    if trial.name in ("dedup --index", "evidence")
    # other tests try `passages`, and files with a size limit
    else pytest.param(trial, marks=pytest.mark.deep("writes with the same code as other commands"))
    for trial in TRIALS
]
# places at which the space ends, as shares of the most that a whole run takes
SHARES = [0, 0.02, 0.1, 0.25, 0.4, 0.55, 0.7, 0.8, 0.9, 0.95]
FEW_SHARES = SHARES[::3]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory, deep: bool) -> Path:
    folder = tmp_path_factory.mktemp("full")
    kills.write_corpus(folder, 6000 if deep else 1600, seed=2)
    return folder


@pytest.fixture(scope="module")
def whole(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """A function that returns the results of an undisturbed trial."""
    made: dict[str, Path] = {}

    def run_once(trial: kills.Trial) -> Path:
        if trial.name not in made:
            out = tmp_path_factory.mktemp("whole") / "out"
            kills.run_whole(trial, corpus, out)
            made[trial.name] = out
        return made[trial.name]

    return run_once


def run(trial: kills.Trial, folder: Path, out: Path, limit: int | None = None) -> subprocess.CompletedProcess[str]:
    """Run a trial whose files may have at most `limit` bytes each."""

    def limit_size() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    command = kills.command(trial, out)
    return subprocess.run(
        command, cwd=folder, capture_output=True, encoding="utf-8", check=False, preexec_fn=limit_size, timeout=PATIENCE
    )


def check_stop(done: subprocess.CompletedProcess[str], out: Path) -> None:
    """Check that a run without space reports it and what to do, in two lines, and leaves no result."""
    assert done.returncode == 1
    first, second = done.stderr.splitlines()
    assert first.startswith("error: ")
    assert second.startswith(f"no room is left in {out}.partial, which holds "), done.stderr
    advice = "M; make room and give the same command again: it "
    assert second.endswith((f"{advice}resumes where it was", f"{advice}starts anew"))
    assert not out.exists()


def test_places_that_do_not_fit_are_not_written(
    corpus: Path, whole: Whole, disk: tuple[Path, Callable[[int], None]]
) -> None:
    """`passages` knows its need after counting the repeated places, and writes nothing more until there is space."""
    [trial] = [trial for trial in TRIALS if trial.name == "passages"]
    place, resize = disk
    taken = json.loads((whole(trial) / "run.json").read_text())["work_bytes"]
    resize(taken // 2)
    done = run(trial, corpus, place / "out")
    check_stop(done, place / "out")
    assert done.stderr.startswith("error: the work files and results of this run need about ")
    assert sum(path.stat().st_size for path in place.rglob("*")) < taken // 3
    resize(4 * taken)
    assert run(trial, corpus, place / "out").returncode == 0
    assert kills.differences(kills.results(whole(trial)), kills.results(place / "out")) == []


def test_finished_pieces_of_passages_stay(corpus: Path, whole: Whole, tmp_path: Path, deep: bool) -> None:
    """A stop loses no entry of the ledger and no line of a stage journal, so nothing is computed again."""
    [trial] = [trial for trial in TRIALS if trial.name == "passages"]
    taken = json.loads((whole(trial) / "run.json").read_text())["work_bytes"]
    # the files that describe the folder fit
    out, limit = tmp_path / "out", 4096
    work = tmp_path / "out.partial" / "work"
    ended: set[str] = set()
    pieces: dict[str, bytes] = {}
    under_way: set[str] = set()
    while (done := run(trial, corpus, out, limit)).returncode:
        check_stop(done, out)
        now = {path.stem for path in work.glob("*.json")}
        assert now >= ended
        lines = {path.stem: path.read_bytes() for path in work.glob("*.pieces")}
        for stage, before in pieces.items():
            assert stage in now or lines[stage].startswith(before[: before.rfind(b"\n") + 1])
        under_way |= lines.keys()
        ended, pieces = now, lines
        limit += taken // (32 if deep else 16)
    assert under_way | ended >= {"signed", "fingerprinted", "connected", "looked"}
    assert under_way >= {"fingerprinted", "connected", "looked"}
    assert kills.differences(kills.results(whole(trial)), kills.results(out)) == []


def check_not_written(command: list[str | Path], place: Path, room: int, resize: Callable[[int], None]) -> None:
    """Check that a run that needs too much space stops first, states its need, and resumes with enough space."""
    whole = run_neardup(*command, "-o", place.parent / "whole")
    assert whole.returncode == 0
    resize(room)
    arguments = [sys.executable, "-m", "neardup", *map(str, command), "-o", str(place / "out")]
    done = subprocess.run(arguments, capture_output=True, encoding="utf-8", check=False)
    check_stop(done, place / "out")
    stated = re.match(
        r"error: the work files and results of this run need about ([\d.]+) MB more of the disk", done.stderr
    )
    assert stated, done.stderr
    assert sum(path.stat().st_size for path in place.rglob("*")) < room * 0.7
    assert done.stderr.endswith("it resumes where it was\n")
    # the stated space is enough
    used = sum(path.stat().st_blocks * 512 for path in place.rglob("*"))
    resize(int(used + float(stated[1]) * 1e6 * 1.05) + (2 << 20))
    run_neardup(*command, "-o", place / "out")
    assert kills.differences(kills.results(place.parent / "whole"), kills.results(place / "out")) == []


def test_pairs_that_do_not_fit_are_not_written(
    tmp_path: Path, disk: tuple[Path, Callable[[int], None]], *, deep: bool
) -> None:
    """Equal copies make few bytes of documents and many of pairs."""
    count, room = (4000, 16 << 20) if deep else (2800, 8 << 20)
    records = (
        {"id": f"{number:05}", "text": f"the same text as all the others {number % 3}"} for number in range(count)
    )
    docs = write_records(tmp_path / "docs.jsonl", records)
    check_not_written(["pairs", docs, "--id-field", "id", "--threads", "1"], disk[0], room, disk[1])


def test_keys_that_do_not_fit_are_not_written(
    tmp_path: Path, disk: tuple[Path, Callable[[int], None]], *, deep: bool
) -> None:
    """In the exact join at a low threshold, nearly every feature of texts with much in common is a key."""
    count, room = (2000, 10 << 20) if deep else (1200, 6 << 20)
    random = Random(9)
    words = [f"word{number}" for number in range(100)]
    passages = [" ".join(random.choices(words, k=40)) for _ in range(3000)]
    records = ({"id": f"{number:05}", "text": " ".join(random.choices(passages, k=30))} for number in range(count))
    docs = write_records(tmp_path / "docs.jsonl", records)
    how = ["--threshold", "0.3", "--recall", "exact", "--id-field", "id", "--threads", "1"]
    check_not_written(["dedup", docs, "--no-kept", *how], disk[0], room, disk[1])


def largest(out: Path) -> int:
    return max(path.stat().st_size for path in out.rglob("*"))


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.name)
def test_it_resumes_when_a_file_may_grow(
    trial: kills.Trial, corpus: Path, whole: Whole, tmp_path: Path, deep: bool
) -> None:
    out, stops = tmp_path / "out", 0
    # the work file is larger than any result
    for share in SHARES if deep else FEW_SHARES:
        done = run(trial, corpus, out, int(share * 8 * largest(whole(trial))) + 1)
        if done.returncode == 0:
            break
        check_stop(done, out)
        stops += 1
    assert stops >= 1
    if not out.exists():
        assert run(trial, corpus, out).returncode == 0
    assert kills.differences(kills.results(whole(trial)), kills.results(out)) == []
    assert {path.name for path in tmp_path.iterdir()} == {"out"}


@pytest.mark.parametrize("trial", SMALL_DISKS, ids=lambda trial: trial.name)
def test_it_resumes_when_there_is_space(
    trial: kills.Trial, corpus: Path, whole: Whole, deep: bool, disk: tuple[Path, Callable[[int], None]]
) -> None:
    place, resize = disk
    # the run gets more and more space until it ends
    out, stops, room = place / "out", 0, 4096
    while (done := run(trial, corpus, out)).returncode:
        check_stop(done, out)
        stops += 1
        room += max(room // (6 if deep else 2), 64 << 10)
        resize(room)
    assert stops >= 5
    assert kills.differences(kills.results(whole(trial)), kills.results(out)) == []
    assert list(place.iterdir()) == [out]
    shutil.rmtree(out)
