"""Kept records on the standard output: one valid stream in input order, and nothing else."""

import gzip
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import neardup
from command import Cli
from framed import answer, gzipped, warc_record
from systems import need_posix

ONE, TWO, THREE = "a lamp by the quay at dawn", "a boat out at sea in fog", "tar and salt and rope on deck"


def stream(*arguments: str | Path, code: int = 0, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run `dedup -o -` in a process, and return its bytes."""
    words = [sys.executable, "-m", "neardup", "dedup", *map(str, arguments), "-o", "-"]
    done = subprocess.run(words, capture_output=True, check=False, timeout=600, **options)
    assert done.returncode == code, done.stderr
    return done


def lines(*texts: str) -> bytes:
    return b"".join(json.dumps({"text": text}).encode() + b"\n" for text in texts)


def test_lines_of_several_files(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_bytes(lines(ONE, TWO, ONE).removesuffix(b"\n"))
    (tmp_path / "a.jsonl").write_bytes(b"\xef\xbb\xbf" + lines(TWO, THREE))
    done = stream(tmp_path / "b.jsonl", tmp_path / "a.jsonl")
    assert done.stdout == lines(ONE, TWO, THREE)
    assert b"kept" in done.stderr
    kept = stream(tmp_path / "b.jsonl", "--quiet", "--json")
    assert kept.stdout == lines(ONE, TWO)
    assert json.loads(kept.stderr)["counts"]["kept"] == 2
    assert not list(tmp_path.glob("*out*"))
    assert not (tmp_path / "-").exists()


def test_the_last_kept_line_gets_an_end_before_another_file(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines(ONE, TWO).removesuffix(b"\n"))
    (tmp_path / "b.jsonl").write_bytes(lines(THREE).removesuffix(b"\n"))
    assert stream(tmp_path / "a.jsonl", tmp_path / "b.jsonl").stdout == lines(ONE, TWO, THREE).removesuffix(b"\n")


def test_standard_input_to_standard_output() -> None:
    assert stream("-", input=lines(ONE, ONE, TWO)).stdout == lines(ONE, TWO)


def test_compressed_files_stay_compressed(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(lines(ONE, TWO, ONE).removesuffix(b"\n")))
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(lines(ONE, THREE)))
    done = stream(tmp_path / "a.jsonl.gz", tmp_path / "b.jsonl.gz")
    assert gzip.decompress(done.stdout) == lines(ONE, TWO, THREE)


@pytest.mark.parametrize("packed", [False, True])
def test_a_header_comes_once(tmp_path: Path, packed: bool) -> None:
    tables = [b"\xef\xbb\xbfid,text\r\n1,%s\r\n2,%s", b"\xef\xbb\xbfid,text\r\n3,%s\r\n4,%s\r\n"]
    texts = [(ONE, TWO), (ONE, THREE)]
    suffix = ".csv.gz" if packed else ".csv"
    for name, table, some in zip("ab", tables, texts, strict=True):
        data = table % tuple(text.encode() for text in some)
        (tmp_path / f"{name}{suffix}").write_bytes(gzip.compress(data) if packed else data)
    found = stream(tmp_path / f"a{suffix}", tmp_path / f"b{suffix}").stdout
    expected = f"\ufeffid,text\r\n1,{ONE}\r\n2,{TWO}\n4,{THREE}\r\n".encode()
    assert (gzip.decompress(found) if packed else found) == expected
    more = stream(tmp_path / f"a{suffix}", tmp_path / f"b{suffix}", "--add-fields", "group_size").stdout
    expected = f"\ufeffid,text,group_size\r\n1,{ONE},2\r\n2,{TWO},1\n4,{THREE},1\r\n".encode()
    assert (gzip.decompress(more) if packed else more) == expected


def test_one_file_of_any_kind(tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": [ONE, TWO, ONE]}), tmp_path / "a.parquet")
    found = pq.read_table(io.BytesIO(stream(tmp_path / "a.parquet").stdout))
    assert found.column("text").to_pylist() == [ONE, TWO]
    (tmp_path / "a.txt").write_text(ONE, encoding="utf-8")
    assert stream(tmp_path / "a.txt").stdout.decode() == ONE


def test_archives_follow_each_other(tmp_path: Path) -> None:
    records = [warc_record("response", answer(text.encode()), number) for number, text in enumerate((ONE, TWO, ONE))]
    (tmp_path / "a.warc.gz").write_bytes(b"".join(map(gzipped, records[:2])))
    (tmp_path / "b.warc.gz").write_bytes(gzipped(records[2]))
    done = stream(tmp_path / "a.warc.gz", tmp_path / "b.warc.gz")
    assert gzip.decompress(done.stdout) == b"".join(records[:2])


def make_mixed(folder: Path) -> None:
    (folder / "a.jsonl").write_bytes(lines(ONE))
    (folder / "b.jsonl.gz").write_bytes(gzip.compress(lines(ONE)))
    (folder / "a.csv").write_text(f"id,text\n1,{ONE}\n", encoding="utf-8")
    (folder / "b.csv").write_text(f"text,id\n{ONE},1\n", encoding="utf-8")
    for name in "ab":
        (folder / f"{name}.txt").write_text(ONE, encoding="utf-8")
        pq.write_table(pa.table({"text": [ONE]}), folder / f"{name}.parquet")


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (("a.jsonl", "a.csv"), "two formats"),
        (("a.jsonl", "b.jsonl.gz"), "two compressions"),
        (("a.csv", "b.csv"), "tables of different fields"),
        (("a.parquet", "b.parquet"), "files of this kind"),
        (("a.txt", "b.txt"), "files of this kind"),
    ],
)
def test_what_makes_no_stream_is_refused(tmp_path: Path, names: tuple[str, str], reason: str) -> None:
    make_mixed(tmp_path)
    done = stream(*(tmp_path / name for name in names), code=2)
    assert done.stdout == b""
    message = done.stderr.decode()
    assert reason in message
    assert all(name in message for name in names)


@pytest.mark.parametrize(
    ("options", "reason"),
    [(["--no-kept"], "no_kept"), (["--write-dropped"], "write_dropped"), (["--index"], "index")],
)
def test_what_needs_a_folder_is_refused(tmp_path: Path, options: list[str], reason: str) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines(ONE))
    assert reason in stream(tmp_path / "a.jsonl", *options, code=2).stderr.decode()


def test_other_verbs_write_no_records(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines(ONE))
    for verb in ("cluster", "pairs", "passages", "lexicon"):
        assert "only dedup" in cli(verb, tmp_path / "a.jsonl", "-o", "-", code=2).stderr
    with pytest.raises(neardup.UsageError, match="only dedup"):
        neardup.find_pairs(tmp_path / "a.jsonl", output="-")
    with pytest.raises(neardup.UsageError, match="not in files"):
        neardup.dedup([ONE, ONE], output="-")


def test_skipped_records_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines(ONE) + b"broken\n" + lines(TWO))
    done = stream(tmp_path / "a.jsonl", "--on-error", "skip", code=3)
    assert done.stdout == lines(ONE, TWO)
    assert "a.jsonl, line 2: broken JSON" in done.stderr.decode()


def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    """The exit code says that the stream is not complete, and there is no traceback."""
    need_posix("pipes")
    path = tmp_path / "a.jsonl"
    path.write_bytes(lines(*(f"{ONE} {number} {number + 1} {number + 2}" for number in range(20_000))))
    words = [sys.executable, "-m", "neardup", "dedup", str(path), "-o", "-"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(10) == b'{"text": "'
        process.stdout.close()
        message = process.stderr.read().decode()
        assert process.wait(600) == 1
    assert "standard output: cannot write all kept records" in message
    assert "Traceback" not in message
