"""A store with the documents of the examples, and its clients."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient
from starlette.types import ASGIApp

from command import PATIENCE
from neardup import Document, Index
from neardup.service.api import examples
from neardup.service.server import make_app
from neardup.service.state.limits import Limits
from neardup.service.state.served_data import ServedData
from neardup.service.state.tokens import Tokens
from neardup.sweeps import SweepStore

HOST = "testserver"
READER, WRITER = "reading-is-allowed-to-me", "writing-is-allowed-to-me"
NEAR = {"text": examples.LATER}
NDJSON = {"Content-Type": "application/x-ndjson"}
HTML = {"Content-Type": "text/html"}


def make_store(folder: Path, *, sweeps: bool = True, **options: Any) -> Path:
    """Make the store that the examples of the API describe."""
    Index.create(folder, parts=True, **options).add([Document(**one) for one in examples.HOLDS])
    if sweeps:
        with SweepStore.create(folder / "sweeps") as store:
            for date, pages in examples.SWEEPS.items():
                store.add([Document(text, url=url) for url, text in pages.items()], date)
    return folder


def write_tokens(path: Path) -> Path:
    path.write_text(f"# who may ask\n\nread reader {READER}\nwrite writer {WRITER}\n")
    return path


def make(folder: Path, *, scheme: str | None = None, tokens: Path | None = None, **limits: Any) -> ASGIApp:
    """Make the application over a store."""
    known = None if tokens is None else Tokens.read(tokens)
    return make_app(ServedData.open(folder, scheme=scheme), known, Limits(**limits), frozenset([HOST, "127.0.0.1"]))


@contextmanager
def asking(folder: Path, **options: Any) -> Iterator[TestClient]:
    """Yield a client of the application over a store, without a network; an exception becomes a response."""
    with TestClient(make(folder, **options), raise_server_exceptions=False) as client:
        yield client


@contextmanager
def running(folder: Path, *options: str | Path | int, command: tuple[str, ...] = ("serve",)) -> Iterator["Running"]:
    """Run the command `serve`, and kill it at the end if it still runs."""
    words = [sys.executable, "-m", "neardup", *command, folder, "--port", 0, *options]
    with subprocess.Popen(
        list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as process:
        try:
            yield Running(process)
        finally:
            process.kill()


class Running:
    """A running service, at the address that its first line prints."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        self.process = process
        self.address = process.stdout.readline().partition(" ")[0]
        assert self.address, process.communicate()
        host, port = self.address.removeprefix("http://").split(":")
        self.place = host, int(port)

    def connect(self) -> socket.socket:
        return socket.create_connection(self.place, timeout=PATIENCE)

    def ask(self, path: str, sent: Any = None, headers: str = "") -> tuple[int, Any]:
        """Send a request on a new connection: POST if there is something to send, otherwise GET."""
        with self.connect() as connection:
            body = b"" if sent is None else json.dumps(sent).encode()
            connection.sendall(request("GET" if sent is None else "POST", path, body, headers))
            return parse(read_all(connection))

    def measure(self, name: str) -> float:
        """Return a value of the metrics."""
        _, metrics = self.ask("/api/metrics")
        return next(float(line.split()[-1]) for line in metrics.splitlines() if line.startswith(name))

    def wait_for(self, name: str, value: float) -> None:
        """Wait until a metric has this value."""
        end = time.monotonic() + PATIENCE
        while self.measure(name) != value:
            assert time.monotonic() < end
            time.sleep(0.02)

    def stop(self, signal: int) -> tuple[int, str]:
        """Stop it by a signal; return the exit code and the text of the standard error."""
        self.process.send_signal(signal)
        _, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, errors


def request(method: str, path: str, body: bytes = b"", headers: str = "", *, length: int | None = None) -> bytes:
    """Return the bytes of a request after which the connection is closed."""
    size = f"Content-Length: {len(body) if length is None else length}\r\n" if method == "POST" else ""
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{size}{headers}\r\n"
    return head.encode() + body


def read_all(connection: socket.socket) -> bytes:
    """Read until the connection is closed."""
    return b"".join(iter(lambda: connection.recv(1 << 16), b""))


def parse(answer: bytes) -> tuple[int, Any]:
    """Return the status and the body of a response, which is JSON, lines of JSON or text."""
    head, _, body = answer.partition(b"\r\n\r\n")
    status, headers = int(head.split()[1]), head.lower()
    if b"\r\ntransfer-encoding: chunked" in headers:
        body = join_chunks(body)
    if b"\r\ncontent-type: application/x-ndjson" in headers:
        return status, read_lines(body)
    return status, json.loads(body) if b"json" in headers.partition(b"content-type:")[2].splitlines()[
        0
    ] else body.decode()


def join_chunks(body: bytes) -> bytes:
    """Join the chunks of a body, which may be truncated."""
    whole = b""
    while body:
        size, _, body = body.partition(b"\r\n")
        whole += body[: int(size, 16)]
        body = body[int(size, 16) + 2 :]
    return whole


def read_lines(body: bytes) -> list[Any]:
    return [json.loads(line) for line in body.splitlines()]


def write_lines(records: list[Any]) -> bytes:
    return "".join(json.dumps(one) + "\n" for one in records).encode()
