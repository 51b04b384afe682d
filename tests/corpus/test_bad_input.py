"""Every bad input gets a clear answer, and nothing is lost."""

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

from command import Cli
from records import read_jsonl, read_rows
from texts import lines_of_noise

GOOD = [
    json.dumps({"id": f"g{number}", "text": f"a good document, number {number}, of a few words", "time": number})
    for number in range(3)
]


def jsonl(line: bytes) -> bytes:
    return b"\n".join([GOOD[0].encode(), line, GOOD[1].encode(), GOOD[2].encode(), b""])


BAD_LINES: dict[str, tuple[bytes, str]] = {
    "broken": (b'{"id": "x", "text": "no end', "line 2"),
    "not an object": (b'["a", "b"]', "object"),
    "two values": (b'{"id": "x", "text": "a"} {"id": "y", "text": "b"}', "line 2"),
    "unescaped control": (b'{"id": "x", "text": "a\x01b"}', "control"),
    "unknown escape": (b'{"id": "x", "text": "a\\qb"}', "escape"),
    "lone surrogate": (b'{"id": "x", "text": "a\\ud800b"}', "hex escape"),
    "invalid UTF-8": (b'{"id": "x", "text": "a\xff\xfeb"}', "UTF-8"),
    "missing text": (b'{"id": "x", "body": "a"}', "text"),
    "number as text": (b'{"id": "x", "text": 12}', "string"),
    "list as text": (b'{"id": "x", "text": ["a"]}', "string"),
    "missing id": (b'{"text": "a"}', "id"),
    "null id": (b'{"id": null, "text": "a"}', "id"),
    "boolean id": (b'{"id": true, "text": "a"}', "id"),
    "repeated id": (b'{"id": "g0", "text": "a"}', "g0"),
    "bad time": (b'{"id": "x", "text": "a", "time": "yesterday"}', "yesterday"),
    "digits that are no time": (b'{"id": "x", "text": "a", "time": "170000"}', "170000"),
    "impossible date": (b'{"id": "x", "text": "a", "time": "2023-02-30"}', "2023-02-30"),
    "repeated member": (b'{"id": "x", "text": "a", "text": "b"}', "text"),
    "truncated member": (b'{"id": "x", "text": "a", "n": {"m": }}', "line 2"),
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_bad_lines(cli: Cli, tmp_path: Path, name: str) -> None:
    line, reason = BAD_LINES[name]
    path = tmp_path / "docs.jsonl"
    path.write_bytes(jsonl(line))
    arguments = ["dedup", path, "-o", tmp_path / "out", "--id-field", "id", "--time-field", "time"]
    stopped = cli(*arguments, code=1)
    assert "docs.jsonl" in stopped.stderr
    assert "line 2" in stopped.stderr
    assert reason.lower() in stopped.stderr.lower()
    assert not (tmp_path / "out").exists()
    skipped = cli(*arguments, "--on-error", "skip", "--json", code=3)
    assert json.loads(skipped.stdout)["counts"]["rejected"] == 1
    [reject] = read_jsonl(tmp_path / "out" / "rejects.jsonl")
    assert reject["row"] == 2
    assert reject["source"].endswith("docs.jsonl")
    assert reject["reason"]
    assert {row["id"] for row in read_rows(tmp_path / "out" / "decisions.parquet")} == {"g0", "g1", "g2"}


BAD_CSV: dict[str, tuple[bytes, str]] = {
    "too few fields": (b"id,text\na,one\nb\nc,three\n", "line 3"),
    "too many fields": (b"id,text\na,one\nb,two,more\nc,three\n", "line 3"),
    "open quote": (b'id,text\na,one\nb,"two\nc,three\n', "quote"),
    "invalid UTF-8": (b"id,text\na,one\nb,\xff\nc,three\n", "UTF-8"),
    "no such column": (b"id,body\na,one\n", "text"),
    "empty file": (b"", "header"),
}


@pytest.mark.parametrize("name", BAD_CSV)
def test_bad_csv(cli: Cli, tmp_path: Path, name: str) -> None:
    data, reason = BAD_CSV[name]
    path = tmp_path / "docs.csv"
    path.write_bytes(data)
    stopped = cli("dedup", path, "-o", tmp_path / "out", "--id-field", "id", code=1)
    assert "docs.csv" in stopped.stderr
    assert reason.lower() in stopped.stderr.lower()


def write_parquet(path: Path) -> None:
    pq.write_table(pa.table({"id": ["a", None, "a"], "text": ["one", "two", "three"]}), path)


def write_arrow(path: Path) -> None:
    feather.write_feather(pa.table({"id": ["a", None, "a"], "text": ["one", "two", "three"]}), path)


PLACES: dict[str, tuple[Callable[[Path], object], list[str]]] = {
    "docs.jsonl": (
        lambda path: path.write_bytes(b'\n{"id": "a", "text": "one"}\n{"id": "b"}\n{"id": "a", "text": "three"}\n'),
        ["docs.jsonl, line 3", "docs.jsonl, line 4", "docs.jsonl, line 2"],
    ),
    # a record is named by its first line
    "docs.csv": (
        lambda path: path.write_bytes(b'id,text\na,"one\ntwo"\nb,"three\nfour",five\na,six\n'),
        ["docs.csv, line 4", "docs.csv, line 6", "docs.csv, line 2"],
    ),
    "docs.parquet": (write_parquet, ["docs.parquet, row 2", "docs.parquet, row 3", "docs.parquet, row 1"]),
    "docs.arrow": (write_arrow, ["docs.arrow, row 2", "docs.arrow, row 3", "docs.arrow, row 1"]),
}


@pytest.mark.parametrize("name", PLACES)
def test_places_are_named_by_their_unit(cli: Cli, tmp_path: Path, name: str) -> None:
    write, [bad, again, first] = PLACES[name]
    write(tmp_path / name)
    options = ["-o", tmp_path / "out", "--id-field", "id"]
    assert f"{bad}: " in cli("dedup", tmp_path / name, *options, code=1).stderr
    cli("dedup", tmp_path / name, *options, "--on-error", "skip", code=3)
    rejects = read_jsonl(tmp_path / "out" / "rejects.jsonl")
    assert [f"{name}, {reject['unit']} {reject['row']}" for reject in rejects] == [bad, again]
    assert f'the id "a" is already used at {first}' == rejects[1]["reason"]


def test_a_file_that_is_one_document_is_named_alone(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "odd.txt").write_bytes(b"caf\xe9")
    (tmp_path / "in" / "plain.txt").write_bytes(b"plain words")
    assert " odd.txt: invalid UTF-8" in cli("dedup", tmp_path / "in", "-o", tmp_path / "out", code=1).stderr
    cli("dedup", tmp_path / "in", "-o", tmp_path / "out", "--on-error", "skip", code=3)
    [reject] = read_jsonl(tmp_path / "out" / "rejects.jsonl")
    assert (reject["source"], reject["unit"], reject["row"]) == ("odd.txt", "file", 1)


def test_a_reject_of_the_reference_takes_nothing_from_the_input(cli: Cli, tmp_path: Path) -> None:
    # both files are shown as docs.jsonl, their paths below the folders
    for folder in ("input", "reference"):
        (tmp_path / folder).mkdir()
    data = "\n".join(GOOD).encode() + b"\n"
    (tmp_path / "input" / "docs.jsonl").write_bytes(data)
    twice = b'{"id": "x", "text": "quite other words"}\n'
    (tmp_path / "reference" / "docs.jsonl").write_bytes(b'{"id": "x"}\n' + twice + twice)
    options = ["--against", tmp_path / "reference", "-o", tmp_path / "out", "--id-field", "id", "--on-error", "skip"]
    cli("dedup", tmp_path / "input", *options, code=3)
    assert [reject["row"] for reject in read_jsonl(tmp_path / "out" / "rejects.jsonl")] == [1, 3]
    assert (tmp_path / "out" / "kept" / "docs.jsonl").read_bytes() == data


# the bytes before the repeated record, that record, and a bad record after it
REPEATED: dict[str, tuple[bytes, bytes, bytes]] = {
    "docs.jsonl": (
        b'\xef\xbb\xbf{"id": "a", "text": "one"}\n\n',
        b'{"id": "a", "text": "t\\u0077o"}\r\n',
        b'{"id": "b"}\n',
    ),
    "docs.csv": (b"id,text\na,one\n", b'a,"two"\n', b"b\n"),
}


@pytest.mark.parametrize("gz", [False, True])
@pytest.mark.parametrize("name", REPEATED)
def test_a_repeated_id_is_rejected_with_its_place(cli: Cli, tmp_path: Path, name: str, gz: bool) -> None:
    before, repeated, bad = REPEATED[name]
    data, name = before + repeated + bad, f"{name}.gz" if gz else name
    (tmp_path / name).write_bytes(gzip.compress(data) if gz else data)
    cli("dedup", tmp_path / name, "-o", tmp_path / "out", "--id-field", "id", "--on-error", "skip", code=3)
    [reject, _] = read_jsonl(tmp_path / "out" / "rejects.jsonl")
    assert (reject["offset"], reject["len"], reject["excerpt"]) == (len(before), len(repeated), "two")
    kept = (tmp_path / "out" / "kept" / name).read_bytes()
    assert (gzip.decompress(kept) if gz else kept) == before
    # the repeated document is in no result
    assert [row["id"] for row in read_rows(tmp_path / "out" / "decisions.parquet")] == ["a"]


def test_rows_of_csv_are_lines(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "docs.csv"
    path.write_bytes(b'text\n"one\ntwo"\n"three\nfour\nfive"\nsix\n')
    cli("dedup", path, "-o", tmp_path / "out")
    assert [row["row"] for row in read_rows(tmp_path / "out" / "decisions.parquet")] == [2, 4, 7]


TRUNCATED: dict[str, Callable[[bytes], bytes]] = {
    "docs.jsonl.gz": lambda data: gzip.compress(data)[:-200],
    "docs.jsonl.zst": lambda data: bytes(memoryview(pa.compress(data, codec="zstd")))[:-200],
    "docs.csv.gz": lambda data: gzip.compress(data)[:-200],
    "docs.parquet": lambda data: data[:-200],
    "docs.jsonl": lambda data: data[:-30],
}


@pytest.mark.parametrize("name", TRUNCATED)
def test_truncated_files(cli: Cli, tmp_path: Path, name: str) -> None:
    records = lines_of_noise(2000)
    if ".csv" in name:
        data = "\n".join(["text", *(record["text"] for record in records), ""]).encode()
    elif ".parquet" in name:
        sink = pa.BufferOutputStream()
        pq.write_table(pa.Table.from_pylist(records), sink)
        data = sink.getvalue().to_pybytes()
    else:
        data = "".join(json.dumps(record) + "\n" for record in records).encode()
    path = tmp_path / name
    path.write_bytes(TRUNCATED[name](data))
    stopped = cli("dedup", path, "-o", tmp_path / "out", code=1)
    assert name in stopped.stderr
    if ".parquet" not in name:
        skipped = cli("dedup", path, "-o", tmp_path / "out", "--on-error", "skip", "--json", code=3)
        counts = json.loads(skipped.stdout)["counts"]
        assert counts["rejected"] == 1
        assert 1500 < counts["documents"] < 2000


def test_a_compression_bomb_needs_no_memory(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "bomb.jsonl.gz"
    # consecutive gzip members form one text
    begin, middle, end = (gzip.compress(part) for part in (b'{"text": "', b"a" * (1 << 20), b'"}\n'))
    path.write_bytes(begin + 1200 * middle + end)
    stopped = cli("dedup", path, "-o", tmp_path / "out", "--memory", "512M", code=1)
    assert "bomb.jsonl.gz" in stopped.stderr
    assert "line 1" in stopped.stderr


def test_a_document_of_many_megabytes(cli: Cli, tmp_path: Path, *, deep: bool) -> None:
    """A document of 50 MB in the deep tier, and of 10 MB by default."""
    size = 50 if deep else 10
    long = " ".join(f"word{number % 9973} and{number % 7919}" for number in range(66_000 * size))
    assert len(long) > size << 20
    texts = [long, GOOD[0], long + " with an end of its own", long]
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
    cli("dedup", path, "-o", tmp_path / "out")
    rows = read_rows(tmp_path / "out" / "decisions.parquet")
    assert [row["verdict"] for row in rows] == ["keep", "keep", "drop", "drop"]
    assert [row["rule"] for row in rows] == [None, None, "near", "identical"]


def test_empty_blank_and_short_texts_are_kept_and_counted(cli: Cli, tmp_path: Path) -> None:
    texts = ["", "", "  \n\t", "\u3000", "!!!", "!?", "one", "ONE", "one two", "one two three four five"]
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
    done = cli("dedup", path, "-o", tmp_path / "out", "--json")
    summary = json.loads(done.stdout)
    assert summary["counts"]["without_text"] == 6
    assert summary["counts"]["short"] == 3
    assert len(summary["without_text"]) == 6
    rows = read_rows(tmp_path / "out" / "decisions.parquet")
    assert [row["verdict"] for row in rows] == ["keep"] * 7 + ["drop"] + ["keep"] * 2


def test_deep_nesting_does_no_harm(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_bytes(b'{"text": "a", "n": ' + b"[" * 300_000 + b"]" * 300_000 + b"}\n")
    done = subprocess.run(
        [sys.executable, "-m", "neardup", "dedup", path, "-o", tmp_path / "out"], capture_output=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr


def test_lines_end_at_newline_only(cli: Cli, tmp_path: Path) -> None:
    texts = ["one\u2028two", "three\x85four", "five\x0bsix\x0cseven"]
    path = tmp_path / "docs.jsonl"
    lines = [json.dumps({"text": text}, ensure_ascii=number == 2) for number, text in enumerate(texts)]
    path.write_text("\n\n  \n".join(lines), encoding="utf-8")
    cli("dedup", path, "-o", tmp_path / "out")
    assert [row["row"] for row in read_rows(tmp_path / "out" / "decisions.parquet")] == [1, 4, 7]


EXACT = "words | shingles:5 | whole | prefix:auto | resemblance>=0.8"
WRONG = {
    "threshold": (["--threshold", "1.5"], "1.5"),
    "threshold of zero": (["--threshold", "0"], "0"),
    "threshold of words": (["--threshold", "high"], "high"),
    "recall": (["--recall", "1"], "exact"),
    "recall of words": (["--recall", "all"], "exact"),
    "keep": (["--keep", "best"], "earliest"),
    "prefer": (["--prefer", "site"], "FIELD=VALUE"),
    "memory": (["--memory", "lots"], "512M"),
    "threads": (["--threads", "0"], "0"),
    "unknown stage": (["--scheme", "words | shingels:5 | minhash:96 | bands:16x6 | resemblance>=0.8"], "shingles"),
    "too many bands": (["--scheme", "words | shingles:5 | minhash:96 | bands:16x7 | resemblance>=0.8"], "96"),
    "no stages": (["--scheme", "words"], "words"),
    "two thresholds": (["--scheme", EXACT, "--threshold", "0.5"], "threshold"),
    "recall without auto": (["--scheme", EXACT.replace("auto", "0.8"), "--recall", "exact"], "auto"),
    "prefix on minhash": (["--scheme", "words | shingles:5 | minhash:96 | prefix:auto | resemblance>=0.8"], "whole"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_options_name_what_is_allowed(cli: Cli, tmp_path: Path, name: str) -> None:
    options, word = WRONG[name]
    path = tmp_path / "docs.jsonl"
    path.write_text("\n".join(GOOD), encoding="utf-8")
    done = cli("dedup", path, "-o", tmp_path / "out", *options, code=2)
    assert word in done.stderr
    assert not (tmp_path / "out").exists()


def _parquet(change: Callable[[bytearray], bytes]) -> bytes:
    table = pa.table({"text": [f"a text with the number {number} in a file" for number in range(3)]})
    buffer = pa.BufferOutputStream()
    pq.write_table(table, buffer, compression="none", use_dictionary=False)
    return change(bytearray(buffer.getvalue().to_pybytes()))


def _arrow() -> bytes:
    buffer = pa.BufferOutputStream()
    feather.write_feather(pa.table({"text": ["one", "two"]}), buffer)
    data: bytes = buffer.getvalue().to_pybytes()
    return data


def _flip(data: bytearray) -> bytes:
    """Change the header of the first page."""
    data[4:8] = b"\xff\xff\xff\xff"
    return bytes(data)


BROKEN_TABLES = {
    "empty.csv": b"",
    "empty.tsv": b"",
    "quote.csv": b'"id,text\nx,y\n',
    "empty.csv.gz": b"",
    "cut.csv.gz": gzip.compress(b"id,text\n1,one\n")[:9],
    "empty.csv.zst": b"",
    "empty.parquet": b"",
    "cut.parquet": _parquet(lambda data: bytes(data[:-20])),
    "flipped.parquet": _parquet(_flip),
    "empty.arrow": b"",
    "cut.arrow": _arrow()[:30],
    "text.feather": b"no Arrow at all, but a line of text",
}


@pytest.mark.parametrize("verb", ["dedup", "passages"])
@pytest.mark.parametrize("name", BROKEN_TABLES)
def test_a_table_that_cannot_be_read_is_one_reject(cli: Cli, tmp_path: Path, name: str, verb: str) -> None:
    if (name, verb) == ("flipped.parquet", "passages"):
        pytest.skip("nothing is cut from rows before a damage")
    good, broken = tmp_path / "good.jsonl", tmp_path / name
    good.write_text('{"text": "one good document"}\n', encoding="utf-8")
    broken.write_bytes(BROKEN_TABLES[name])
    done = cli(verb, good, broken, "-o", tmp_path / "out", code=1)
    assert name in done.stderr
    assert "--on-error skip" in done.stderr
    cli(verb, good, broken, "-o", tmp_path / "out", "--on-error", "skip", code=3)
    (reject,) = read_jsonl(tmp_path / "out" / "rejects.jsonl")
    assert reject["source"].endswith(name)
    assert reject["row"] == 1
    assert (tmp_path / "out" / "kept" / "good.jsonl").read_bytes() == good.read_bytes()
