"""Two sums: files found = read + not read, and records found = read + rejected + passed over."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

import neardup
from command import Cli
from framed import NAMES, Made, answer, arc_records, gzipped, made, page, sized, texts, warc_record, warc_records
from neardup import DataError
from neardup.corpus.archives import read_archive
from records import read_rows

TEXTS = ("the ferry leaves the quay at noon", "salt is on the rope of the old gull", "the oven of the harbour is cold")


class Sample(NamedTuple):
    """A file with at least three good texts, and the counts of its other records."""

    content: bytes
    read: int = 3
    rejected: int = 0
    passed_over: dict[str, int] = {}  # noqa: RUF012 - nobody writes to it
    blank: int = 0


def jsonl() -> bytes:
    lines = [json.dumps({"text": text}) for text in TEXTS]
    return "\n".join(
        [*lines, '{"text": null}', '{"text": ""}', '{"body": "no text"}', "no JSON", "", '{"text": 5}', ""]
    ).encode()


def csv() -> bytes:
    return "\n".join(
        ["n,text", *(f'1,"{text}"' for text in TEXTS), "2,", "3", '4,"a, ""b"" ""', "1,x,y", "5,", ""]
    ).encode()


def tsv() -> bytes:
    """Return TSV in which an unclosed quote is a plain character."""
    return "\n".join(["n\ttext", *(f'1\t"{text}' for text in TEXTS), "2\t", "3", "1\tx\ty", ""]).encode()


def parquet(folder: Path) -> bytes:
    pq.write_table(pa.table({"text": [*TEXTS, None, ""]}), folder / "made")
    return (folder / "made").read_bytes()


def arrow(folder: Path) -> bytes:
    feather.write_feather(pa.table({"text": [*TEXTS, None, ""]}), folder / "made")
    return (folder / "made").read_bytes()


def warc(pack: Callable[[bytes], bytes] = bytes) -> bytes:
    """Return three pages with their other records, a response with another status, an image and a damaged page."""
    away = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<p>gone"
    image = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nPNG"
    bad = page("bad", sized=False).replace(b"\r\n\r\n", b"\r\nContent-Encoding: br\r\n\r\n\x0b", 1)
    more = [warc_record("response", body, 50 + number) for number, body in enumerate((away, image, bad))]
    return b"".join(map(pack, [*(record for record, _ in warc_records()), *more]))


PASSED_OVER = {"warcinfo record": 1, "request record": 3, "status 404": 1, "type image/png": 1}

SAMPLES: dict[str, Callable[[Path], Sample]] = {
    "a.jsonl": lambda _: Sample(jsonl(), 5, 3, blank=2),
    "a.jsonl.gz": lambda _: Sample(gzipped(jsonl()), 5, 3, blank=2),
    "a.jsonl.zst": lambda _: Sample(sized(jsonl()), 5, 3, blank=2),
    "a.tsv": lambda _: Sample(tsv(), 4, 2, blank=1),
    "a.parquet": lambda folder: Sample(parquet(folder), 5, blank=2),
    "a.arrow": lambda folder: Sample(arrow(folder), 5, blank=2),
    "a.feather": lambda folder: Sample(arrow(folder)[:-20], 5, 1, blank=2),
    "a.txt": lambda _: Sample(TEXTS[0].encode(), 1),
    "a.md": lambda _: Sample(b"", 1, blank=1),
    "a.html": lambda _: Sample(b"<p>a page of its own", 1),
    "a.html.gz": lambda _: Sample(gzipped(b"<p>a page of its own"), 1),
    "a.warc": lambda _: Sample(warc(), 3, 1, PASSED_OVER),
    "a.warc.gz": lambda _: Sample(warc(gzipped), 3, 1, PASSED_OVER),
    "a.arc": lambda _: Sample(b"".join(record for record, _ in arc_records()), 3, 0, {"warcinfo record": 1}),
    "a.arc.gz": lambda _: Sample(
        b"".join(gzipped(record) for record, _ in arc_records()), 3, 0, {"warcinfo record": 1}
    ),
}


@pytest.mark.on_spark(0)
@pytest.mark.parametrize("name", SAMPLES)
def test_records(name: str, engine: Any, tmp_path: Path) -> None:
    sample = SAMPLES[name](tmp_path)
    path = tmp_path / name
    path.write_bytes(sample.content)
    if sample.rejected:
        with pytest.raises(DataError, match=name):
            neardup.dedup(path, engine=engine)
    summary = neardup.dedup(path, on_error="skip", engine=engine).summary
    records: dict[str, Any] = summary["records"]
    assert records["read"] == summary["counts"]["documents"] == sample.read
    assert records["rejected"] == sample.rejected
    assert records["kinds"] == sample.passed_over
    assert records["passed_over"] == sum(sample.passed_over.values())
    assert records["found"] == sample.read + sample.rejected + sum(sample.passed_over.values())
    assert summary["counts"]["without_text"] == sample.blank
    [source] = summary["inputs"]
    assert (source["documents"], source["rejected"], source["passed_over"]) == (
        sample.read,
        sample.rejected,
        records["passed_over"],
    )


def test_an_unclosed_quote_of_csv_loses_the_rows_that_follow(tmp_path: Path) -> None:
    """The rows are one bad record, which is named by its first line."""
    path = tmp_path / "a.csv"
    path.write_bytes(csv())
    with pytest.raises(DataError, match="line 6"):
        neardup.dedup(path)
    read = neardup.dedup(path, on_error="skip")
    assert read.summary["records"] | {"kinds": {}} == {
        "found": 6,
        "read": 4,
        "rejected": 2,
        "passed_over": 0,
        "kinds": {},
        "flaws": {},
    }


@pytest.mark.parametrize("how", ["folder", "glob", "named"])
def test_files(cli: Cli, tmp_path: Path, how: str) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("a.jsonl", "b.jsonl"):
        (folder / name).write_text(json.dumps({"text": f"{name} has a text of its own"}) + "\n", encoding="utf-8")
    for name in ("c.doc", "d.doc", "e", "f.jsonl.rar"):
        (folder / name).write_bytes(b"?")
    named = [folder / "a.jsonl", folder / "b.jsonl"]
    inputs: dict[str, list[Path | str]] = {"folder": [folder], "glob": [f"{folder}/*"], "named": [*named]}
    done = cli("dedup", *inputs[how], "-o", tmp_path / "out")
    files = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))["files"]
    not_read = 0 if how == "named" else 4
    assert (files["found"], files["read"], files["not_read"]) == (2 + not_read, 2, not_read)
    assert sum(files["reasons"].values()) == not_read
    assert ("not read" in done.stdout) == (not_read > 0)
    if not_read:
        assert "4 of 6" in done.stdout
        assert ".doc" in done.stdout
        assert {Path(name).name for name in files["names"]} == {"c.doc", "d.doc", "e", "f.jsonl.rar"}


def test_a_named_file_of_unknown_suffix_is_an_error(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "c.doc"
    path.write_bytes(b"?")
    assert "c.doc" in cli("dedup", path, "-o", tmp_path / "out", code=2).stderr


def test_the_summary_reports_records_that_were_passed_over(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(warc(gzipped))
    printed = cli("dedup", tmp_path / "a.warc.gz", "-o", tmp_path / "out", "--on-error", "skip", code=3).stdout
    assert "6 records without a document" in printed
    assert "1 status 404" in printed
    assert "passed over" not in cli("dedup", write(tmp_path), "-o", tmp_path / "other").stdout


def write(folder: Path) -> Path:
    path = folder / "docs.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["a.warc.gz", "a.jsonl.gz", "a.jsonl.zst"])
def test_a_compressed_file_that_loses_every_record_stays_readable(cli: Cli, tmp_path: Path, name: str) -> None:
    """A kept archive also contains the records that are not documents; this one has none."""
    records = [record for record, count in warc_records() if count]
    content = (
        b"".join(map(gzipped, records))
        if "warc" in name
        else b"".join(json.dumps({"text": text}).encode() + b"\n" for text in TEXTS)
    )
    if name == "a.jsonl.gz":
        content = gzipped(content)
    elif name == "a.jsonl.zst":
        content = sized(content)
    (tmp_path / name).write_bytes(content)
    (tmp_path / f"copy-{name}").write_bytes(content)
    cli("dedup", tmp_path / name, "--against", tmp_path / f"copy-{name}", "-o", tmp_path / "out")
    assert {row["verdict"] for row in read_rows(tmp_path / "out" / "decisions.parquet")} == {"drop"}
    kept = tmp_path / "out" / "kept" / name
    with pa.input_stream(str(kept), compression="zstd" if name.endswith("zst") else "gzip") as stream:
        assert stream.read() == b""
    if name.endswith("gz"):
        assert gzip.decompress(kept.read_bytes()) == b""
        assert len(kept.read_bytes()) > 0


def check_second_is_rejected(path: Path) -> None:
    with pytest.raises(DataError, match=f"{path.name}, record 2: "):
        neardup.dedup(path)
    records = neardup.dedup(path, on_error="skip").summary["records"]
    assert (records["found"], records["read"], records["rejected"]) == (3, 2, 1)
    assert [one.text for one in read_archive(str(path)) if one.text] == [texts(3)[0], texts(3)[2]]


@pytest.mark.parametrize("sized", [False, True])
@pytest.mark.parametrize("step", [-40, -6, -1, 1, 5, 60, 250, 100_000])
@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_length_is_noticed(name: str, step: int, sized: bool, tmp_path: Path) -> None:
    """A gzip member of ARC may end with or without the line end after its record."""
    if (name, step) == ("a.arc.gz", 1):
        step = 2
    check_second_is_rejected(made(name, step=step, sized=sized).write(tmp_path))


@pytest.mark.parametrize("length", ["9" * 20, "9" * 5000, "-5", "+5", "5,5", "5_0", "٥٠", "0x50", "5.0", "", "many"])
@pytest.mark.parametrize("name", NAMES)
def test_a_length_that_is_not_a_number(name: str, length: str, tmp_path: Path) -> None:
    check_second_is_rejected(made(name, length=length).write(tmp_path))


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_a_record_with_no_length_or_two(name: str, tmp_path: Path) -> None:
    first, second, third = made(name).parts
    for wrong in (
        second.replace(b"Content-Length", b"X-Length"),
        second.replace(b"\r\nContent-Length", b"\r\ncontent-length: 7\r\nContent-Length"),
    ):
        check_second_is_rejected(Made(name, [first, wrong, third]).write(tmp_path))


@pytest.mark.parametrize("gap", [b"\r\n\r\n", b"\n\n", b"\r\n\r\n\n", b"\n\r\n\r\n", b"\r\n" * 3, b"\r\n" * 40])
@pytest.mark.parametrize("last", [b"", b"\r\n", b"\n", b"\r\n\r\n", b"\r\n\r\n\n\n"])
def test_line_ends_between_records(gap: bytes, last: bytes, tmp_path: Path) -> None:
    bodies = [record.removesuffix(b"\r\n\r\n") for record in made("a.warc").parts]
    for name, content in {
        "a.warc": gap.join(bodies) + last,
        "a.warc.gz": b"".join(gzipped(body + end) for body, end in zip(bodies, (gap, last, gap), strict=True)),
    }.items():
        (tmp_path / name).write_bytes(content)
        found = list(read_archive(str(tmp_path / name)))
        # a record without line ends may be truncated, unless its gzip member is complete
        is_whole = name.endswith(".gz") or last.startswith((b"\r\n\r\n", b"\n\n"))
        assert [one.text for one in found] == [*texts(3)[:2], texts(3)[2] if is_whole else None]
        assert found[-1].offset + found[-1].length == len(content)


@pytest.mark.parametrize("gap", [b"", b"\r\n", b"\n", b" \r\n\r\n", b"\n\r\n"])
def test_too_few_line_ends_between_records(gap: bytes, tmp_path: Path) -> None:
    first, second, third = made("a.warc").parts
    check_second_is_rejected(Made("a.warc", [first, second.removesuffix(b"\r\n\r\n") + gap, third]).write(tmp_path))


@pytest.mark.parametrize("name", NAMES)
def test_a_record_before_a_damaged_head_is_read(name: str, tmp_path: Path) -> None:
    first, second, third = made(name, sized=True).parts
    check_second_is_rejected(Made(name, [first, b"?" + second[8:], third]).write(tmp_path))


def test_a_record_before_a_damaged_head_must_be_whole(tmp_path: Path) -> None:
    """A blank line in a text looks like the end of its record, but the length of the HTTP body shows that it is not."""
    parts = made("a.warc").parts
    body = answer(b"before\r\n\r\nbehind", "Content-Length: 16")
    parts[1] = warc_record("response", body, 1, length=str(len(body) - 10))
    check_second_is_rejected(Made("a.warc", parts).write(tmp_path))


def test_several_records_in_a_gzip_member(tmp_path: Path) -> None:
    first, second, third = made("a.warc.gz").parts
    found = list(read_archive(str(Made("a.warc.gz", [first, second + third, first]).write(tmp_path))))
    assert [one.text for one in found] == [texts(1)[0], None, texts(1)[0]]
    assert "member of its own" in (found[1].reason or "")


def test_other_records_are_passed_over_when_they_are_whole(tmp_path: Path) -> None:
    kinds = ("revisit", "metadata", "request", "continuation", "conversion")
    whole = ["revisit of a missing response", *(f"{kind} record" for kind in kinds[1:4]), "type application/http"]
    for step, expected in ((0, whole), (-1, [None] * 5)):
        records = [warc_record(kind, b"fetchTime: 5", 9, length=str(12 + step)) for kind in kinds]
        for name in ("a.warc", "a.warc.gz"):
            found = list(read_archive(str(Made(name, records).write(tmp_path))))
            assert [one.passed_over for one in found] == expected


def test_the_summary_names_five_of_many_suffixes(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.jsonl").write_text('{"text": "one"}\n', encoding="utf-8")
    for number in range(20):
        (tmp_path / "in" / f"a.x{number}").touch()
    printed = cli("dedup", tmp_path / "in", "-o", tmp_path / "out").stdout
    assert "and 15 other kinds" in printed
    assert printed.count(".x") == 5
