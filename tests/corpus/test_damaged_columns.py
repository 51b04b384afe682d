"""Parquet files with a damaged column that the run does not compare: rows that cannot be written again are rejected."""

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import neardup
from records import damage_chunk, read_jsonl, read_rows

ROWS = 4_000
GROUP = 1_000
TEXTS = [f"the ferry number {row // 2} leaves the long stone quay at seven" for row in range(ROWS)]
LINES = [f"{text}.\nShe comes back at noon on every one of the market days of the year." for text in TEXTS]


def write(path: Path, texts: list[str], codec: str = "snappy") -> None:
    draw = random.Random(5)
    notes = [draw.randbytes(1_000).hex() for _ in texts]
    numbers = list(range(len(texts)))
    table = pa.table({"number": numbers, "text": texts, "note": notes})
    pq.write_table(table, path, row_group_size=GROUP, compression=codec)


@pytest.mark.parametrize("codec", ["none", "snappy", "zstd"])
@pytest.mark.parametrize("column", ["number", "note"])
@pytest.mark.parametrize("verb", ["dedup", "find_passages"])
def test_rows_that_cannot_be_written_again_are_rejected(verb: str, column: str, codec: str, tmp_path: Path) -> None:
    path = tmp_path / "docs.parquet"
    write(path, TEXTS if verb == "dedup" else LINES, codec)
    damage_chunk(path, 2, ["number", "text", "note"].index(column))
    with pytest.raises(neardup.NeardupError, match=r"docs\.parquet.*damaged"):
        run(verb, path, tmp_path / "stopped")
    assert not (tmp_path / "stopped").exists()
    result = run(verb, path, tmp_path / "out", on_error="skip")
    [reject] = read_jsonl(tmp_path / "out" / "rejects.jsonl")
    read = result.summary["counts"]["documents"]
    # some good rows are decoded together with damaged ones
    assert 0 < read <= 2 * GROUP
    assert reject["row"] == read + 1
    assert "damaged" in reject["reason"]
    kept = read_rows(tmp_path / "out" / "kept" / path.name)
    assert [row["number"] for row in kept] == list(range(0, read, 2))
    # without kept files only the texts are read
    result = run(verb, path, tmp_path / "not_kept", on_error="skip", no_kept=True)
    assert result.summary["counts"]["documents"] == ROWS
    assert not result.summary["counts"]["rejected"]


def run(verb: str, path: Path, output: Path, **options: Any) -> Any:
    chosen = {"tokens": 8} if verb == "find_passages" else {}
    return getattr(neardup, verb)([path], output=output, **chosen, **options)


def test_a_finished_run_is_read_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "docs.parquet"
    write(path, TEXTS)
    damage_chunk(path, 1, 2)
    result = run("dedup", path, tmp_path / "out", on_error="skip")
    shown = neardup.evidence(tmp_path / "out", sample=3)
    assert shown.summary["counts"]["documents"] == result.summary["counts"]["documents"] < 2 * GROUP


@pytest.mark.parametrize("verb", ["dedup", "find_passages"])
def test_a_flipped_bit_of_any_column(verb: str, tmp_path: Path) -> None:
    """A flipped bit ends in an error, or in a kept file with all records that were neither dropped nor rejected."""
    whole, path = tmp_path / "whole.parquet", tmp_path / "docs.parquet"
    write(whole, TEXTS[:12])
    before, damaged = whole.read_bytes(), 0
    for place in range(4, len(before), len(before) // 100):
        data = bytearray(before)
        data[place] ^= 1 << place % 8
        path.write_bytes(data)
        result = run(verb, path, tmp_path / "out", on_error="skip", overwrite=True)
        damaged += result.summary["counts"]["rejected"]
        counts = result.summary["counts"]
        kept = tmp_path / "out" / "kept" / path.name
        rows = read_rows(kept) if kept.exists() else []
        assert len(rows) == counts["documents"] - counts["dropped"]
    assert damaged > 5
