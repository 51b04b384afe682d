"""Files of records, written and read."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from oracle import Doc


def write_records(path: Path, records: Iterable[dict[str, Any]], *, ascii_only: bool = True) -> Path:
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(record, ensure_ascii=ascii_only) + "\n" for record in records)
    return path


def write_jsonl(path: Path, docs: Iterable[Doc], *, ascii_only: bool = False) -> Path:
    records = ({"id": doc.id, "text": doc.text, "time": doc.time} for doc in docs)
    return write_records(path, records, ascii_only=ascii_only)


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Read a Parquet file as a list of rows."""
    import pyarrow.parquet

    rows: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
    return rows


def damage_chunk(path: Path, group: int, column: int) -> None:
    """Overwrite the pages of a column in a row group of a Parquet file."""
    import pyarrow.parquet

    chunk = pyarrow.parquet.read_metadata(path).row_group(group).column(column)
    start = chunk.dictionary_page_offset or chunk.data_page_offset
    data = bytearray(path.read_bytes())
    data[start : start + chunk.total_compressed_size] = b"\xff" * chunk.total_compressed_size
    path.write_bytes(data)


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def enough(refusal: str) -> str:
    """Return the memory that a refusal names as enough, in the form that `--memory` takes."""
    return refusal.partition("; give ")[2].partition(" ")[0]
