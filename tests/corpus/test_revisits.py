"""Revisit records: documents with the text of the response to which they refer."""

import json
from pathlib import Path

import pytest

import neardup
from command import Cli
from framed import Made, answer, warc_record
from neardup.corpus.archives import Archives, read_archive
from records import read_rows

TEXT = "the ferry leaves the quay at noon and comes back at night with the mail and two goats"
OTHER = "mix a kilo of flour with warm water and wait an hour before adding the salt"
DIGEST = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"
URL = "http://example.org/1"


def dated(record: bytes, date: str) -> bytes:
    return record.replace(b"2024-05-06T07:08:09Z", date.encode())


def response(text: str = TEXT, number: int = 1, date: str = "2024-01-01T00:00:00Z", more: str = "") -> bytes:
    return dated(warc_record("response", answer(text.encode()), number, more=more), date)


def revisit(*headers: str, number: int = 9, date: str = "2024-05-06T07:08:09Z") -> bytes:
    more = "".join(f"{header}\r\n" for header in headers)
    return dated(warc_record("revisit", answer(b"", "Content-Length: 85"), number, more=more), date)


BY_ID = f"WARC-Refers-To: <urn:uuid:{1:032}>"
BY_URL = f"WARC-Refers-To-Target-URI: {URL}"
BY_DATE = "WARC-Refers-To-Date: 2024-01-01T00:00:00Z"
BY_DIGEST = f"WARC-Payload-Digest: {DIGEST}"


def read(path: Path) -> list[tuple[str | None, str | None]]:
    return [(one.text, one.passed_over) for one in read_archive(str(path))]


@pytest.mark.parametrize(
    "headers", [(BY_ID,), (BY_URL, BY_DATE), (BY_URL,), (BY_DIGEST,), (BY_DIGEST, "WARC-Refers-To: <x>")]
)
@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_a_revisit_has_the_text_of_its_response(headers: tuple[str, ...], name: str, tmp_path: Path) -> None:
    records = [response(OTHER, 2), response(more=f"{BY_DIGEST}\r\n"), revisit(*headers)]
    path = Made(name, records).write(tmp_path)
    assert read(path) == [(OTHER, None), (TEXT, None), (TEXT, None)]
    # the response may come later
    path = Made(name, records[::-1]).write(tmp_path)
    assert read(path) == [(TEXT, None), (TEXT, None), (OTHER, None)]
    one = next(iter(read_archive(str(path))))
    assert (one.url, one.time) == ("http://example.org/9", "2024-05-06T07:08:09Z")


def test_a_revisit_without_a_date_refers_to_the_last_capture_before_it(tmp_path: Path) -> None:
    captures = [
        response("third text", date="2024-09-01T00:00:00Z"),
        response("first text"),
        response("second text", date="2024-03-01T00:00:00Z"),
    ]
    for headers, date, text in (
        ((BY_URL,), "2024-05-06T07:08:09Z", "second text"),
        ((BY_URL, BY_DATE), "2024-05-06T07:08:09Z", "first text"),
        ((BY_URL,), "2023-01-01T00:00:00Z", "first text"),
    ):
        path = Made("a.warc", [*captures, revisit(*headers, date=date)]).write(tmp_path)
        assert read(path)[-1] == (text, None)
    # without any other statement it refers to its own address
    path = Made("a.warc", [response(number=9), revisit()]).write(tmp_path)
    assert read(path)[-1] == (TEXT, None)


HEX = "da39a3ee5e6b4b0d3255bfef95601890afd80709"
"""The same digest as `DIGEST`."""


@pytest.mark.parametrize("one", [DIGEST, DIGEST.replace("sha1", "SHA-1"), DIGEST.removeprefix("sha1:"), f"sha1:{HEX}"])
@pytest.mark.parametrize("other", [DIGEST.lower(), f"SHA1:{HEX.upper()}"])
def test_digests_are_compared_by_their_bytes(one: str, other: str, tmp_path: Path) -> None:
    for stated, referred in ((one, other), (other, one)):
        records = [response(more=f"WARC-Payload-Digest: {stated}\r\n"), revisit(f"WARC-Payload-Digest: {referred}")]
        assert read(Made("a.warc", records).write(tmp_path)) == [(TEXT, None)] * 2


def test_digests_of_other_bytes_or_of_a_coding_with_two_cases_differ(tmp_path: Path) -> None:
    for stated, referred in ((DIGEST, f"sha1:{'a' * 32}"), ("sha1:aB+/", "sha1:Ab+/"), (DIGEST, f"md5:{HEX[:32]}")):
        records = [response(more=f"WARC-Payload-Digest: {stated}\r\n"), revisit(f"WARC-Payload-Digest: {referred}")]
        path = Made("a.warc", records).write(tmp_path)
        assert read(path)[-1] == (None, "revisit of a missing response")


