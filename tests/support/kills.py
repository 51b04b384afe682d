"""Runs that are killed at random moments and resumed, compared with the same runs undisturbed."""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

TWO_PASSES = (
    "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.95",
    "words | terms:0.1,0.9 weight=idf:corpus | lexicons:4 | each | equal & resemblance>=0.7",
)
SAMPLES = "words | shingles:5 | moduli:5 | each | ~resemblance>=0.5"
ONE_COMPONENT = "words | shingles:1 | minhash:24 | bands:24x1 | resemblance>=0.6"
COUNTED = "words | terms:0.1,0.9 weight=idf:corpus | lexicons:4 | each | equal & resemblance>=0.7"


class Trial(NamedTuple):
    """The arguments of a command after `neardup`; DOCS and similar names represent the files of a corpus.

    The results of a run do not depend on its number of threads. The ends of its slices do, and with them the number of
    comparisons.
    """

    name: str
    arguments: list[str]
    threads: Sequence[int] = range(1, 5)


LITTLE = ["--memory", "58M"]
TIGHT = ["--threads", "1", *LITTLE]
DOCS, PACKED, OTHER, RUN = "docs.jsonl", "docs.jsonl.gz", "other.jsonl", "run"
FEW = "few.jsonl"
MOST = 15_000
"""Number of documents for which LITTLE is enough memory.

With more documents there are more slices, and each slice reads all documents.
"""

TRIALS = [
    Trial("dedup", ["dedup", DOCS]),
    Trial("dedup packed", ["dedup", PACKED]),
    Trial("dedup --against", ["dedup", DOCS, "--against", OTHER]),
    Trial("dedup --index", ["dedup", OTHER, "--index"]),
    Trial("dedup counted", ["dedup", DOCS, "--scheme", COUNTED]),
    Trial("cluster", ["cluster", DOCS]),
    Trial("cluster --pairs", ["cluster", DOCS, "--pairs"]),
    Trial("cluster --pairs in slices", ["cluster", FEW, "--pairs", "--scheme", ONE_COMPONENT, *LITTLE], [1]),
    Trial("pairs", ["pairs", DOCS]),
    Trial("pairs --passages", ["pairs", OTHER, "--passages"]),
    Trial("pairs in two passes", ["pairs", PACKED, "--scheme", " ; ".join(TWO_PASSES)]),
    Trial("passages", ["passages", DOCS, "--tokens", "12", "--cut", "tokens"]),
    Trial("sketch", ["sketch", DOCS, "--scheme", SAMPLES]),
    Trial("evidence", ["evidence", RUN, "--texts"]),
]


def write_corpus(folder: Path, documents: int, seed: int) -> None:
    """Write the inputs of the trials: a run, and files with families of copies and edits, most of them small."""
    import gzip

    random = Random(seed)
    words = [f"word{number}" for number in range(5000)]

    def texts(count: int) -> Iterator[str]:
        while count > 0:
            base = random.choices(words, k=random.randrange(15, 90))
            members = min(count, int(random.paretovariate(1)), 300)
            for _ in range(members):
                copy = list(base)
                for _ in range(random.choice([0, 1, 1, 1, 4])):
                    copy[random.randrange(len(copy))] = random.choice(words)
                yield " ".join(copy)
            count -= members

    folder.mkdir(parents=True, exist_ok=True)
    written = list(texts(documents))
    random.shuffle(written)
    lines = [json.dumps({"text": text}) + "\n" for text in written]
    (folder / DOCS).write_text("".join(lines), encoding="utf-8")
    (folder / FEW).write_text("".join(lines[:MOST]), encoding="utf-8")
    (folder / OTHER).write_text("".join(lines[: documents // 3]), encoding="utf-8")
    with gzip.open(folder / PACKED, "wt", compresslevel=1, encoding="utf-8") as file:
        file.writelines(lines[documents // 2 :])
    run_whole(Trial("pairs", ["pairs", OTHER]), folder, folder / RUN)


def command(trial: Trial, out: Path, threads: int | None = None) -> list[str]:
    threads = threads or min(2, max(trial.threads))
    return [sys.executable, "-m", "neardup", *trial.arguments, "-o", str(out), "--quiet", "--threads", str(threads)]


MEASURED = ("phases", "work_bytes")
"""Fields of a summary that depend on the run, not on the result; a work file keeps data that a stop cut off."""


def results(out: Path) -> dict[str, Any]:
    """Return the results of a run by file: its bytes, or for a summary its fields without measurements.

    An index is represented by the exit code of `index verify`, because its files contain a random identity.
    """
    files: dict[str, Any] = {}
    for path in sorted(out.rglob("*")):
        name = str(path.relative_to(out))
        if name == "run.json":
            files[name] = {key: value for key, value in json.loads(path.read_bytes()).items() if key not in MEASURED}
        elif name == "index":
            check = [sys.executable, "-m", "neardup", "index", "verify", str(path)]
            files[name] = subprocess.run(check, capture_output=True, check=True).returncode
        # the report contains the phases, too
        elif path.is_file() and name != "report.html" and not name.startswith("index"):
            files[name] = path.read_bytes()
    return files


def run_whole(trial: Trial, folder: Path, out: Path) -> float:
    """Run a trial undisturbed; return its duration in seconds."""
    shutil.rmtree(out, ignore_errors=True)
    started = time.monotonic()
    subprocess.run(command(trial, out), check=True, cwd=folder)
    return time.monotonic() - started


def run_killed(trial: Trial, folder: Path, out: Path, lasts: float, random: Random) -> int:
    """Start a trial and kill it at a random moment until one run ends; return the number of kills."""
    kills = 0
    while True:
        process = subprocess.Popen(command(trial, out, random.choice(trial.threads)), cwd=folder)
        try:
            # later attempts wait longer, because the machine may be busier than before
            process.wait(timeout=random.uniform(0, lasts * (1 + kills / 5)))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            # the run may have ended between the timeout and the kill
            if not out.exists():
                kills += 1
                continue
            # or the kill falls between the last two steps: the result has its name, but still contains the run's lock
            (out / "lock").unlink(missing_ok=True)
        assert out.exists(), f"{trial.name}: exit {process.returncode}"
        return kills


def differences(whole: dict[str, Any], killed: dict[str, Any]) -> list[str]:
    """Return the names of the results that differ."""
    return sorted(name for name in whole.keys() | killed.keys() if whole.get(name) != killed.get(name))


def try_out(trial: Trial, folder: Path, kills: int, random: Random) -> Iterator[tuple[int, list[str]]]:
    """Run a trial until it was killed `kills` times; yield for each finished run its kills and what differs."""
    whole = folder / "whole"
    lasts = run_whole(trial, folder, whole)
    wanted = results(whole)
    done = 0
    while done < kills:
        out = folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        count = run_killed(trial, folder, out, lasts, random)
        leftovers = [path.name for path in folder.glob("out.*")]
        done += count
        yield count, differences(wanted, results(out)) + leftovers
    shutil.rmtree(folder / "out")
    shutil.rmtree(whole)
