"""A run stays within --memory with the same result, or is refused with the memory that it needs."""

import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pyarrow.parquet as pq
import pytest

import neardup
from command import run_neardup
from records import enough, write_records
from systems import need_linux

MEMORY = 64 << 20
# Runs a command from a small process, so that the peak is that of the command; prints it in bytes.
PEAK = """
import os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
print(usage.ru_maxrss * 1024)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def peak(*arguments: str | Path) -> int:
    """Run the command line; return its peak memory in bytes."""
    need_linux("the peak of a process, in its units")
    command = [sys.executable, "-c", PEAK, sys.executable, "-m", "neardup", *map(str, arguments)]
    return int(subprocess.run(command, capture_output=True, check=True).stdout)


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents whose candidates do not fit into the memory together."""
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
    assert peak(*arguments, "--memory", str(MEMORY), "-o", tmp_path / "tight") <= MEMORY
    run_neardup(*arguments, "-o", tmp_path / "roomy")
    roomy, tight_run = (json.loads((tmp_path / name / "run.json").read_text()) for name in ("roomy", "tight"))
    assert tight_run["digest"] == roomy["digest"]
    assert tight_run["counts"] == roomy["counts"]


@pytest.fixture(scope="module")
def quotations(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents of the same sentences in random order; the passages do not fit into the memory."""
    random = Random(5)
    sentences = [" ".join(f"word{random.randrange(5000)}" for _ in range(12)) + "." for _ in range(3000)]
    records = [
        {"id": f"{9000 - number}", "text": " ".join(random.choices(sentences, k=30)) + f" Number {number}."}
        for number in range(9000)
    ]
    return write_records(tmp_path_factory.mktemp("quotations") / "docs.jsonl", records)


def test_peak_memory_of_passages(quotations: Path, tmp_path: Path) -> None:
    arguments = ["passages", str(quotations), "--id-field", "id", "--tokens", "10", "--threads", "1", "--quiet"]
    assert peak(*arguments, "--memory", str(MEMORY), "-o", tmp_path / "tight") <= MEMORY
    run_neardup(*arguments, "-o", tmp_path / "roomy")
    for name in ("passages", "repeated", "removed", "changed"):
        one, other = ((tmp_path / folder / f"{name}.parquet").read_bytes() for folder in ("tight", "roomy"))
        assert one == other
    tight_run, roomy = (json.loads((tmp_path / name / "run.json").read_text()) for name in ("tight", "roomy"))
    assert tight_run["digest"] == roomy["digest"]
    assert tight_run["counts"] == roomy["counts"]
    # at 80 bytes each, the passages would need more than a third of the memory
    assert roomy["counts"]["passages"] * 80 > MEMORY // 3


def test_passages_forecast_their_needs(tmp_path: Path) -> None:
    """The notices name about the disk that the run takes; three quarters of the corpus are repeated."""
    random = Random(3)
    words = [f"word{number}" for number in range(5000)]
    texts = [" ".join(random.choices(words, k=500)) for _ in range(3000)]
    docs = write_records(tmp_path / "docs.jsonl", ({"text": text} for text in texts * 4))
    notices: list[str] = []
    found = neardup.find_passages(docs, notice=notices.append, output=tmp_path / "out")
    assert len(notices) == 3
    assert " of memory; on the way about " in notices[0]
    assert ", and more for the repeated places, which will be reported, " in notices[0]
    assert notices[1].startswith("the repeated places and what is left to write will take about ")
    stated = re.search(r" about ([\d.]+) MB of disk, .* are free$", notices[1])
    assert stated
    taken = found.summary["work_bytes"] + docs.stat().st_size / 4
    assert 0.8 * taken < float(stated[1]) * 1e6 < 1.5 * taken
    assert notices[2].startswith("the repeated passages and what is left to write will take about ")


def test_too_little_for_any_run(docs: Path, tmp_path: Path) -> None:
    done = run_neardup("dedup", docs, "-o", tmp_path / "out", "--memory", "20M", "--threads", "1", code=2)
    assert "memory is 20M; a run with --threads 1 needs 50M and more" in done.stderr


def test_too_little_memory_is_refused_with_the_need(docs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments: list[str | Path] = ["dedup", docs, "-o", out, "--id-field", "id", "--threads", "1"]
    done = run_neardup(*arguments, "--memory", "56M", code=2)
    assert "the numbers and ids of 60000 documents" in done.stderr
    assert not out.exists()
    run_neardup(*arguments, "--memory", enough(done.stderr))


def test_peak_memory_of_many_copies(tmp_path: Path) -> None:
    """Half of many tiny documents are escaped copies, whose texts are read again to be compared with one original each.

    The name of the folder makes the ids long.
    """
    docs = tmp_path / ("a name of many words " * 9) / "docs.jsonl"
    docs.parent.mkdir()
    with docs.open("w", encoding="utf-8") as file:
        for number in range(600_000):
            rest = f"{number} b{number * 7} c d e"
            file.write(f'{{"text":"a{rest}"}}\n{{"text":"\\u0061{rest}"}}\n')
    arguments = ["dedup", str(docs), "--no-kept", "--threads", "1", "--quiet", "-o", str(tmp_path / "out")]
    refused = run_neardup(*arguments, "--memory", "66M", code=2)
    memory_enough = enough(refused.stderr)
    assert peak(*arguments, "--memory", memory_enough) <= int(memory_enough.removesuffix("M")) << 20
    counts = json.loads((tmp_path / "out" / "run.json").read_text())["counts"]
    assert (counts["identical"], counts["kept"]) == (600_000, 600_000)


@pytest.fixture(scope="module")
def long_size(deep: bool) -> int:
    """Size of a long text in megabytes."""
    return 8 if deep else 4


@pytest.fixture(scope="module")
def long_texts(tmp_path_factory: pytest.TempPathFactory, long_size: int) -> Path:
    """Short texts and four long ones, of which three are near-copies."""
    random = Random(9)
    words = [f"word{number}" for number in range(50_000)]
    base, other = (" ".join(random.choices(words, k=100_000 * long_size)) for _ in range(2))
    short = [f"short {number} " + " ".join(random.choices(words, k=50)) for number in range(2000)]
    texts = short[:500] + [f"{base} {number}" for number in range(3)] + short[500:] + [other]
    records = [{"id": f"d{number}", "text": text} for number, text in enumerate(texts)]
    return write_records(tmp_path_factory.mktemp("long") / "docs.jsonl", records)


LONG = ["dedup", "pairs --recall exact", "dedup --scheme contained", "cluster --forest --pairs", "passages"]


@pytest.mark.parametrize("how", LONG)
def test_peak_memory_of_long_texts(how: str, long_texts: Path, long_size: int, tmp_path: Path) -> None:
    """Texts are processed in parallel only as far as the memory allows, whatever the number of threads."""
    memory = (88 + 14 * long_size) << 20
    arguments = [*how.split(), str(long_texts), "--id-field", "id", "--threads", "6", "--quiet"]
    assert peak(*arguments, "--memory", str(memory), "-o", tmp_path / "tight") <= memory
    run_neardup(*arguments, "-o", tmp_path / "roomy", "--memory", "4G")
    roomy, tight_run = (json.loads((tmp_path / name / "run.json").read_text()) for name in ("roomy", "tight"))
    assert tight_run["digest"] == roomy["digest"]
    assert tight_run["counts"] == roomy["counts"]


@pytest.mark.parametrize("skip", [[], ["--on-error", "skip"]], ids=["stop", "skip"])
def test_a_text_that_is_too_long_is_refused_by_name(
    skip: list[str], long_texts: Path, long_size: int, tmp_path: Path
) -> None:
    arguments: list[str | Path] = [
        "dedup",
        long_texts,
        "--id-field",
        "id",
        "--threads",
        "2",
        *skip,
        "-o",
        tmp_path / "out",
    ]
    done = run_neardup(*arguments, "--memory", f"{36 + 8 * long_size}M", code=2)
    assert f"docs.jsonl, line 501: a text of {long_size}M takes about " in done.stderr
    assert not (tmp_path / "out").exists()
    run_neardup(*arguments, "--memory", enough(done.stderr))


def test_a_record_that_is_too_long_is_refused_by_name(tmp_path: Path) -> None:
    docs = write_records(tmp_path / "docs.jsonl", [{"text": "a"}, {"text": "b", "rest": "x" * (64 << 20)}])
    arguments: list[str | Path] = ["dedup", docs, "--threads", "1", "-o", tmp_path / "out"]
    done = run_neardup(*arguments, "--memory", "80M", code=2)
    assert "docs.jsonl, line 2: the record has 65M, more than can be read: memory is 80M; give " in done.stderr
    run_neardup(*arguments, "--memory", enough(done.stderr))


def test_passages_of_too_long_texts_are_refused_with_the_need(long_texts: Path, long_size: int, tmp_path: Path) -> None:
    out = tmp_path / "out"
    pairs: list[str | Path] = ["pairs", long_texts, "--id-field", "id", "--threads", "2", "-o", out, "--overwrite"]
    evidence: list[str | Path] = ["evidence", out, "--threads", "2", "-o", tmp_path / "evidence"]
    memory = f"{40 + 20 * long_size}M"
    run_neardup(*pairs, "--memory", memory)
    places = {
        "pairs": f"docs.jsonl, line 2004, of {long_size}M, and one as long,",
        "evidence": "docs.jsonl, line 501 and .*docs.jsonl, line 50",
    }
    for command in (evidence, [*pairs, "--passages"]):
        refused = run_neardup(*command, "--memory", memory, code=2)
        assert re.search(
            f"memory is {memory}, too little for the passages of .*{places[str(command[0])]}", refused.stderr
        )
        memory_enough = enough(refused.stderr)
        assert peak(*command, "--quiet", "--memory", memory_enough) <= int(memory_enough.removesuffix("M")) << 20
    passages = [pq.read_table(folder / "passages.parquet").num_rows for folder in (out, tmp_path / "evidence")]
    assert passages[0] == passages[1] > 0


def test_passages_of_long_chinese_texts_stay_within_the_stated_need(tmp_path: Path, *, deep: bool) -> None:
    """Nearly every character begins a token, so there are many more tokens in the same number of bytes."""
    random = Random(3)
    signs = [chr(sign) for sign in range(0x4E00, 0x9000)]
    base = "".join(
        "".join(random.choices(signs, k=20)) + random.choice("。，\n") for _ in range(130_000 if deep else 50_000)
    )
    texts = [f"{base}{number}" for number in range(3)]
    docs = tmp_path / "docs.jsonl"
    lines = (json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in texts)
    docs.write_text("".join(lines), encoding="utf-8")
    run_neardup("pairs", docs, "-o", tmp_path / "out")
    evidence: list[str | Path] = [
        "evidence",
        tmp_path / "out",
        "--threads",
        "2",
        "--quiet",
        "-o",
        tmp_path / "evidence",
    ]
    refused = run_neardup(*evidence, "--memory", "206M" if deep else "106M", code=2)
    assert "docs.jsonl, line 1 and " in refused.stderr
    memory_enough = enough(refused.stderr)
    assert peak(*evidence, "--memory", memory_enough) <= int(memory_enough.removesuffix("M")) << 20
    assert pq.read_table(tmp_path / "evidence" / "passages.parquet").num_rows >= len(texts)
