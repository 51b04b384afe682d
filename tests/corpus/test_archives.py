"""WARC and ARC files that the tests make, whole and damaged."""

import gzip
import json
import sys
import zlib
from collections.abc import Callable
from functools import partial
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from random import Random

import brotli
import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

import neardup
from command import Cli
from framed import Made, answer, arc_record, gzipped, made, texts, warc_record
from neardup import DataError
from neardup.corpus.archives import ArchiveRecord, read_archive
from neardup.corpus.charset import split_type
from neardup.corpus.markup import extract_texts
from neardup.corpus.payload import MISSTATED, TRUNCATED, DamagedError, decode_body
from records import read_rows

PAGE = "<html><head><title>t</title><script>no()</script></head><body><nav>menu</nav><p>{}</p></body></html>"
WORDS = "the lighthouse keeper counts the ships that pass before the fog comes in from the cold northern sea"


def write_archive(
    path: Path, bodies: list[bytes], headers: list[tuple[str, str]], *, gz: bool, status: str = "200 OK"
) -> None:
    with open(path, "wb") as file:
        writer = WARCWriter(file, gzip=gz)
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "a test"}))
        for number, body in enumerate(bodies):
            url = f"http://example.org/{number}"
            http = StatusAndHeaders(status, headers, protocol="HTTP/1.1")
            writer.write_record(
                writer.create_warc_record(
                    url,
                    "response",
                    payload=BytesIO(body),
                    http_headers=http,
                    warc_headers_dict={"WARC-Date": "2020-01-02T03:04:05Z"},
                )
            )
            request = StatusAndHeaders("GET / HTTP/1.1", [("Host", "example.org")], is_http_request=True)
            writer.write_record(writer.create_warc_record(url, "request", http_headers=request))


def read_documents(path: str, extractor: str | None = None) -> list[ArchiveRecord]:
    """Return the records of an archive that are not passed over."""
    return [
        one
        for one in read_archive(path, extract=partial(extract_texts, extractor=extractor))
        if one.passed_over is None
    ]


def html(words: str) -> bytes:
    return PAGE.format(words).encode()


if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd
compress_zstd = zstd.compress

# the writer of warcio leaves its spool files open until garbage collection
pytestmark = pytest.mark.filterwarnings("ignore:.*SpooledTemporaryFile:pytest.PytestUnraisableExceptionWarning")
HTML = [("Content-Type", "text/html; charset=utf-8")]


@pytest.mark.parametrize("gz", [False, True])
def test_records_with_their_places(tmp_path: Path, gz: bool) -> None:
    path = tmp_path / "pages.warc"
    write_archive(path, [html("one é 한"), html("two")], HTML, gz=gz)
    found = read_documents(str(path))
    assert [(one.url, one.time, one.reason) for one in found] == [
        (f"http://example.org/{number}", "2020-01-02T03:04:05Z", None) for number in range(2)
    ]
    assert [(one.text or "").split() for one in found] == [["menu", "one", "é", "한"], ["menu", "two"]]
    data = path.read_bytes()
    for one in found:
        [record] = ArchiveIterator(BytesIO(data[one.offset : one.offset + one.length]))
        assert record.rec_headers.get_header("WARC-Target-URI") == one.url


@pytest.mark.parametrize("extractor", ["auto", "resiliparse"])
def test_main_content_leaves_the_menu_out(extractor: str, tmp_path: Path) -> None:
    path = tmp_path / "pages.warc"
    write_archive(path, [html(WORDS)], HTML, gz=False)
    [one] = read_documents(str(path), extractor)
    assert (one.text or "").split() == WORDS.split()


def test_only_documents(tmp_path: Path) -> None:
    def read(headers: list[tuple[str, str]], status: str = "200 OK") -> list[ArchiveRecord]:
        write_archive(tmp_path / "a.warc", [b"some text"], headers, gz=True, status=status)
        return read_documents(str(tmp_path / "a.warc"))

    assert [one.text for one in read([("Content-Type", "text/plain")])] == ["some text"]
    assert read([("Content-Type", "image/png")]) == []
    assert read(HTML, "404 Not Found") == []
    assert read(HTML, "301 Moved") == []
    assert read([]) == []


