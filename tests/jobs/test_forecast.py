"""A run forecasts its needs from a sample of a large input, accurately for any number of threads."""

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import neardup
from command import run_neardup
from neardup import UsageError
from records import enough
from stopped import state
from terminal import on_a_terminal

COUNT = 80_000


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents of about a thousand characters, all of the same length, as JSON lines and as Parquet."""
    random = Random(1)
    folder = tmp_path_factory.mktemp("forecast")
    ids = [f"{number:06}" for number in range(COUNT)]
    texts = [random.randbytes(480).hex(" ", 4) for _ in ids]
    with open(folder / "docs.jsonl", "w", encoding="utf-8") as lines:
        lines.writelines(json.dumps({"id": name, "text": text}) + "\n" for name, text in zip(ids, texts, strict=True))
    pq.write_table(
        pa.table({"id": ids, "text": texts}), folder / "docs.parquet", compression="none", use_dictionary=False
    )
    return folder


@pytest.mark.parametrize("threads", [1, 8])
@pytest.mark.parametrize("name", ["docs.jsonl", "docs.parquet"])
def test_the_number_of_documents_is_estimated_well(name: str, threads: int, files: Path, tmp_path: Path) -> None:
    notices: list[str] = []
    options: Any = {"id_field": "id", "no_kept": True, "notice": notices.append, "threads": threads, "memory": "1G"}
    neardup.dedup(str(files / name), output=tmp_path / "out", **options)
    [notice] = notices
    about = int(notice.removeprefix("about ").partition(" ")[0].replace(",", ""))
    assert 0.9 * COUNT < about < 1.1 * COUNT
    assert "of disk will be taken in" in notice


def test_on_a_terminal_it_has_a_separate_line(files: Path, tmp_path: Path) -> None:
    written = on_a_terminal("dedup", files / "docs.jsonl", "-o", tmp_path / "out", "--no-kept", "--id-field", "id")
    assert re.search("(^|[\r\nKA])about [0-9,]+ documents: ", written)


def test_too_little_memory_is_refused_with_the_need(files: Path, tmp_path: Path) -> None:
    options: Any = {"id_field": "id", "no_kept": True, "threads": 1, "output": tmp_path / "out"}
    refusal = r"too little for the numbers and ids of about \d+ documents.*; give \d+M or more"
    with pytest.raises(UsageError, match=refusal) as error:
        neardup.dedup(str(files / "docs.jsonl"), memory="55M", **options)
    memory = enough(str(error.value))
    assert neardup.dedup(str(files / "docs.jsonl"), memory=memory, **options).summary["counts"]["documents"] == COUNT


SHORT, LONG = 290_000, 8_000


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two corpora in a row: the short documents of the first exceed the sampled beginning, and the rest are long."""
    folder = tmp_path_factory.mktemp("rows")
    with open(folder / "a.jsonl", "w", encoding="utf-8") as lines:
        lines.writelines(f'{{"id": "{number:06}", "text": "{number} {"short " * 15}"}}\n' for number in range(SHORT))
    with open(folder / "b.jsonl", "w", encoding="utf-8") as lines:
        lines.writelines(f'{{"id": "b{number:05}", "text": "{number} {"long " * 1000}"}}\n' for number in range(LONG))
    (folder / "all.jsonl").write_bytes((folder / "a.jsonl").read_bytes() + (folder / "b.jsonl").read_bytes())
    return folder


@pytest.mark.parametrize("names", [["all.jsonl"], ["a.jsonl", "b.jsonl"], ["b.jsonl", "a.jsonl"]])
def test_the_sample_comes_from_all_parts_of_the_input(names: list[str], rows: Path, tmp_path: Path) -> None:
    """The first 32 MB alone would suggest twice as many documents, and refuse a run that needs much less."""
    notices: list[str] = []
    options: Any = {"id_field": "id", "no_kept": True, "notice": notices.append, "threads": 1, "memory": "86M"}
    run = neardup.dedup([rows / name for name in names], output=tmp_path / "out", **options)
    counted = int(notices[0].removeprefix("about ").partition(" ")[0].replace(",", ""))
    assert counted == pytest.approx(SHORT + LONG, rel=0.1)
    assert run.summary["counts"]["documents"] == SHORT + LONG
    stated = re.search(r"about ([\d.]+) MB of disk", notices[0])
    tables = sum(path.stat().st_size for path in (tmp_path / "out").glob("*.parquet"))
    assert stated
    assert 0.9 < float(stated[1]) * 1e6 / (run.summary["work_bytes"] + tables) < 2


