"""The digest of a run is the sum of the hashes of its rows, as the contract defines it."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet as pq
import pytest
from blake3 import blake3

from neardup import _core
from neardup.schemes.rule import RULES
from records import write_records

NONE = 2**64 - 1
RECORDS = [{"id": f"{number}", "text": f"the same words in every text of group {number // 3}"} for number in range(30)]


def row_bytes(row: list[Any]) -> bytes:
    """Write a row as the contract says."""
    return b"".join(map(_value, row))


def _value(value: str | int | None) -> bytes:
    if isinstance(value, str):
        return len(value.encode()).to_bytes(8, "little") + value.encode()
    return (NONE if value is None else value).to_bytes(8, "little")


def digest(table: str, rows: list[list[Any]]) -> str:
    """Compute a digest, slowly."""
    total = sum(int.from_bytes(blake3(row_bytes(row)).digest(), "little") for row in rows) % 2**256
    return blake3(row_bytes([table, 2, len(rows)]) + total.to_bytes(32, "little")).hexdigest()


def rows_of(folder: Path, table: str) -> Iterator[list[Any]]:
    """Yield the columns of each row that the digest includes."""
    columns = [name for name, _, is_digested, _ in _core.result_tables()[table] if is_digested]
    for row in pq.read_table(folder / f"{table}.parquet").to_pylist():
        row["rule"] = None if row.get("rule") is None else RULES.index(row["rule"])
        yield [row[name] for name in columns if name in row]


@pytest.mark.parametrize(("verb", "table"), [("dedup", "decisions"), ("cluster", "clusters"), ("pairs", "pairs")])
def test_an_oracle_gives_the_same_digest(verb: Any, table: str, tmp_path: Path) -> None:
    docs = write_records(tmp_path / "docs.jsonl", RECORDS)
    options: Any = {"id_field": "id", "output": str(tmp_path / "out")}
    summary = json.loads(_core.run(verb, [str(docs)], options).summary)
    rows = list(rows_of(tmp_path / "out", table))
    assert len(rows) == (30 if table != "pairs" else summary["counts"]["pairs"]) > 0
    Random(1).shuffle(rows)
    assert summary["digest"] == digest(table, rows) != digest(table, rows[1:])
    assert summary["digest_version"] == _core.digest_version == 2
