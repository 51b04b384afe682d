"""Parquet files as other programs write them: codecs, and the deprecated 96-bit times."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import neardup
from command import Cli
from records import read_rows

TEXT = "the ferry leaves the long stone quay at seven and comes back at noon on market days"
moment = datetime.fromisoformat


def dedup(cli: Cli, path: Path, times: list[datetime | None], **options: Any) -> list[dict[str, Any]]:
    """Write equal texts with these times, run `dedup`, which keeps the earliest, and return the kept rows."""
    pq.write_table(
        pa.table({"text": [TEXT] * len(times), "time": pa.array(times, pa.timestamp("us"))}), path, **options
    )
    cli("dedup", path, "-o", path.with_name("out"), "--time-field", "time")
    return read_rows(path.with_name("out") / "kept" / path.name)


@pytest.mark.parametrize("codec", ["NONE", "SNAPPY", "GZIP", "BROTLI", "LZ4", "ZSTD"])
def test_codecs(cli: Cli, tmp_path: Path, codec: str) -> None:
    path = tmp_path / "docs.parquet"
    early, late = moment("2020-01-02T03:04:05.678901"), moment("2021-01-02")
    assert dedup(cli, path, [late, early, None], compression=codec) == [{"text": TEXT, "time": early}]
    kept = pq.read_metadata(tmp_path / "out" / "kept" / path.name).row_group(0).column(0)
    assert kept.compression == codec.replace("NONE", "UNCOMPRESSED")


@pytest.mark.parametrize("with_schema", [False, True])
@pytest.mark.parametrize("early", ["0001-01-01", "1969-12-31T23:59:59.999999", "2020-01-02"])
def test_times_of_96_bits(cli: Cli, tmp_path: Path, early: str, with_schema: bool) -> None:
    path = tmp_path / "docs.parquet"
    # outside the range of nanoseconds in 64 bits on both sides, where an overflow would give another time
    times = [moment("3000-01-02"), moment(early), None]
    options = {"use_deprecated_int96_timestamps": True, "store_schema": with_schema}
    assert dedup(cli, path, times, **options) == [{"text": TEXT, "time": moment(early)}]
    assert pq.read_schema(tmp_path / "out" / "kept" / path.name).field("time").type == pa.timestamp("us")


def test_a_damaged_file_is_an_error_and_not_a_panic(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """One bit of the schema, a page or the metadata is flipped; the Parquet library panics on some of these files."""
    texts = [f"a text with the number {number} in a file" for number in range(3)]
    table = pa.table({"text": texts, "kind": pa.array(["a", "b", "a"]).dictionary_encode()})
    whole, damaged = tmp_path / "whole.parquet", tmp_path / "a.parquet"
    pq.write_table(table, whole, compression="none")
    (tmp_path / "b.jsonl").write_text('{"text": "another one"}\n')
    before = whole.read_bytes()
    wrong = 0
    for place in range(4, len(before), 3):
        data = bytearray(before)
        data[place] ^= 1 << place % 8
        damaged.write_bytes(data)
        try:
            read = [document.text for document in neardup.read([damaged, tmp_path / "b.jsonl"])]
        except neardup.NeardupError as error:
            wrong += str(damaged) in str(error) or "a.parquet" in str(error)
            continue
        # a file that is read despite the flipped bit has all its rows
        assert len(read) == 4
    assert wrong > 20
    assert "panicked" not in capfd.readouterr().err
