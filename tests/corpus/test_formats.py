"""Every cell of the reference of formats: format, compression, and where documents are read from."""

import lzma
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

import neardup
from formats_page import STDIN
from neardup import _core

TEXTS = ["the ferry left at noon", "no boat came today"]


def write_text(path: Path, suffix: str) -> list[str]:
    """Write a file of a format without compression; return the texts that it has."""
    writers: dict[str, Callable[[Path], list[str]]] = {
        "jsonl": _lines,
        "json": _array,
        "csv": lambda path: _table(path, ","),
        "tsv": lambda path: _table(path, "\t"),
        "html": lambda path: _whole(path, f"<!DOCTYPE html><title>x</title><p>{TEXTS[0]}</p>"),
        "warc": _archive,
        "arc": _archive,
        "parquet": lambda path: _columns(path, pq.write_table),
        "arrow": _stream,
        "feather": lambda path: _columns(path, feather.write_feather),
    }
    for formats, *_ in _core.formats():
        if suffix in formats:
            return writers.get(suffix, writers.get(formats[0], lambda path: _whole(path, TEXTS[0])))(path)
    raise ValueError(suffix)


def _lines(path: Path) -> list[str]:
    path.write_text("".join(f'{{"text": "{text}"}}\n' for text in TEXTS))
    return TEXTS


def _array(path: Path) -> list[str]:
    path.write_text("[" + ",\n".join(f'{{"text": "{text}"}}' for text in TEXTS) + "]")
    return TEXTS


def _table(path: Path, delimiter: str) -> list[str]:
    path.write_text(f"n{delimiter}text\n" + "".join(f"{n}{delimiter}{text}\n" for n, text in enumerate(TEXTS)))
    return TEXTS


def _whole(path: Path, content: str) -> list[str]:
    path.write_text(content)
    return TEXTS[:1]


def _archive(path: Path) -> list[str]:
    page = f"<p>{TEXTS[0]}</p>".encode()
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
    if "arc" in path.name.split(".") and "warc" not in path.name.split("."):
        about = b"1 0 test\nURL IP-address Archive-date Content-type Archive-length\n"
        head = b"filedesc://test.arc 0.0.0.0 20200101000000 text/plain %d\n" % len(about)
        page_head = b"http://a.example/ 0.0.0.0 20200101000000 text/html %d\n" % len(http)
        path.write_bytes(head + about + b"\n" + page_head + http + b"\n")
        return TEXTS[:1]
    head = (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:5a1e0b5c-0000-4000-8000-000000000000>\r\n"
        b"WARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: http://a.example/\r\n"
        b"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n"
    )
    path.write_bytes(head % len(http) + http + b"\r\n\r\n")
    return TEXTS[:1]


def _columns(path: Path, write: Callable[[pa.Table, Path], object]) -> list[str]:
    write(pa.table({"text": TEXTS}), path)
    return TEXTS


def _stream(path: Path) -> list[str]:
    table = pa.table({"text": TEXTS})
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table)
    return TEXTS


def pack(path: Path, suffix: str) -> Path:
    """Compress a file by a suffix such as `.gz`; return its path."""
    packed = path.with_name(path.name + suffix)
    content = path.read_bytes()
    if suffix == ".xz":
        packed.write_bytes(lzma.compress(content))
    else:
        codec = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2", ".lz4": "lz4"}[suffix]
        with pa.output_stream(str(packed), compression=codec) as file:
            file.write(content)
    path.unlink()
    return packed


CELLS = [
    pytest.param(suffixes[0], compression, id=f"{suffixes[0]}{compression}")
    for suffixes, compressions, _, _ in _core.formats()
    for compression in ("", *compressions)
]


@pytest.mark.parametrize(("suffix", "compression"), CELLS)
def test_a_format_with_a_compression(suffix: str, compression: str, tmp_path: Path) -> None:
    path = tmp_path / "folder" / f"docs.{suffix}"
    path.parent.mkdir()
    texts = write_text(path, suffix)
    if compression:
        path = pack(path, compression)
    assert [one.text.strip() for one in neardup.read(path)] == texts
    assert [one.text.strip() for one in neardup.read(path.parent, include=["*"])] == texts
    assert neardup.dedup(path).summary["counts"]["documents"] == len(texts)
    if suffix in STDIN:
        command = [sys.executable, "-m", "neardup", "dedup", "-", "-o", str(tmp_path / "out"), "--quiet"]
        with path.open("rb") as file:
            subprocess.run(command, stdin=file, check=True)
        kept = tmp_path / "out" / "kept" / f"stdin.{suffix}{compression}"
        assert [one.text for one in neardup.read(kept)] == texts


@pytest.mark.parametrize("suffix", [suffix for suffixes, *_ in _core.formats() for suffix in suffixes[1:]])
def test_every_other_suffix_of_a_format(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"docs.{suffix}"
    texts = write_text(path, suffix)
    assert [one.text.strip() for one in neardup.read(path)] == texts