def test_charsets(tmp_path: Path) -> None:
    for body, kind, expected in [
        ("é à ü".encode("latin-1"), "text/plain; charset=ISO-8859-1", "é à ü"),
        ("한국어 문서입니다".encode("euc-kr"), "text/plain; charset='EUC-KR'", "한국어 문서입니다"),
        ('<meta charset="shift_jis"><p>日本語の文'.encode("shift_jis"), "text/html", "日本語の文"),
        ("no charset, but é".encode(), "text/plain; charset=nonsense", "no charset, but é"),
    ]:
        write_archive(tmp_path / "a.warc", [body], [("Content-Type", kind)], gz=False)
        [one] = read_documents(str(tmp_path / "a.warc"))
        assert (one.text or "").strip() == expected


def chunked(body: bytes, size: int = 7) -> bytes:
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x;ext\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def bare(data: bytes) -> bytes:
    return zlib.compress(data)[2:-4]


# the transfer coding and content coding that a body states, and its encoder; the last coding is decoded first
CODINGS: dict[str, tuple[str | None, str | None, Callable[[bytes], bytes]]] = {
    "none": (None, None, bytes),
    "chunks": ("chunked", None, chunked),
    "gzip": (None, "gzip", gzip.compress),
    "x-gzip": (None, " X-GZip ", gzip.compress),
    "deflate": (None, "deflate", zlib.compress),
    "bare deflate": (None, "deflate", bare),
    "gzip in chunks": ("Chunked", "gzip", lambda body: chunked(gzip.compress(body))),
    "gzip of the transfer": ("gzip, chunked", "identity", lambda body: chunked(gzip.compress(body))),
    "deflate in gzip": (None, "deflate, gzip", lambda body: gzip.compress(zlib.compress(body))),
    "brotli": (None, "br", brotli.compress),
    "zstd": (None, "zstd", compress_zstd),
    "zstd in chunks": ("chunked", " ZSTD", lambda body: chunked(compress_zstd(body))),
}
NOISE = Random(3).randbytes(400).hex().encode()


@pytest.mark.parametrize("name", CODINGS)
def test_bodies_are_decoded(name: str) -> None:
    transfer, content, pack = CODINGS[name]
    assert decode_body(pack(html(WORDS)), transfer, content) == (html(WORDS), None)


@pytest.mark.parametrize("name", [name for name in CODINGS if name != "none"])
def test_bodies_are_read_as_far_as_they_go(name: str) -> None:
    transfer, content, pack = CODINGS[name]
    # zstd returns whole blocks of 128 kB
    noise = Random(5).randbytes(300_000).hex().encode() if "zstd" in name else NOISE
    body = pack(noise)
    for cut in (len(body) * 2 // 3, len(body) - 1):
        found = decode_body(body[:cut], transfer, content)
        assert found.flaw == TRUNCATED
        assert noise.startswith(found.content)
        assert len(found.content) >= len(noise) // 3
    # bytes after the end do not belong to the body
    assert decode_body(body + b"more", transfer, content) == (noise, TRUNCATED)


@pytest.mark.parametrize("name", ["gzip", "x-gzip", "deflate", "bare deflate", "zstd"])
def test_a_body_is_all_its_members(name: str) -> None:
    _, content, pack = CODINGS[name]
    members = [pack(b"first "), pack(b""), pack(b"second "), pack(b"third")]
    assert decode_body(b"".join(members), None, content) == (b"first second third", None)
    cut = decode_body(b"".join(members[:3]) + pack(NOISE)[:-150], None, content)
    assert cut.content.startswith(b"first second ")
    assert cut.flaw == TRUNCATED
    in_chunks = decode_body(chunked(b"".join(members)), "chunked", content)
    assert in_chunks == (b"first second third", None)


def test_content_before_the_damage_of_a_body_is_read() -> None:
    body = gzip.compress(NOISE)
    found = decode_body(body[:-8] + b"\0" * 8, None, "gzip")
    assert found == (NOISE, TRUNCATED)
    found = decode_body(body[:300] + b"\xff" * 40 + body[340:], None, "gzip")
    assert found.flaw == TRUNCATED
    assert found.content[:100] == NOISE[:100]
    blocks = compress_zstd(b"first ") + compress_zstd(NOISE)
    found = decode_body(blocks[:-8] + b"\0" * 8, None, "zstd")
    assert found.flaw == TRUNCATED
    assert found.content.startswith(b"first ")
    # several steps of input come before the damage
    long = Random(4).randbytes(900_000)
    body = brotli.compress(long) + b"more"
    assert decode_body(body, None, "br") == (long, TRUNCATED)


def test_a_coding_that_the_header_does_not_name_is_recognised() -> None:
    for pack in (gzip.compress, compress_zstd):
        for content in (None, "br", "deflate", "compress", "gzip" if pack is compress_zstd else "zstd"):
            assert decode_body(pack(NOISE), None, content) == (NOISE, MISSTATED)
        assert decode_body(pack(NOISE)[:-9], None, None).flaw == TRUNCATED
    assert decode_body(gzip.compress(gzip.compress(NOISE)), None, "gzip") == (NOISE, MISSTATED)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "utf-8", "compress", "gzip, gzip"])
