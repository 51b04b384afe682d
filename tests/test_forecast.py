"""What a run will take is told when some of a larger input is read: near the truth, however many threads read it."""

import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import neardup
from neardup import UsageError
from test_cli import on_a_terminal

COUNT = 80_000


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents of about a thousand characters, all of a length, as JSON lines and as Parquet."""
    folder = tmp_path_factory.mktemp("forecast")
    ids = [f"{number:06}" for number in range(COUNT)]
    texts = [" ".join(f"{int(name) * 7919 % 999_983 + at * 17:07}" for at in range(120)) for name in ids]
    with open(folder / "docs.jsonl", "w", encoding="utf-8") as lines:
        lines.writelines(json.dumps({"id": name, "text": text}) + "\n" for name, text in zip(ids, texts, strict=True))
    pq.write_table(
        pa.table({"id": ids, "text": texts}), folder / "docs.parquet", compression="none", use_dictionary=False
    )
    return folder


@pytest.mark.parametrize("threads", [1, 8])
@pytest.mark.parametrize("name", ["docs.jsonl", "docs.parquet"])
def test_documents_are_told_near_the_truth(name: str, threads: int, files: Path, tmp_path: Path) -> None:
    told: list[str] = []
    options: Any = {"id_field": "id", "no_kept": True, "notice": told.append, "threads": threads, "memory": "1G"}
    neardup.dedup(str(files / name), output=tmp_path / "out", **options)
    [notice] = told
    about = int(notice.removeprefix("about ").partition(" ")[0].replace(",", ""))
    assert 0.9 * COUNT < about < 1.1 * COUNT
    assert "of disk will be taken in" in notice


def test_on_a_terminal_it_has_a_line_of_its_own(files: Path, tmp_path: Path) -> None:
    written = on_a_terminal("dedup", files / "docs.jsonl", "-o", tmp_path / "out", "--no-kept", "--id-field", "id")
    assert re.search("(^|[\r\nKA])about [0-9,]+ documents: ", written)


def test_too_little_memory_is_refused_with_a_figure_that_will_do(files: Path, tmp_path: Path) -> None:
    options: Any = {"id_field": "id", "no_kept": True, "threads": 1, "output": tmp_path / "out"}
    with pytest.raises(
        UsageError, match=r"too little for the numbers and ids of \d+ documents.*; give \d+M or more"
    ) as error:
        neardup.dedup(str(files / "docs.jsonl"), memory="49M", **options)
    enough = str(error.value).partition("; give ")[2].partition(" ")[0]
    assert neardup.dedup(str(files / "docs.jsonl"), memory=enough, **options).summary["counts"]["documents"] == COUNT
