"""A run stays within --memory, says what it needs when it cannot, and answers the same."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from conftest import run_neardup, write_records

MEMORY = 64 << 20
# Runs a command from a small process, so that the peak is the command's own; prints it in bytes.
PEAK = """
import os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
print(usage.ru_maxrss * 1024)
sys.exit(os.waitstatus_to_exitcode(status))
"""


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """So many candidates that they do not fit into the memory together."""
    random = Random(7)
    words = [f"word{number}" for number in range(5000)]
    records = []
    for family in range(12_000):
        base = " ".join(random.choices(words, k=30))
        copies = (f"{base} member{member}" if member % 2 else base for member in range(5))
        records += [{"id": f"{family}/{member}", "text": text} for member, text in enumerate(copies)]
    return write_records(tmp_path_factory.mktemp("memory") / "docs.jsonl", records)


FINGERPRINTS = "words | shingles:1 | simhash:64 | blocks:3 | hamming<=3"


@pytest.mark.parametrize("how", ["--recall=0.99", "--recall=exact", f"--scheme={FINGERPRINTS}"])
@pytest.mark.parametrize("verb", ["dedup", "cluster", "pairs"])
def test_peak_memory(verb: str, how: str, docs: Path, tmp_path: Path) -> None:
    arguments = [verb, str(docs), "--id-field", "id", how, "--threads", "1", "--quiet"]
    tight = [sys.executable, "-m", "neardup", *arguments, "--memory", str(MEMORY), "-o", str(tmp_path / "tight")]
    peak = int(subprocess.run([sys.executable, "-c", PEAK, *tight], capture_output=True, check=True).stdout)
    assert peak <= MEMORY
    run_neardup(*arguments, "-o", tmp_path / "roomy")
    roomy, tight_run = (json.loads((tmp_path / name / "run.json").read_text()) for name in ("roomy", "tight"))
    assert tight_run["digest"] == roomy["digest"]
    assert tight_run["counts"] == roomy["counts"]


def test_peak_memory_of_passages(docs: Path, tmp_path: Path) -> None:
    arguments = ["passages", str(docs), "--id-field", "id", "--tokens", "10", "--threads", "1", "--quiet"]
    tight = [sys.executable, "-m", "neardup", *arguments, "--memory", str(MEMORY), "-o", str(tmp_path / "tight")]
    peak = int(subprocess.run([sys.executable, "-c", PEAK, *tight], capture_output=True, check=True).stdout)
    assert peak <= MEMORY
    run_neardup(*arguments, "-o", tmp_path / "roomy")
    for name in ("passages", "repeated", "removed", "changed"):
        one, other = ((tmp_path / folder / f"{name}.parquet").read_bytes() for folder in ("tight", "roomy"))
        assert one == other


def test_too_little_for_any_run(docs: Path, tmp_path: Path) -> None:
    done = run_neardup("dedup", docs, "-o", tmp_path / "out", "--memory", "20M", "--threads", "1", code=2)
    assert "memory is 20M; a run with --threads 1 needs 44M and more" in done.stderr


def test_too_little_names_what_is_enough(docs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments: list[str | Path] = ["dedup", docs, "-o", out, "--id-field", "id", "--threads", "1"]
    done = run_neardup(*arguments, "--memory", "50M", code=2)
    assert "the numbers and ids of 60000 documents" in done.stderr
    enough = done.stderr.partition("; give ")[2].partition(" ")[0]
    assert not out.exists()
    run_neardup(*arguments, "--memory", enough)


def test_peak_memory_of_many_copies(tmp_path: Path) -> None:
    """Many tiny documents, half of them copies that are escaped: texts to look at again, and one original each."""
    docs = tmp_path / "docs.jsonl"
    with docs.open("w", encoding="utf-8") as file:
        for number in range(600_000):
            rest = f"{number} b{number * 7} c d e"
            file.write(f'{{"text":"a{rest}"}}\n{{"text":"\\u0061{rest}"}}\n')
    arguments = ["dedup", str(docs), "--no-kept", "--threads", "1", "--quiet", "-o", str(tmp_path / "out")]
    refused = run_neardup(*arguments, "--memory", "60M", code=2)
    enough = refused.stderr.partition("; give ")[2].partition(" ")[0]
    tight = [sys.executable, "-m", "neardup", *arguments, "--memory", enough]
    peak = int(subprocess.run([sys.executable, "-c", PEAK, *tight], capture_output=True, check=True).stdout)
    assert peak <= int(enough.removesuffix("M")) << 20
    counts = json.loads((tmp_path / "out" / "run.json").read_text())["counts"]
    assert (counts["identical"], counts["kept"]) == (600_000, 600_000)