def test_a_body_that_is_not_coded_as_stated_is_taken_as_it_is(coding: str) -> None:
    for body in (html(WORDS), b"Hello", b"x", "é à".encode("latin-1"), "日本語の文".encode("shift_jis")):
        assert decode_body(body, None, coding) == (body, MISSTATED)
        assert decode_body(body, "chunked", coding) == (body, MISSTATED)
    assert decode_body(gzip.compress(NOISE), "chunked", "gzip") == (NOISE, MISSTATED)


@pytest.mark.parametrize("size", ["-5", "+5", " 5", "5,5", "5_0", "٥", "zz", "", "0x5", "7"])
def test_a_chunk_with_a_wrong_size(size: str) -> None:
    first = size.encode() + b"\r\nwords\r\n0\r\n\r\n"
    assert decode_body(first, "chunked", None) == (first, MISSTATED)
    assert decode_body(b"5\r\nwords\r\n" + first, "chunked", None).flaw == TRUNCATED
    assert decode_body(b"5\r\nwords\r\n" + first, "chunked", None).content.startswith(b"words")


def test_a_chunk_of_endless_size() -> None:
    for size in (b"f" * 24, b"f" * 4000, b"7fffffffffffffff"):
        assert decode_body(size + b"\r\nwords\r\n0\r\n\r\n", "chunked", None).content.startswith(b"words")


def test_bodies_that_cannot_be_decoded() -> None:
    for broken, content in [
        (b"\x1f\x8b\x08\x00" + b"\xff" * 40, "gzip"),
        (b"\x1f\x8b\x08\x00" + b"\xff" * 40, None),
        (b"\x28\xb5\x2f\xfd" + b"\xff" * 40, "zstd"),
        (b"\x1f\x9d\x90\x01" * 9, "compress"),
        (b"\x11\x01" + b"\xff" * 40, "br"),
    ]:
        with pytest.raises(DamagedError):
            decode_body(broken, None, content)


def test_a_bomb_in_an_archive(tmp_path: Path) -> None:
    content = b"a" * (300 << 20)
    for coding, bomb in (("gzip", gzip.compress(content)), ("br", brotli.compress(content, quality=4))):
        write_archive(tmp_path / "a.warc", [bomb], [*HTML, ("Content-Encoding", coding)], gz=True)
        [one] = read_documents(str(tmp_path / "a.warc"))
        assert one.text is None
        assert "more than" in (one.reason or "")


def flip(data: bytes, at: int) -> bytes:
    return data[:at] + b"\x00" * 40 + data[at + 40 :]


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "noise in the middle": lambda data: flip(data, len(data) // 2),
    "noise at the start of a record": lambda data: data.replace(b"WARC/1.0\r\nWARC-Type: response", b"garbage" * 4, 1),
    "end cut off": lambda data: data[:-300],
    "start cut off": lambda data: data[100:],
    "noise between records": lambda data: data + b"\x07" * 500 + data,
}


