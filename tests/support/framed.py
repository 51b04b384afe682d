"""Archives and compressed files, built record by record for tests."""

import gzip
import sys
from pathlib import Path
from random import Random
from typing import NamedTuple

import pyarrow as pa

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

WORDS = ("ferry", "salt", "ferme", "등대", "船", "quay", "fog", "oven", "gull", "harbour", "tide", "rope")


def texts(count: int = 4) -> list[str]:
    random = Random(5)
    return [" ".join(random.choices(WORDS, k=6)) for _ in range(count)]


def warc_record(kind: str, body: bytes, number: int, *, length: str | None = None, more: str = "") -> bytes:
    """Make a record, which may state a wrong length or have more headers."""
    length = str(len(body)) if length is None else length
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{number:032}>\r\n"
        "WARC-Date: 2024-05-06T07:08:09Z\r\n"
        f"WARC-Target-URI: http://example.org/{number}\r\nContent-Type: application/http; msgtype={kind}\r\n"
        f"Content-Length: {length}\r\n{more}\r\n"
    )
    return head.encode() + body + b"\r\n\r\n"


def page(text: str, *, sized: bool) -> bytes:
    """Make an HTTP response, with a `Content-Length` if `sized`."""
    body = f"<p>{text}</p>".encode()
    size = f"Content-Length: {len(body)}\r\n" if sized else ""
    return f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n{size}\r\n".encode() + body


def warc_records() -> list[tuple[bytes, int]]:
    records = [(warc_record("warcinfo", b"software: a test\r\n", 0), 0)]
    for number, text in enumerate(texts(3), 1):
        records.append((warc_record("response", page(text, sized=number % 2 == 0), number), 1))
        records.append((warc_record("request", b"GET / HTTP/1.1\r\n\r\n", number + 10), 0))
    return records


def answer(body: bytes, *headers: str, kind: str = "text/plain") -> bytes:
    """Make an HTTP response with these headers."""
    lines = "\r\n".join(("HTTP/1.1 200 OK", f"Content-Type: {kind}", *headers))
    return f"{lines}\r\n\r\n".encode() + body


def arc_record(body: bytes, number: int, *, length: str | None = None) -> bytes:
    length = str(len(body)) if length is None else length
    return f"http://example.org/{number} 1.2.3.4 20240506070809 text/html {length}\n".encode() + body + b"\n"


def arc_records() -> list[tuple[bytes, int]]:
    about = b"1 0 a-test\nURL IP-address Archive-date Content-type Archive-length\n"
    head = f"filedesc://a.arc 0.0.0.0 20240506070809 text/plain {len(about)}\n".encode()
    pages = [page(text, sized=number % 2 == 0) for number, text in enumerate(texts(3))]
    return [(head + about + b"\n", 0), *((arc_record(body, number), 1) for number, body in enumerate(pages))]


def gzipped(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def sized(data: bytes) -> bytes:
    """Make a Zstandard frame that states the length of its content."""
    return bytes(pa.Codec("zstd").compress(data, asbytes=True))


def streamed(data: bytes) -> bytes:
    """Make a Zstandard frame without the length of its content."""
    out = pa.BufferOutputStream()
    with pa.CompressedOutputStream(out, "zstd") as stream:
        stream.write(data)
    return bytes(out.getvalue())


def framed(parts: list[bytes], dictionary: bytes | None = None, *, is_packed: bool = False) -> bytes:
    """Make a web archive with a Zstandard frame for each part, which may use a dictionary at the beginning."""
    known = None if dictionary is None else zstd.ZstdDict(dictionary)
    frames = b"".join(zstd.compress(part, zstd_dict=known) for part in parts)
    if dictionary is None:
        return frames
    content = zstd.compress(dictionary) if is_packed else dictionary
    return b"\x5d\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content + frames


class Made(NamedTuple):
    """An archive of three pages; the second may state a wrong or odd length."""

    name: str
    parts: list[bytes]

    def write(self, folder: Path) -> Path:
        parts = map(gzipped, self.parts) if self.name.endswith(".gz") else self.parts
        (folder / self.name).write_bytes(b"".join(parts))
        return folder / self.name


NAMES = ("a.warc", "a.warc.gz", "a.arc", "a.arc.gz")


def made(name: str, *, length: str | None = None, step: int = 0, sized: bool = False) -> Made:
    pages = [page(text, sized=sized) for text in texts(3)]
    lengths = [None, str(len(pages[1]) + step) if length is None else length, None]
    both = zip(pages, lengths, strict=True)
    if ".arc" in name:
        return Made(name, [arc_record(body, number, length=stated) for number, (body, stated) in enumerate(both)])
    return Made(name, [warc_record("response", body, number, length=one) for number, (body, one) in enumerate(both)])