def test_dates_are_compared_in_all_their_spellings(tmp_path: Path) -> None:
    captures = [
        response("first text", date="2024-01-01T00:00:00.250Z"),
        response("second text", date="2024-01-01T00:00:01Z"),
        response("third text", date="2024-01-01T00:00:02.100Z"),
        response("fourth text", date="2024-01-01T00:00:02.900Z"),
    ]
    missing = "revisit of a missing response"
    for date, found in (
        ("2024-01-01T00:00:00Z", ("first text", None)),
        ("2024-01-01T00:00:00.25+00:00", ("first text", None)),
        ("2024-01-01t00:00:01.000z", ("second text", None)),
        ("2024-01-01T00:00:02.9Z", ("fourth text", None)),
        ("2024-01-01T00:00:00.3Z", (None, missing)),
        # two captures are of this second
        ("2024-01-01T00:00:02Z", (None, missing)),
    ):
        records = [*captures, revisit(BY_URL, f"WARC-Refers-To-Date: {date}")]
        assert read(Made("a.warc", records).write(tmp_path))[-1] == found, date


def test_revisits_without_a_document_are_counted(tmp_path: Path) -> None:
    image = dated(warc_record("response", answer(b"\x89PNG", kind="image/png"), 1), "2024-01-01T00:00:00Z")
    broken = dated(warc_record("response", answer(b"\x1f\x8b\x08\x00" + b"\xff" * 40), 3), "2024-01-01T00:00:00Z")
    records = [
        image,
        revisit(BY_ID),
        revisit("WARC-Refers-To: <urn:uuid:nobody>"),
        revisit(BY_URL, "WARC-Refers-To-Date: 2020-01-01T00:00:00Z"),
        response(OTHER, 2),
    ]
    path = Made("a.warc.gz", records).write(tmp_path)
    run = neardup.dedup(path).summary
    assert run["records"]["kinds"] == {
        "revisit of a missing response": 2,
        "revisit of a response that is no document": 1,
        "type image/png": 1,
    }
    assert run["records"]["read"] == 1
    Made("a.warc.gz", [broken, revisit(f"WARC-Refers-To: <urn:uuid:{3:032}>")]).write(tmp_path)
    assert neardup.dedup(path, on_error="skip").summary["records"]["kinds"] == {
        "revisit of a response that is damaged": 1
    }


def test_a_revisit_in_another_input_is_a_copy_of_its_response(cli: Cli, tmp_path: Path) -> None:
    Made("a.warc.gz", [revisit(BY_ID)]).write(tmp_path)
    Made("b.warc.gz", [response(OTHER, 2), response()]).write(tmp_path)
    cli("dedup", tmp_path / "a.warc.gz", tmp_path / "b.warc.gz", "-o", tmp_path / "out")
    rows = read_rows(tmp_path / "out" / "decisions.parquet")
    assert [(row["verdict"], row["rule"]) for row in rows] == [("keep", None), ("keep", None), ("drop", "identical")]
    # the revisit is kept, so its response is written, too
    kept = tmp_path / "out" / "kept"
    assert (kept / "b.warc.gz").read_bytes() == (tmp_path / "b.warc.gz").read_bytes()
    again = neardup.dedup([kept / "a.warc.gz", kept / "b.warc.gz"]).summary
    assert (again["counts"]["documents"], again["records"]["passed_over"]) == (3, 0)
    assert any("1 dropped responses are in the kept files" in note for note in read_run(tmp_path / "out")["notes"])


@pytest.mark.parametrize("keep", ["first", "latest", "earliest", "longest"])
def test_a_kept_revisit_never_loses_its_response(cli: Cli, keep: str, tmp_path: Path) -> None:
    records = [response(), response(OTHER, 2), revisit(BY_ID), response(TEXT, 4, "2023-01-01T00:00:00Z")]
    path = Made("a.warc", records).write(tmp_path)
    cli("dedup", path, "-o", tmp_path / "out", "--keep", keep)
    kept = list(read_archive(str(tmp_path / "out" / "kept" / "a.warc")))
    assert all(one.passed_over is None for one in kept)
    assert [one.text for one in kept].count(TEXT) == (2 if keep == "latest" else 1)
    assert [one.text for one in kept].count(OTHER) == 1
    if keep == "latest":
        assert [one.url for one in kept] == [f"http://example.org/{number}" for number in (1, 2, 9)]


def test_a_dropped_response_is_written_where_nothing_is_kept(cli: Cli, tmp_path: Path) -> None:
    path = Made("a.warc", [response(), response(OTHER, 2), revisit(BY_ID)]).write(tmp_path)
    cli("dedup", path, "-o", tmp_path / "out", "--keep", "latest", "--no-kept", "--write-dropped")
    dropped = list(read_archive(str(tmp_path / "out" / "dropped" / "a.warc")))
    assert [one.text for one in dropped] == [TEXT]
    assert not any("kept files" in note for note in read_run(tmp_path / "out")["notes"])


def test_the_archives_are_searched_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [
        Made("a.warc", [revisit(BY_ID, number=number) for number in range(5, 9)]).write(tmp_path),
        Made("b.warc", [response()]).write(tmp_path),
    ]
    reader = Archives()
    texts = [one.text for path in paths for one in reader.read(str(path), [str(path) for path in paths])]
    assert texts == [TEXT] * 5


def read_run(folder: Path) -> dict[str, list[str]]:
    run: dict[str, list[str]] = json.loads((folder / "run.json").read_text())
    return run
