"""A run that is killed or interrupted never looks finished, and the same command resumes it."""

import gzip
import json
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from command import PATIENCE, run_neardup
from records import write_records
from stopped import arguments, digest, kill_after, names, wait_for_work
from systems import need_linux, need_posix

VERBS = ["dedup", "cluster", "pairs", "passages"]
SKETCH = "words | shingles:5 | moduli:5 | each | ~resemblance>=0.5"


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory, deep: bool) -> Path:
    """A file with enough text for a run of about a second in the deep tier, and a fifth of that by default."""
    random = Random(1)
    words = [f"word{number}" for number in range(3000)]
    records = []
    for _ in range(9000 if deep else 1800):
        base = random.choices(words, k=random.randrange(20, 300))
        for _ in range(random.randrange(1, 12)):
            copy = list(base)
            copy[random.randrange(len(copy))] = random.choice(words)
            records.append({"text": " ".join(copy)})
    return write_records(tmp_path_factory.mktemp("resume") / "docs.jsonl", records)


@pytest.fixture(scope="module")
def long(docs: Path) -> Path:
    """The same text six times, so that a run lasts much longer than the delivery of a signal."""
    path = docs.with_name("long.jsonl")
    path.write_bytes(docs.read_bytes() * 6)
    return path


def stop_at_the_end(command: list[str | Path], out: Path) -> None:
    """Run a command until it fails after writing everything, because of a new file in the output to be replaced."""
    notes, partial = out / "notes.txt", out.with_name(f"{out.name}.partial")
    for _ in range(50):
        words = [sys.executable, "-m", "neardup", *map(str, command), "-o", str(out), "--overwrite"]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not partial.exists() and process.poll() is None:
            time.sleep(0.001)
        notes.touch()
        code = process.wait(timeout=PATIENCE)
        notes.unlink()
        if code == 2:
            return
    raise AssertionError("the command was quicker every time")