def test_a_doubtful_estimate_refuses_nothing(rows: Path, tmp_path: Path) -> None:
    """A doubtful estimate does not refuse a run; the exact count does.

    Only the beginning of a compressed file can be sampled, and here it suggests far too many documents.
    """
    packed = tmp_path / "all.jsonl.gz"
    # not compressed, so that the sampled beginning is not the whole file
    packed.write_bytes(gzip.compress((rows / "all.jsonl").read_bytes(), compresslevel=0))
    notices: list[str] = []
    options: Any = {
        "id_field": "id",
        "no_kept": True,
        "threads": 1,
        "output": tmp_path / "out",
        "notice": notices.append,
    }
    with pytest.raises(UsageError, match=rf"the numbers and ids of {SHORT + LONG} documents") as error:
        neardup.dedup(str(packed), memory="70M", **options)
    counted = int(notices[0].removeprefix("about ").partition(" ")[0].replace(",", ""))
    assert counted > 1.5 * (SHORT + LONG)
    # the second run resumes with the documents that were read
    journal = next((tmp_path / "out.partial").rglob("signed.json"))
    written = journal.stat().st_mtime_ns
    entries: list[int] = []
    run = neardup.dedup(
        str(packed),
        memory=enough(str(error.value)),
        progress=lambda *_: entries.append(found.st_mtime_ns if (found := state(journal)) else 0),
        **options,
    )
    assert run.summary["counts"]["documents"] == SHORT + LONG
    assert set(entries) <= {written, 0}


def write_family(path: Path, count: int, length: int, share: int) -> Path:
    """Write `count` texts of `length` words; one in `share` is a near-copy of one text of 60 words."""
    random = Random(11)
    words = [f"word{number}" for number in range(5000)]
    base = random.choices(words, k=60)

    def text(number: int) -> str:
        if number % share:
            return " ".join(random.choices(words, k=length))
        at = random.randrange(60)
        return " ".join([*base[:at], f"other{number}", *base[at + 1 :]])

    with open(path, "w", encoding="utf-8") as lines:
        lines.writelines(f'{{"id": "{number:06}", "text": "{text(number)}"}}\n' for number in range(count))
    return path


@pytest.fixture(scope="module")
def family(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """So many near-copies that the candidates of the family need more than the minimum memory."""
    return write_family(tmp_path_factory.mktemp("family") / "docs.jsonl", 130_000, 35, share=10)


NEEDS = pytest.mark.deep("its needs are among those of `cluster` and `pairs`")


@pytest.mark.parametrize("memory", ["51M", "66M"])
@pytest.mark.parametrize(
    "how",
    [
        ["cluster", "--forest", "--recall", "exact", "--index"],
        ["pairs", "--max-family", "100"],
        pytest.param(["dedup", "--no-kept"], marks=NEEDS),
        pytest.param(["dedup", "--no-kept", "--index"], marks=NEEDS),
        pytest.param(["dedup", "--recall", "exact", "--no-kept"], marks=NEEDS),
    ],
    ids=" ".join,
)
def test_one_refusal_names_the_need_of_the_whole_run(how: list[str], memory: str, family: Path, tmp_path: Path) -> None:
    arguments = [how[0], str(family), *how[1:], "--id-field", "id", "--quiet", "-o", str(tmp_path / "out")]
    refused = subprocess.run(
        [sys.executable, "-m", "neardup", *arguments, "--memory", memory],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if refused.returncode:
        assert refused.returncode == 2, refused.stderr
        run_neardup(*arguments, "--memory", enough(refused.stderr))
    else:
        assert memory != "51M"


def test_keys_pairs_and_forest_are_reported_when_they_are_known(family: Path, tmp_path: Path) -> None:
    notices: list[str] = []
    options: Any = {"id_field": "id", "notice": notices.append}
    pairs = neardup.find_pairs(
        str(family), recall="exact", threshold=0.5, max_family=3000, output=tmp_path / "pairs", **options
    )
    assert ", and more for the keys of the exact join and the pairs, which will be reported, " in notices[0]
    kinds = [re.split(" and what is left| will take", notice)[0] for notice in notices[1:]]
    assert kinds == ["the keys of the exact join", "the pairs", "the pairs"]
    assert ", by what is found so far, " in notices[2]
    table = (tmp_path / "pairs" / "pairs.parquet").stat().st_size
    assert 0.8 < sum(map(about, notices[:3])) / (pairs.summary["work_bytes"] + table) < 2
    notices.clear()
    long = write_family(tmp_path / "long.jsonl", 12_000, 400, share=5)
    neardup.cluster(str(long), forest=True, output=tmp_path / "cluster", **options)
    assert ", and more for the forest, which will be reported, " in notices[0]
    assert notices[1].startswith("the forest and what is left to write will take about ")


def about(notice: str) -> float:
    """Return the bytes of disk that a notice names."""
    stated = re.search(r"about ([\d.]+) ([kMG])B of disk", notice)
    assert stated, notice
    return float(stated[1]) * {"k": 1e3, "M": 1e6, "G": 1e9}[stated[2]]
