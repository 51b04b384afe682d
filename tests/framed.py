"""Archives, and packed files: made for tests, record by record."""

import gzip
from random import Random

import pyarrow as pa

WORDS = ("ferry", "salt", "ferme", "등대", "船", "quay", "fog", "oven", "gull", "harbour", "tide", "rope")


def texts(count: int = 4) -> list[str]:
    random = Random(5)
    return [" ".join(random.choices(WORDS, k=6)) for _ in range(count)]


def warc_record(kind: str, body: bytes, number: int) -> bytes:
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{number:032}>\r\n"
        "WARC-Date: 2024-05-06T07:08:09Z\r\n"
        f"WARC-Target-URI: http://example.org/{number}\r\nContent-Type: application/http; msgtype={kind}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body + b"\r\n\r\n"


def page(text: str, *, sized: bool) -> bytes:
    """Make an answer of HTTP, whose body may say how long it is."""
    body = f"<p>{text}</p>".encode()
    size = f"Content-Length: {len(body)}\r\n" if sized else ""
    return f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n{size}\r\n".encode() + body


def warc_records() -> list[tuple[bytes, int]]:
    records = [(warc_record("warcinfo", b"software: a test\r\n", 0), 0)]
    for number, text in enumerate(texts(3), 1):
        records.append((warc_record("response", page(text, sized=number % 2 == 0), number), 1))
        records.append((warc_record("request", b"GET / HTTP/1.1\r\n\r\n", number + 10), 0))
    return records


def arc_records() -> list[tuple[bytes, int]]:
    about = b"1 0 a-test\nURL IP-address Archive-date Content-type Archive-length\n"
    head = f"filedesc://a.arc 0.0.0.0 20240506070809 text/plain {len(about)}\n".encode()
    records = [(head + about + b"\n", 0)]
    for number, text in enumerate(texts(3)):
        body = page(text, sized=number % 2 == 0)
        head = f"http://example.org/{number} 1.2.3.4 20240506070809 text/html {len(body)}\n".encode()
        records.append((head + body + b"\n", 1))
    return records


def gzipped(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def sized(data: bytes) -> bytes:
    """Make a frame that says how long its content is."""
    return bytes(pa.Codec("zstd").compress(data, asbytes=True))


def streamed(data: bytes) -> bytes:
    """Make a frame that does not."""
    out = pa.BufferOutputStream()
    with pa.CompressedOutputStream(out, "zstd") as stream:
        stream.write(data)
    return bytes(out.getvalue())