@pytest.mark.parametrize("name", DAMAGE)
@pytest.mark.parametrize("gz", [False, True])
def test_damage_is_rejected_and_reading_continues(tmp_path: Path, name: str, gz: bool) -> None:
    path = tmp_path / ("a.warc.gz" if gz else "a.warc")
    write_archive(path, [html(f"{WORDS} {number}") for number in range(6)], HTML, gz=gz)
    path.write_bytes(DAMAGE[name](path.read_bytes()))
    found = read_documents(str(path))
    assert len(whole(found)) >= 4
    assert all((one.text is None) != (one.reason is None) for one in found)
    places = [(one.offset, one.offset + one.length) for one in found]
    assert all(before[1] <= after[0] for before, after in pairwise(places))


def whole(found: list[ArchiveRecord]) -> list[ArchiveRecord]:
    return [one for one in found if one.text is not None and WORDS in " ".join(one.text.split())]


def test_noise_anywhere_loses_only_what_it_hits(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    write_archive(path, [html(f"{WORDS} {number}") for number in range(6)], HTML, gz=True)
    data = path.read_bytes()
    records = read_documents(str(path))
    for at in range(0, len(data) - 40, 23):
        path.write_bytes(flip(data, at))
        hit = [one for one in records if one.offset < at + 40 and at < one.offset + one.length]
        assert len(whole(read_documents(str(path)))) >= len(records) - len(hit), at


def test_one_gzip_stream_over_all_records(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    write_archive(path, [html(WORDS)] * 2, HTML, gz=False)
    path.with_suffix(".warc.gz").write_bytes(gzip.compress(path.read_bytes()))
    found = read_documents(str(path.with_suffix(".warc.gz")))
    assert any("member of its own" in (one.reason or "") for one in found)


def test_not_an_archive_at_all(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(b"just some bytes\n" * 50)
    [one] = read_documents(str(path))
    assert (one.offset, one.length, one.text) == (0, 800, None)
    path.write_bytes(b"")
    assert read_documents(str(path)) == []


@pytest.mark.parametrize("name", ["a.warc.gz", "a.arc.gz", "a.warc.zst"])
def test_an_empty_file_is_not_a_compressed_one(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(DataError, match=name):
        neardup.dedup(tmp_path / name)
    assert neardup.dedup(tmp_path / name, on_error="skip").summary["records"]["rejected"] == 1


@pytest.mark.parametrize("name", ["a.warc.gz", "a.arc.gz"])
def test_zeros_after_a_member_are_padding(name: str, tmp_path: Path) -> None:
    path = made(name).write(tmp_path)
    whole = path.read_bytes()
    expected = list(read_archive(str(path)))
    first = expected[0].length
    for zeros in (1, 15, 16, 17, 512, 5000):
        path.write_bytes(whole + b"\0" * zeros)
        assert list(read_archive(str(path))) == expected
    path.write_bytes(whole[:first] + b"\0" * 700 + whole[first:] + b"\0" * 3)
    found = list(read_archive(str(path)))
    assert [(one.offset, one.text) for one in found] == [
        (one.offset + 700 * (number > 0), one.text) for number, one in enumerate(expected)
    ]
    # other bytes are none
    path.write_bytes(whole + b"\0" * 9 + b"garbage")
    assert [one.reason is None for one in read_archive(str(path))] == [*[True] * len(expected), False]
    path.write_bytes(b"\0" * 600)
    assert [one.reason is None for one in read_archive(str(path))] == [False]


def test_content_types(tmp_path: Path) -> None:
    for kind, media, charset in [
        ("text/html, text/html", "text/html", None),
        ("text/html; charset=koi8-r, text/html", "text/html", "koi8-r"),
        ("text/plain, text/html;charset=x", "text/html", "x"),
        ("*/*, text/html", "text/html", None),
        ("text/html, */*", "text/html", None),
        ('"text/html"', "text/html", None),
        ('text/html; a="b, c/d"; charset="x"', "text/html", "x"),
        ("", "", None),
        ("nonsense", "nonsense", None),
    ]:
        assert split_type(kind) == (media, charset), kind
    for kind in ("text/html, text/html", "application/vnd.wap.xhtml+xml"):
        write_archive(tmp_path / "a.warc", [html("some words")], [("Content-Type", kind)], gz=False)
        [one] = read_documents(str(tmp_path / "a.warc"))
        assert (one.text or "").split() == ["menu", "some", "words"]


def test_arc(tmp_path: Path) -> None:
    version = b"1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n"
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html(WORDS)
    head = b"filedesc://a.arc 0.0.0.0 20140216050221 text/plain %d\n" % len(version)
    line = b"http://example.org/ 1.2.3.4 20140216050222 text/html %d\n" % len(page)
    path = tmp_path / "a.arc"
    path.write_bytes(head + version + b"\n" + line + page + b"\n")
    found = [one for one in read_documents(str(path)) if one.text]
    assert [(one.url, one.time) for one in found] == [("http://example.org/", "2014-02-16T05:02:22Z")]
    assert WORDS in (found[0].text or "")


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_dedup_of_an_archive_keeps_its_records_byte_for_byte(cli: Cli, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    texts = [WORDS, "a text of its own about bread, salt and slow mornings in the bakery", WORDS.upper()]
    write_archive(path, [html(text) for text in texts], HTML, gz=name.endswith(".gz"))
    data = path.read_bytes()
    records = read_documents(str(path))
    cli("dedup", path, "-o", tmp_path / "out")
    rows = read_rows(tmp_path / "out" / "decisions.parquet")
    assert [row["verdict"] for row in rows] == ["keep", "keep", "drop"]
    dropped = records[2]
    kept = (tmp_path / "out" / "kept" / name).read_bytes()
    assert [one.url for one in read_documents(str(tmp_path / "out" / "kept" / name))] == [
        one.url for one in records[:2]
    ]
    assert kept == data[: dropped.offset] + data[dropped.offset + dropped.length :]


def test_a_damaged_archive_stops_or_is_skipped(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    write_archive(path, [html(f"{WORDS} {'x' * number}") for number in range(4)], HTML, gz=True)
    path.write_bytes(flip(path.read_bytes(), len(path.read_bytes()) // 2))
    assert "a.warc.gz, record 3: " in cli("dedup", path, "-o", tmp_path / "out", code=1).stderr
    done = cli("dedup", path, "-o", tmp_path / "out", "--on-error", "skip", "--json", code=3)
    assert json.loads(done.stdout)["counts"]["rejected"] >= 1


def test_hosts_come_from_the_urls_of_an_archive(tmp_path: Path) -> None:
    path = tmp_path / "pages.warc"
    write_archive(path, [html(f"{WORDS} {number} and {number * 7}") for number in range(30)], HTML, gz=False)
    scheme = "words | shingles:3 frame=0.5 | whole | prefix:0.6 | resemblance>=0.6"
    run = neardup.dedup(path, scheme=scheme)
    assert run.summary["passes"][0]["frame"] >= 17
    assert run.summary["counts"]["dropped"] == 0
    assert neardup.dedup(path, scheme=scheme.replace(" frame=0.5", "")).summary["counts"]["dropped"] == 29


def test_heads_in_odd_spellings(tmp_path: Path) -> None:
    first, second, _ = made("a.warc").parts
    second = second.replace(b"WARC-Type: r", b"warc-TYPE:\tR").replace(b"Content-Length:", b"CONTENT-length:\r\n ")
    body = answer(gzipped(b"folded and packed"), "content-ENCODING:", " gzip", "CONTENT-length:   37")
    third = warc_record("response", body, 3)
    path = Made("a.warc", [first, second, third]).write(tmp_path)
    assert [one.text for one in read_archive(str(path))] == [*texts(2), "folded and packed"]


TEXT = b"the ferry leaves the quay at noon and comes back at night"
LENGTH = f"Content-Length: {len(TEXT)}"
BODIES: dict[str, tuple[bytes, str, str | None]] = {
    "whole": (answer(TEXT, LENGTH), "", None),
    "whole, said twice": (answer(TEXT, LENGTH, LENGTH.lower()), "", None),
    "shorter than stated": (answer(TEXT, "Content-Length: 1000"), "", TRUNCATED),
    "shorter than a number of 20 digits": (answer(TEXT, f"Content-Length: {'9' * 20}"), "", TRUNCATED),
    "shorter than one of 5,000": (answer(TEXT, f"Content-Length: {'9' * 5000}"), "", TRUNCATED),
    "cut by the crawler": (answer(TEXT), "WARC-Truncated: length\r\n", TRUNCATED),
    "one of several segments": (answer(TEXT), "WARC-Segment-Number: 1\r\n", TRUNCATED),
    "longer than stated": (answer(TEXT, "Content-Length: 5"), "", MISSTATED),
    "of two lengths": (answer(TEXT, LENGTH, "Content-Length: 5"), "", MISSTATED),
    **{
        f"length {odd}": (answer(TEXT, f"Content-Length: {odd}"), "", MISSTATED) for odd in ("-5", "+5", "5,5", "٥", "")
    },
    "in chunks, with a length": (answer(chunked(TEXT), "Transfer-Encoding: chunked", "Content-Length: 5"), "", None),
    "chunks that end early": (answer(chunked(TEXT)[:-5], "Transfer-Encoding: chunked"), "", TRUNCATED),
    "gzip that ends early": (answer(gzipped(TEXT)[:-8], "Content-Encoding: gzip"), "", TRUNCATED),
    "not in chunks": (answer(TEXT, "TRANSFER-encoding: chunked"), "", MISSTATED),
    "not in gzip": (answer(TEXT, "Content-Encoding: gzip"), "", MISSTATED),
    "two headers of codings": (
        answer(gzipped(zlib.compress(TEXT)), "Content-Encoding: deflate", "content-encoding: gzip"),
        "",
        None,
    ),
}


@pytest.mark.parametrize("name", BODIES)
def test_bodies_inside_whole_records(name: str, tmp_path: Path) -> None:
    body, more, flaw = BODIES[name]
    for archive in ("a.warc", "a.warc.gz"):
        path = Made(archive, [warc_record("response", body, 1, more=more)]).write(tmp_path)
        [one] = read_archive(str(path))
        assert (one.text, one.reason, one.passed_over) == (TEXT.decode(), None, None)
        assert list(one.flaws) == [flaw] * (flaw is not None)
        assert neardup.dedup(path).summary["records"]["read"] == 1


def test_a_cut_body_of_an_arc_record(tmp_path: Path) -> None:
    (tmp_path / "a.arc").write_bytes(arc_record(answer(TEXT, "Content-Length: 1000"), 1))
    [one] = read_archive(str(tmp_path / "a.arc"))
    assert (one.text, one.flaws) == (TEXT.decode(), [TRUNCATED])


def test_a_head_of_http_that_ends_early(tmp_path: Path) -> None:
    path = Made("a.warc", [warc_record("response", answer(b"")[:-2], 1)]).write(tmp_path)
    [one] = read_archive(str(path))
    assert (one.text, one.flaws) == ("", [TRUNCATED])


def test_resources_have_no_http(tmp_path: Path) -> None:
    record = warc_record("resource", TEXT, 1).replace(b"application/http; msgtype=resource", b"text/plain")
    [one] = read_archive(str(Made("a.warc", [record]).write(tmp_path)))
    assert (one.text, one.reason, one.flaws) == (TEXT.decode(), None, [])


def test_flawed_bodies_are_counted(cli: Cli, tmp_path: Path) -> None:
    """Flawed bodies are documents, and the run reports how many of them were read only up to a flaw."""
    page = b"<p>a text of a page that somebody cut " * 9
    parts = [
        warc_record("response", answer(page, f"Content-Length: {len(page) + length}"), number)
        for number, length in enumerate((0, 7, 70))
    ]
    parts.append(warc_record("response", answer(page, "Content-Encoding: gzip"), 3))
    path = tmp_path / "a.warc"
    path.write_bytes(b"".join(parts))
    records = neardup.dedup(path).summary["records"]
    assert (records["read"], records["rejected"], records["passed_over"]) == (4, 0, 0)
    assert records["flaws"] == {"truncated body": 2, "body not as its header states": 1}
    done = cli("dedup", path, "-o", tmp_path / "out")
    assert "2 truncated body, 1 body not as its header states; they are read as well" in done.stdout + done.stderr