@pytest.mark.parametrize("verb", VERBS)
def test_kill_and_resume(verb: str, docs: Path, tmp_path: Path, deep: bool) -> None:
    whole = tmp_path / "whole"
    started = time.monotonic()
    run_neardup(verb, docs, "-o", whole, "--threads", "1")
    lasted = time.monotonic() - started
    out = tmp_path / "out"
    for part in range(1, 10) if deep else (2, 5, 8):
        process = subprocess.Popen(arguments(verb, docs, out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(lasted * part / 10)
        process.kill()
        process.wait()
        if out.exists():
            break
    run_neardup(verb, docs, "-o", out, "--threads", "1", *(["--overwrite"] if out.exists() else []))
    assert digest(out) == digest(whole)
    assert names(out) == names(whole)
    leftovers = [path.name for path in tmp_path.iterdir() if path not in (whole, out)]
    assert leftovers == []
    for name in names(whole):
        if name.endswith(".parquet"):
            assert (out / name).read_bytes() == (whole / name).read_bytes()


PASSES = (
    "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.95",
    "words | terms:0.1,0.9 weight=idf:corpus | lexicons:4 | each | equal & resemblance>=0.7",
)
TWICE = ["--scheme", " ; ".join(PASSES)]
RESUMED: list[tuple[str, str, list[str]]] = [
    *(("dedup", stage, []) for stage in ("signed", "arranged", "found", "written")),
    *(("dedup", stage, TWICE) for stage in ("found", "counted-2", "signed-2", "arranged-2", "found-2")),
    *(("passages", stage, []) for stage in ("fingerprinted", "connected", "looked")),
    ("cluster", "found", []),
    ("cluster", "found", ["--forest"]),
    ("pairs", "found", []),
]
"""Each stage of a run once."""
OTHER_VERBS: list[tuple[str, str, list[str]]] = [
    *((verb, stage, []) for verb in ("cluster", "pairs") for stage in ("signed", "arranged", "written")),
    *(("passages", stage, []) for stage in ("signed", "arranged", "found", "written")),
    *(
        (verb, stage, TWICE)
        for verb in ("cluster", "pairs")
        for stage in ("found", "counted-2", "signed-2", "arranged-2", "found-2")
    ),
    *(("cluster", stage, ["--forest"]) for stage in ("arranged", "written")),
]
"""The same stages under other verbs."""


@pytest.mark.parametrize(
    ("verb", "stage", "more"),
    [*RESUMED, *(pytest.param(*one, marks=pytest.mark.deep("a stage that dedup has, too")) for one in OTHER_VERBS)],
)
def test_it_resumes_from_the_last_finished_phase(
    verb: str, stage: str, more: list[str], docs: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    finished = kill_after(stage, verb, docs, out, *more)
    assert finished
    run_neardup(verb, docs, "-o", out, "--threads", "2", *more)
    run_neardup(verb, docs, "-o", tmp_path / "whole", "--threads", "1", *more)
    assert digest(out) == digest(tmp_path / "whole")
    assert names(out) == names(tmp_path / "whole")
    for name in names(out):
        assert not name.endswith(".parquet") or (out / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    # Finished phases are reported with their earlier durations, so none of them ran again.
    phases = json.loads((out / "run.json").read_text(encoding="utf-8"))["phases"]
    reported = [(phase["name"], phase["seconds"]) for phase in phases]
    assert reported[: len(finished)] == [(phase["name"], phase["seconds"]) for phase in finished]


@pytest.mark.parametrize("stage", ["connected", "looked"])
def test_passages_of_a_reference_resume(stage: str, docs: Path, tmp_path: Path) -> None:
    more = ["--against", str(docs)]
    finished = kill_after(stage, "passages", docs, tmp_path / "out", *more)
    assert finished
    run_neardup("passages", docs, "-o", tmp_path / "out", "--threads", "2", *more)
    run_neardup("passages", docs, "-o", tmp_path / "whole", "--threads", "1", *more)
    assert digest(tmp_path / "out") == digest(tmp_path / "whole")
    assert names(tmp_path / "out") == names(tmp_path / "whole")


@pytest.mark.parametrize("verb", [*VERBS, "evidence"])
def test_a_run_that_ended_is_not_repeated(verb: str, docs: Path, tmp_path: Path) -> None:
    """A run that stopped after removing its work files, which takes time, is only moved into place by the next run."""
    out, partial, packed = tmp_path / "out", tmp_path / "out.partial", tmp_path / "docs.jsonl.gz"
    with docs.open(encoding="utf-8") as lines, gzip.open(packed, "wt", compresslevel=1, encoding="utf-8") as file:
        file.writelines(islice(lines, 300))
    command: list[str | Path] = [verb, packed]
    if verb == "evidence":
        run_neardup("pairs", packed, "-o", tmp_path / "run")
        command = [verb, tmp_path / "run", "--texts"]
    run_neardup(*command, "-o", out)
    stop_at_the_end(command, out)
    assert names(partial / "work") == ["written.json"]
    summary = (partial / "run.json").read_bytes()
    run_neardup(*command, "-o", out, "--overwrite")
    assert (out / "run.json").read_bytes() == summary
    assert not {"work", "lock", "run.json.new"} & set(names(out))
    assert not partial.exists()
    # another job starts from the beginning
    stop_at_the_end(command, out)
    another = {"evidence": ["--sample", "3"], "passages": ["--tokens", "20"]}.get(verb, ["--threshold", "0.9"])
    run_neardup(*command, "-o", out, "--overwrite", *another)
    run_neardup(*command, "-o", tmp_path / "whole", *another)
    assert digest(out) == digest(tmp_path / "whole") != json.loads(summary)["digest"]


@pytest.mark.parametrize(
    ("stage", "arguments"),
    [
        ("signed", ["sketch", "--scheme", SKETCH]),
        ("found", ["pairs", "--passages", "--threshold", "0.9"]),
        ("connected", ["passages"]),
        *(
            pytest.param(stage, ["passages"], marks=pytest.mark.deep("its pieces are as those of `connected`"))
            for stage in ("fingerprinted", "looked")
        ),
    ],
)
def test_it_resumes_within_a_stage(stage: str, arguments: list[str], docs: Path, tmp_path: Path, deep: bool) -> None:
    """Lines of a journal stay when a stage resumes after any number of kills, and no piece is computed again."""
    need_linux("which files a process has open")
    out, verb = tmp_path / "out", arguments[0]
    if stage == "found" and not deep:
        # this stage reads each pair again, which is slow
        with docs.open(encoding="utf-8") as file:
            (tmp_path / "few.jsonl").write_text("".join(islice(file, 1000)), encoding="utf-8")
        docs = tmp_path / "few.jsonl"
    journal = tmp_path / "out.partial" / "work" / f"{stage}.pieces"
    lines: list[bytes] = []
    kills = 0
    for _ in range(20):
        command = [sys.executable, "-m", "neardup", verb, str(docs), "-o", str(out), "--threads", "1", *arguments[1:]]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        pause_within(process, journal)
        while process.poll() is None and len(whole_lines(journal)) <= len(lines):
            time.sleep(0.001)
        process.kill()
        process.wait()
        if not journal.exists():
            if lines:
                break
            # The run ended before it could be killed.
            shutil.rmtree(out, ignore_errors=True)
            shutil.rmtree(out.with_name("out.partial"), ignore_errors=True)
            continue
        more = whole_lines(journal)
        assert more[: len(lines)] == lines
        lines = more
        numbers = [number for line in lines for number in numbers_of(stage, json.loads(line)["left"]["pieces"])]
        assert len(numbers) == len(set(numbers))
        kills += 1
        if kills == 3:
            break
    assert lines, "every run left the stage before its first line"
    run_neardup(verb, docs, "-o", out, "--threads", "1", *arguments[1:], *(["--overwrite"] if out.exists() else []))
    run_neardup(verb, docs, "-o", tmp_path / "whole", "--threads", "2", *arguments[1:])
    assert digest(out) == digest(tmp_path / "whole")


BETWEEN = 0.25
"""Minimum seconds between two lines of a journal."""


def pause_within(process: subprocess.Popen[bytes], journal: Path) -> None:
    """Pause a run after it has opened a journal, until its next piece is due to be written."""
    while process.poll() is None:
        if journal in open_files(process):
            process.send_signal(signal.SIGSTOP)
            time.sleep(2 * BETWEEN)
            process.send_signal(signal.SIGCONT)
            return
        time.sleep(0.001)


def open_files(process: subprocess.Popen[bytes]) -> list[Path]:
    """Return the files that a process has open; none after it has ended."""
    found = []
    with suppress(FileNotFoundError):
        for one in Path(f"/proc/{process.pid}/fd").iterdir():
            with suppress(FileNotFoundError):
                found.append(one.readlink())
    return found


def numbers_of(stage: str, pieces: list[Any]) -> list[object]:
    """Return the identities of the pieces of a journal; blocks of pairs have none."""
    if stage == "connected":
        return [(kind, number) for piece in pieces for kind, (number, _) in piece.items()]
    if stage == "signed":
        return [(reading, outcome["number"]) for reading, outcome in pieces]
    return [] if stage == "found" else [number for number, _ in pieces]


def whole_lines(journal: Path) -> list[bytes]:
    try:
        return [line for line in journal.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
    except FileNotFoundError:
        return []


def test_sketches_resume_after_signing(docs: Path, tmp_path: Path) -> None:
    out, line = tmp_path / "out", ("--scheme", SKETCH)
    finished = kill_after("signed", "sketch", docs, out, *line)
    run_neardup("sketch", docs, "-o", out, "--threads", "2", *line)
    run_neardup("sketch", docs, "-o", tmp_path / "whole", "--threads", "1", *line)
    assert names(out) == names(tmp_path / "whole") == [".neardup", "run.json", "sketches.parquet"]
    assert (out / "sketches.parquet").read_bytes() == (tmp_path / "whole" / "sketches.parquet").read_bytes()
    phases = json.loads((out / "run.json").read_text(encoding="utf-8"))["phases"]
    assert [phase["seconds"] for phase in phases][:1] == [phase["seconds"] for phase in finished]


def test_another_job_is_not_resumed(docs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    kill_after("found", "dedup", docs, out)
    run_neardup("dedup", docs, "-o", out, "--threads", "1", "--threshold", "0.9")
    run_neardup("dedup", docs, "-o", tmp_path / "whole", "--threads", "1", "--threshold", "0.9")
    assert digest(out) == digest(tmp_path / "whole")


@pytest.mark.parametrize("verb", ["dedup", "passages"])
def test_a_run_of_another_version_of_the_tokens_begins_anew_and_says_so(verb: str, docs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    kill_after("signed", verb, docs, out)
    for entry in (out.with_name("out.partial") / "work").glob("*.json"):
        # the key of a run of version 1 is a digest alone
        left = json.loads(entry.read_text(encoding="utf-8"))
        entry.write_text(json.dumps({**left, "key": left["key"].rpartition(": ")[2]}), encoding="utf-8")
    summary = json.loads(run_neardup(verb, docs, "-o", out, "--json", "--threads", "1").stdout)
    [note] = [note for note in summary["notes"] if "unfinished" in note]
    assert "cut by tokens version 1, and are cut by tokens version 2 (Unicode" in note
    assert note.endswith("it began anew")
    run_neardup(verb, docs, "-o", tmp_path / "whole", "--threads", "1")
    assert digest(out) == digest(tmp_path / "whole")


def test_nothing_of_another_job_stays(docs: Path, tmp_path: Path) -> None:
    """Two jobs with the same output are killed in turn; neither resumes with the files of the other."""
    out, folder = tmp_path / "out", tmp_path / "docs"
    folder.mkdir()
    shutil.copy(docs, folder / "a.jsonl")
    (folder / "b.jsonl").write_text('{"text": "beside the long file stands a short one"}\n', encoding="utf-8")
    kill_after("written", "dedup", folder, out)
    kill_after("signed", "dedup", folder / "a.jsonl", out)
    kill_after("signed", "dedup", folder, out)
    run_neardup("dedup", folder / "a.jsonl", "-o", out, "--threads", "1")
    run_neardup("dedup", folder / "a.jsonl", "-o", tmp_path / "whole", "--threads", "1")
    assert digest(out) == digest(tmp_path / "whole")
    files = [sorted(path.relative_to(top) for path in top.rglob("*")) for top in (out, tmp_path / "whole")]
    assert files[0] == files[1]


def test_a_run_with_a_changed_input_is_not_resumed(docs: Path, tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_bytes(docs.read_bytes())
    process = subprocess.Popen(arguments("pairs", path, tmp_path / "out"), stdout=subprocess.DEVNULL)
    wait_for_work(tmp_path / "out")
    process.kill()
    process.wait()
    path.write_bytes(docs.read_bytes()[: 1 << 20].rpartition(b"\n")[0])
    run_neardup("pairs", path, "-o", tmp_path / "out", "--overwrite")
    run_neardup("pairs", path, "-o", tmp_path / "fresh")
    assert digest(tmp_path / "out") == digest(tmp_path / "fresh")


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_interrupt(stop: signal.Signals, long: Path, tmp_path: Path) -> None:
    need_posix("signals")
    out = tmp_path / "out"
    process = subprocess.Popen(
        arguments("pairs", long, out), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    wait_for_work(out)
    process.send_signal(stop)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert errors == "\ninterrupted: the same command resumes from the last finished phase\n"
    assert not out.exists()


@pytest.mark.parametrize("study", ["evaluate", "mirrors", "stdin"])
def test_an_interrupted_study_starts_again(docs: Path, long: Path, tmp_path: Path, study: str) -> None:
    need_posix("SIGINT")
    out, truth = tmp_path / "out", tmp_path / "truth.jsonl"
    truth.write_text('{"id": "1", "cluster": "a"}\n', encoding="utf-8")
    urls = tmp_path / "urls.txt"
    urls.write_text("".join(f"http://host{number % 999}.example/{number}\n" for number in range(99_999)))
    command = {
        "evaluate": ["evaluate", str(truth), str(docs), "--id-field", ""],
        "mirrors": ["mirrors", str(urls)],
        "stdin": ["pairs", "-"],
    }[study]
    with open(long, "rb") as records:
        process = subprocess.Popen(
            [sys.executable, "-m", "neardup", *command, "-o", str(out)],
            stdin=records,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        wait_for_work(out)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (130, "\ninterrupted: the same command starts anew\n")
    assert not out.exists()
