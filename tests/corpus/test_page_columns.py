"""The tables of runs of web archives name pages by URL, host, date and place."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import neardup
from command import Cli
from framed import Made, answer, warc_record
from neardup.corpus.archives import read_archive
from records import read_rows

TEXTS = (
    "the ferry leaves the quay at noon and comes back at night with the mail and two goats",
    "mix a kilo of flour with warm water and wait an hour before adding the salt",
    "the ferry leaves the quay at noon and comes back at night with the mail, and two goats",
)
URLS = ("http://a.example/1", "https://B.example:8443/x?y", "http://a.example:80/3")
PAGE = ("url", "host", "date", "offset", "length")


def write(folder: Path, name: str = "a.warc.gz") -> Path:
    records = [
        warc_record("response", answer(text.encode()), number).replace(
            f"http://example.org/{number}".encode(), url.encode()
        )
        for number, (text, url) in enumerate(zip(TEXTS, URLS, strict=True))
    ]
    return Made(name, [warc_record("warcinfo", b"software: a test\r\n", 9), *records]).write(folder)


def expected(path: Path) -> list[dict[str, object]]:
    hosts = ("a.example", "b.example:8443", "a.example")
    documents = [one for one in read_archive(str(path)) if one.passed_over is None]
    return [
        {"url": url, "host": host, "date": "2024-05-06T07:08:09Z", "offset": one.offset, "length": one.length}
        for url, host, one in zip(URLS, hosts, documents, strict=True)
    ]


@pytest.mark.parametrize("name", ["a.warc.gz", "a.warc"])
def test_tables_name_the_pages_of_archives(cli: Cli, name: str, tmp_path: Path) -> None:
    path = write(tmp_path, name)
    pages = expected(path)
    for verb in ("dedup", "cluster"):
        cli(verb, path, "-o", tmp_path / verb)
        [table] = [one for one in ("decisions", "clusters") if (tmp_path / verb / f"{one}.parquet").exists()]
        rows = read_rows(tmp_path / verb / f"{table}.parquet")
        assert [{name: row[name] for name in PAGE} for row in rows] == pages
    cli("pairs", path, "-o", tmp_path / "pairs")
    [row] = read_rows(tmp_path / "pairs" / "pairs.parquet")
    for end, page in (("left", pages[0]), ("right", pages[2])):
        assert {name: row[f"{end}_{name}"] for name in PAGE} == page
    data = path.read_bytes()
    first = pages[0]
    assert isinstance(first["offset"], int)
    assert isinstance(first["length"], int)
    part = data[first["offset"] : first["offset"] + first["length"]]
    (tmp_path / f"part-{name}").write_bytes(part)
    assert [one.url for one in read_archive(str(tmp_path / f"part-{name}"))] == [URLS[0]]


def test_an_archive_beside_other_files(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("a text of a file that has no address")
    rows = neardup.dedup([tmp_path / "b.txt", write(tmp_path)]).decisions
    urls = rows.column("url")
    assert sorted(map(str, urls)) == sorted(map(str, [None, *URLS]))
    at = urls.index(None)
    assert [rows.column(name)[at] for name in PAGE] == [None] * 5


def test_a_field_of_urls_names_pages_without_an_archive(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    lines = [
        {"id": str(number), "text": text, "link": url}
        for number, (text, url) in enumerate(zip(TEXTS, URLS, strict=True))
    ]
    lines.append({"id": "3", "text": "nobody knows where this text was found"})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    digests = set()
    for options in ((), ("--url-field", "link")):
        out = tmp_path / f"out{len(options)}"
        cli("dedup", path, "--id-field", "id", *options, "-o", out)
        names = pq.read_schema(out / "decisions.parquet").names
        assert [name for name in PAGE if name in names] == (["url", "host"] if options else [])
        digests.add(json.loads((out / "run.json").read_text())["digest"])
    # digests include no page
    assert len(digests) == 1
    rows = read_rows(tmp_path / "out2" / "decisions.parquet")
    assert [row["url"] for row in rows] == [*URLS, None]
    assert [row["host"] for row in rows] == ["a.example", "b.example:8443", "a.example", None]


def test_many_pages_are_named_in_every_block(tmp_path: Path) -> None:
    count = 20_000
    lines = [
        {
            "text": f"word{number} and{number} other{number} text{number} here{number}",
            "url": f"http://h{number % 7}.example/{number}",
        }
        | ({} if number % 3 else {"url": None})
        for number in range(count)
    ]
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    run = neardup.dedup(path, url_field="url")
    assert list(run.decisions.column("url")) == [line["url"] for line in lines]


def test_urls_may_be_ids(cli: Cli, tmp_path: Path) -> None:
    path = write(tmp_path)
    cli("dedup", path, "--id-field", "url", "-o", tmp_path / "out")
    rows = read_rows(tmp_path / "out" / "decisions.parquet")
    assert [(row["id"], row["original"]) for row in rows] == [
        (URLS[0], URLS[0]),
        (URLS[1], URLS[1]),
        (URLS[2], URLS[0]),
    ]
    done = cli("dedup", path, "--id-field", "page", "-o", tmp_path / "no", code=2)
    assert "except the url in a web archive" in done.stderr
    twice = Made("twice.warc", [warc_record("response", answer(TEXTS[0].encode()), 1)] * 2).write(tmp_path)
    assert "already used" in cli("dedup", twice, "--id-field", "url", "-o", tmp_path / "no", code=1).stderr
    nameless = warc_record("response", answer(TEXTS[0].encode()), 1).replace(
        b"WARC-Target-URI: http://example.org/1\r\n", b""
    )
    path = Made("nameless.warc", [nameless]).write(tmp_path)
    done = cli("dedup", path, "--id-field", "url", "-o", tmp_path / "no", code=1)
    assert "the record has no URL, which is its id" in done.stderr


def test_the_report_has_tables_of_sources_and_hosts(cli: Cli, tmp_path: Path) -> None:
    cli("dedup", write(tmp_path), "-o", tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text()
    sources, hosts = page.split("<th>host</th>")
    assert "<th>input</th>" in sources
    rows = [row for row in hosts.split("</table>")[0].split("<tr>") if 'class="id"' in row]
    assert [[cell.split("<")[0] for cell in row.split('<td class="n">')[1:4]] for row in rows] == [
        ["2", "1", "1"],
        ["1", "1", "0"],
    ]
    assert "a.example" in rows[0]
    assert "b.example:8443" in rows[1]
