"""Arrow IPC as other programs write it: files and streams, codecs, dictionaries, old versions, damage."""

from collections.abc import Callable
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import feather

import neardup
from neardup import DataError
from records import read_jsonl

TEXTS = [f"the ferry number {row // 2} leaves the long stone quay at seven" for row in range(12)]
SITES = [("here", "there", None)[row % 3] for row in range(12)]
NOTES = [f"a note of the row {row}, which no job asks for" for row in range(12)]
COLUMNS = {"number": list(range(12)), "text": TEXTS, "site": SITES, "note": NOTES}


def table(kind: pa.DataType | None = None) -> pa.Table:
    """Return a table with a dictionary column and metadata; the texts have the type `kind`."""
    columns = {**COLUMNS, "text": pa.array(TEXTS, kind or pa.string()), "site": pa.array(SITES).dictionary_encode()}
    return pa.table(columns).replace_schema_metadata({"made by": "hand"})


def of_file(rows: pa.Table, size: int = 5, **options: Any) -> bytes:
    out = BytesIO()
    with pa.ipc.new_file(out, rows.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(rows, max_chunksize=size)
    return out.getvalue()


def of_stream(rows: pa.Table, size: int = 5, **options: Any) -> bytes:
    out = BytesIO()
    with pa.ipc.new_stream(out, rows.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(rows, max_chunksize=size)
    return out.getvalue()


def unless_refused(job: Callable[[], Any]) -> Any:
    """Return the result of a job, or `None` if it refuses the file with an error that names it."""
    try:
        return job()
    except DataError as error:
        if "docs.arrow" not in str(error):
            raise
        return None


FORMS: dict[str, Callable[..., bytes]] = {"file": of_file, "stream": of_stream}
READERS = {"file": pa.ipc.open_file, "stream": pa.ipc.open_stream}


@pytest.mark.parametrize("codec", [None, "lz4", "zstd"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("suffix", ["arrow", "feather", "arrows", "ipc", "ARROW"])
def test_kept_rows_are_unchanged(suffix: str, form: str, codec: str | None, tmp_path: Path) -> None:
    path = tmp_path / f"docs.{suffix}"
    path.write_bytes(FORMS[form](table(), compression=codec))
    result = neardup.dedup(path, output=tmp_path / "out")
    assert result.summary["counts"]["dropped"] == 6
    kept = tmp_path / "out" / "kept" / path.name
    with kept.open("rb") as file:
        rows = READERS[form](file).read_all()
    assert rows.equals(table().take(list(range(0, 12, 2))), check_metadata=True)
    assert rows.schema.equals(table().schema, check_metadata=True)
    # The kept file is a valid input and has no duplicates.
    again = neardup.dedup(kept).summary["counts"]
    assert (again["documents"], again["dropped"]) == (6, 0)


@pytest.mark.parametrize("codec", [None, "lz4", "zstd"])
@pytest.mark.parametrize("form", FORMS)
def test_the_codec_stays(form: str, codec: str | None, tmp_path: Path) -> None:
    texts = [f"{text} and {'the same words again ' * 200}{row // 2}" for row, text in enumerate(TEXTS)]
    path = tmp_path / "docs.arrow"
    path.write_bytes(FORMS[form](pa.table({"text": texts}), compression=codec))
    neardup.dedup(path, output=tmp_path / "out")
    kept = tmp_path / "out" / "kept" / path.name
    assert (kept.stat().st_size < sum(map(len, texts)) / 4) == (codec is not None)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
def test_all_kinds_of_texts(kind: pa.DataType, form: str, tmp_path: Path) -> None:
    path = tmp_path / "docs.arrow"
    path.write_bytes(FORMS[form](table(kind)))
    assert [document.text for document in neardup.read(path)] == TEXTS
    lines = [f"Ship {row}.\nShe comes back at noon on every one of the market days of the year." for row in range(12)]
    rows = pa.table({"text": pa.array(lines, kind), "number": list(range(12))})
    path.write_bytes(FORMS[form](rows))
    neardup.find_passages(path, tokens=8, output=tmp_path / "out")
    with (tmp_path / "out" / "kept" / path.name).open("rb") as file:
        kept = READERS[form](file).read_all()
    assert kept.schema == rows.schema
    assert kept.to_pylist() == [{"text": f"Ship {row}.\n" if row else lines[0], "number": row} for row in range(12)]


def test_rows_are_those_of_parquet(tmp_path: Path) -> None:
    """A batch of many rows is processed in parts; the results are those of any other format."""
    texts = [f"{row // 3} is the number of the ferry, and {row // 3 % 7} is that of the quay" for row in range(30_000)]
    rows = pa.table({"text": texts, "id": [f"d{row}" for row in range(30_000)]})
    digests = set()
    for form, size in (("file", 30_000), ("file", 77), ("stream", 30_000)):
        path = tmp_path / f"{form}{size}.arrow"
        path.write_bytes(FORMS[form](rows, size, compression="zstd"))
        digests |= {neardup.dedup(path, id_field="id", threads=threads).digest for threads in (1, 3)}
    pa.parquet.write_table(rows, tmp_path / "a.parquet")
    digests.add(neardup.dedup(tmp_path / "a.parquet", id_field="id").digest)
    assert len(digests) == 1


@pytest.mark.parametrize("deltas", [False, True])
def test_dictionaries_of_a_stream(deltas: bool, tmp_path: Path) -> None:
    """A stream may replace a dictionary, or add to it."""
    texts = [f"{text} of the {row}" for row, text in enumerate(TEXTS[:8])]
    parts = (
        (["a", "b"], ["a", "b", "c"], ["c", "b", None])
        if not deltas
        else (["a", "b"], ["a", "b", "c"], [None, "c", "b"])
    )
    rows, out = [], BytesIO()
    schema = pa.schema({"text": pa.string(), "site": pa.dictionary(pa.int32(), pa.string())})
    with pa.ipc.new_stream(out, schema, options=pa.ipc.IpcWriteOptions(emit_dictionary_deltas=deltas)) as writer:
        for part in parts:
            batch = pa.record_batch({"text": texts[: len(part)], "site": pa.array(part).dictionary_encode()}, schema)
            writer.write_batch(batch)
            rows += batch.to_pylist()
    path = tmp_path / "docs.arrow"
    path.write_bytes(out.getvalue())
    result = neardup.dedup(path, output=tmp_path / "out", scheme="words | shingles:2 | digest | each | equal")
    verdicts = result.decisions
    with (tmp_path / "out" / "kept" / path.name).open("rb") as file:
        kept = pa.ipc.open_stream(file).read_all().to_pylist()
    is_kept = [verdict == "keep" for verdict in pa.table(verdicts)["verdict"].to_pylist()]
    assert kept == [row for row, kept_one in zip(rows, is_kept, strict=True) if kept_one]
    assert 3 <= len(kept) < len(rows)


def test_dictionaries_of_a_file(tmp_path: Path) -> None:
    sites = pa.array(["here", "there", None, "here", "away", "there"]).dictionary_encode()
    rows = pa.table({"text": [TEXTS[0], *TEXTS[::2][:5]], "site": sites})
    path = tmp_path / "docs.arrow"
    path.write_bytes(of_file(rows, 2))
    neardup.dedup(path, output=tmp_path / "out")
    with (tmp_path / "out" / "kept" / path.name).open("rb") as file:
        assert pa.ipc.open_file(file).read_all() == rows.take([0, 2, 3, 4, 5])


def test_old_versions(tmp_path: Path) -> None:
    rows = pa.table({"text": TEXTS, "number": list(range(12))})
    path = tmp_path / "docs.arrow"
    for form in FORMS:
        for options in (
            {"metadata_version": pa.ipc.MetadataVersion.V4},
            {"use_legacy_format": True, "metadata_version": pa.ipc.MetadataVersion.V4},
        ):
            path.write_bytes(FORMS[form](rows, **options))
            assert [document.text for document in neardup.read(path)] == TEXTS
    path.write_bytes(b"FEA1" + bytes(60) + b"FEA1")
    with pytest.raises(DataError, match=r"docs\.arrow.*Feather file of version 1"):
        neardup.dedup(path)
    feather.write_feather(rows, path)
    assert [document.text for document in neardup.read(path)] == TEXTS


def test_a_file_keeps_the_metadata_of_its_footer(tmp_path: Path) -> None:
    out, rows = BytesIO(), table()
    with pa.ipc.new_file(out, rows.schema, metadata={b"written": b"on a Monday"}) as writer:
        writer.write_table(rows)
    path = tmp_path / "docs.arrow"
    path.write_bytes(out.getvalue())
    neardup.dedup(path, output=tmp_path / "out")
    with (tmp_path / "out" / "kept" / path.name).open("rb") as file:
        assert pa.ipc.open_file(file).metadata == {b"written": b"on a Monday"}


@pytest.mark.parametrize("codec", [None, "lz4", "zstd"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("verb", ["dedup", "find_passages"])
def test_a_flipped_bit(
    verb: str, form: str, codec: str | None, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A flipped bit ends in an error, or in a kept file with all records that were neither dropped nor rejected."""
    before, path = FORMS[form](table(), compression=codec), tmp_path / "docs.arrow"
    damaged = 0
    step = max(1, len(before) // 150)
    for place in range(0, len(before), step):
        data = bytearray(before)
        data[place] ^= 1 << place // step % 8
        path.write_bytes(data)
        chosen: dict[str, Any] = {"tokens": 8} if verb == "find_passages" else {}
        job = partial(getattr(neardup, verb), path, output=tmp_path / "out", on_error="skip", overwrite=True, **chosen)
        # Refused, for example because the name of a field changed.
        if (result := unless_refused(job)) is None:
            continue
        counts = result.summary["counts"]
        damaged += counts["rejected"]
        kept = tmp_path / "out" / "kept" / path.name
        rows = 0
        if kept.exists():
            with kept.open("rb") as file:
                is_file = file.read(6) == b"ARROW1"
                file.seek(0)
                rows = READERS["file" if is_file else "stream"](file).read_all().num_rows
        assert rows == counts["documents"] - counts.get("dropped", 0), place
    assert damaged > 5
    assert "panicked" not in capfd.readouterr().err


@pytest.mark.parametrize("form", FORMS)
def test_lengths_beyond_any_memory(form: str, tmp_path: Path) -> None:
    """Each eight bytes are replaced by large numbers, none of which ends the process."""
    before, path = FORMS[form](pa.table({"text": TEXTS}), compression="zstd"), tmp_path / "docs.arrow"
    for place in range(0, len(before) - 8, 8):
        for number in (2**62, 2**40, -(2**62)):
            path.write_bytes(before[:place] + number.to_bytes(8, "little", signed=True) + before[place + 8 :])
            read = unless_refused(lambda: [document.text for document in neardup.read(path)])
            assert read is None or len(read) == 12


def test_rows_before_damage_are_read(tmp_path: Path) -> None:
    rows = pa.table({"text": TEXTS})
    for form in FORMS:
        before = FORMS[form](rows, 4)
        place = before.rindex(TEXTS[8].encode())
        path = tmp_path / "docs.arrow"
        path.write_bytes(before[: place + 5] + b"\xff" + before[place + 6 :])
        result = neardup.dedup(path, on_error="skip", output=tmp_path / "out", overwrite=True)
        assert result.summary["counts"]["documents"] == 8
        [reject] = read_jsonl(tmp_path / "out" / "rejects.jsonl")
        assert (reject["row"], reject["unit"], reject["offset"], reject["len"]) == (9, "row", 8, 5)
        # A truncated file has rows, too.
        path.write_bytes(before[: place + 5])
        assert neardup.dedup(path, on_error="skip").summary["counts"]["documents"] == 8


def test_streams_in_one_file(tmp_path: Path) -> None:
    """Bytes after the end of a stream are not passed over."""
    path = tmp_path / "docs.arrows"
    path.write_bytes(2 * of_stream(pa.table({"text": TEXTS})))
    with pytest.raises(DataError, match="bytes follow its end"):
        neardup.dedup(path)
    assert neardup.dedup(path, on_error="skip").summary["counts"]["rejected"] == 1
