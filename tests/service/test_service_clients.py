"""A running server with many clients, slow clients, large requests and clients that disconnect."""

import json
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from signal import SIGTERM

import pytest

from neardup.service.api.examples import FERRY, LATER
from service_story import Running, make_store, parse, read_all, request, running

CLIENTS = 200
ROUNDS = 5


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(make_store(tmp_path_factory.mktemp("store"))) as server:
        yield server


@pytest.fixture(scope="module")
def hurried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that allows one second per request."""
    with running(make_store(tmp_path_factory.mktemp("store"), sweeps=False), "--seconds", 1) as server:
        yield server
        assert server.stop(SIGTERM) == (0, "")


def test_many_clients_at_once(server: Running) -> None:
    """Each client keeps a connection of its own open; all of them get the right answers."""

    def ask(number: int) -> list[int]:
        statuses = []
        with server.connect() as connection:
            for turn in range(ROUNDS):
                is_known = (number + turn) % 2
                text = f"{LATER}" if is_known else f"client {number} says {turn} and a few words more"
                body = json.dumps({"text": text, "id": f"{number}-{turn}"}).encode()
                connection.sendall(request("POST", "/api/check", body).replace(b"Connection: close\r\n", b""))
                status, answer = parse(read_one(connection))
                assert (answer["id"], answer["original"]) == (
                    f"{number}-{turn}",
                    "ferry" if is_known else f"{number}-{turn}",
                )
                statuses.append(status)
        return statuses

    with ThreadPoolExecutor(CLIENTS) as threads:
        found = list(threads.map(ask, range(CLIENTS)))
    assert found == [[200] * ROUNDS] * CLIENTS


def read_one(connection: socket.socket) -> bytes:
    """Read one answer from a connection that stays open."""
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += connection.recv(1 << 16)
    head, _, body = answer.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].split()[0])
    while len(body) < length:
        body += connection.recv(1 << 16)
    return head + b"\r\n\r\n" + body


def test_requests_beyond_the_limit_are_refused(tmp_path: Path) -> None:
    with running(make_store(tmp_path / "store", sweeps=False), "--requests", 3) as server, ExitStack() as stack:
        open_connections = [stack.enter_context(server.connect()) for _ in range(3)]
        for connection in open_connections[:2]:
            connection.sendall(request("POST", "/api/check", b'{"text', length=16))
        # the request for the metrics is the third
        server.wait_for("neardup_requests_open", 3)
        open_connections[2].sendall(request("POST", "/api/bulk/check", b"", length=2))
        refused = refusal(server)
        assert refused.split(b"\r\n")[0] == b"HTTP/1.1 429 Too Many Requests"
        assert b"\r\nretry-after: 1\r\n" in refused.lower()
        assert parse(refused)[1]["detail"] == "3 requests are under way: come back in a second"
        assert server.ask("/api/health") == (200, {"status": "ok"})
        for connection, rest in zip(open_connections, (b'": "free"}', b'": "free"}', b"{}"), strict=True):
            connection.sendall(rest)
            assert parse(read_all(connection))[0] == 200
        assert server.ask("/api/health") == (200, {"status": "ok"})


def refusal(server: Running) -> bytes:
    """Send requests until one is refused, because the server may not have read the last of the open ones yet."""
    while True:
        with server.connect() as connection:
            connection.sendall(request("GET", "/api/stats"))
            answer = read_all(connection)
        if not answer.startswith(b"HTTP/1.1 200"):
            return answer


@pytest.mark.parametrize(
    "head", [b"", b"GET ", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Y: z"]
)
def test_headers_that_never_end(hurried: Running, head: bytes) -> None:
    with hurried.connect() as connection:
        connection.sendall(head)
        assert read_all(connection) == b""


def test_headers_that_arrive_byte_by_byte(hurried: Running) -> None:
    with hurried.connect() as connection, pytest.raises(ConnectionError):
        send_slowly(connection, b"GET /" + b"a" * 600)
    with hurried.connect() as connection:
        connection.sendall(request("GET", "/api/health").replace(b"Connection: close\r\n", b""))
        assert parse(read_one(connection)) == (200, {"status": "ok"})
        connection.sendall(b"GET /api/health HT")
        assert read_all(connection) == b""


def send_slowly(connection: socket.socket, content: bytes) -> None:
    for byte in content:
        connection.sendall(bytes([byte]))
        time.sleep(0.1)


def test_idle_connections_are_closed(hurried: Running) -> None:
    # only blank lines, which a server skips; and the rest of a body that was refused
    large = request("POST", "/api/check", b" " * 5_000_000)
    for sent, rest in [(request("GET", "/api/health"), b"\r\n"), (large[:200], large[200:])]:
        with hurried.connect() as connection, suppress(ConnectionError):
            connection.sendall(sent.replace(b"Connection: close\r\n", b""))
            assert parse(read_one(connection))[0] in (200, 413)
            connection.sendall(rest)
            assert read_all(connection) == b""


def test_blank_lines_do_not_count_as_lines(hurried: Running) -> None:
    with hurried.connect() as connection:
        connection.sendall(request("POST", "/api/bulk/check", b"\n", length=1_000))
        with suppress(ConnectionError):
            send_slowly(connection, b"\n" * 40)
        status, (problem,) = parse(read_all(connection))
    assert (status, problem["status"]) == (200, 408)


def test_bodies_that_never_end(hurried: Running) -> None:
    for path in ("/api/check", "/api/query"):
        with hurried.connect() as connection:
            connection.sendall(request("POST", path, b'{"text": ', length=100))
            status, problem = parse(read_all(connection))
        assert (status, problem["detail"]) == (408, "the body did not come within 1 seconds")


def test_lines_that_never_end(hurried: Running) -> None:
    whole = json.dumps({"text": FERRY}).encode() + b"\n"
    with hurried.connect() as connection:
        connection.sendall(request("POST", "/api/bulk/check", whole + b'{"text": ', length=1_000))
        # single bytes that arrive slowly do not make a line
        with suppress(ConnectionError):
            send_slowly(connection, b" " * 40)
        status, (checked, problem) = parse(read_all(connection))
    assert (status, checked["original"]) == (200, "ferry")
    assert (problem["status"], problem["detail"]) == (408, "no line came for 1 seconds")


@pytest.mark.parametrize(
    "head",
    [
        b"GET /" + b"a" * 2_000_000,
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"a" * 2_000_000,
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X: y\r\n" * 400_000,
    ],
)
def test_headers_that_are_too_long(server: Running, head: bytes) -> None:
    with server.connect() as connection:
        connection.sendall(head)
        answer = read_one(connection)
    assert answer.startswith(b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\n")
    assert parse(answer)[1]["detail"] == "a request has at most 65,536 bytes of headers, its URL included"


def test_chunk_extensions_and_trailers_are_limited(server: Running) -> None:
    """Chunk extensions, and headers after the last chunk, take memory as well."""
    chunked = request("POST", "/api/bulk/check", b"", "Transfer-Encoding: chunked\r\n").replace(
        b"Content-Length: 0\r\n", b""
    )
    for more in (b"2;" + b"a" * 2_000_000, b"2\r\n{}\r\n0\r\nX: " + b"a" * 2_000_000):
        with server.connect() as connection, suppress(ConnectionError):
            connection.sendall(chunked + more)
            assert not read_all(connection).endswith(b"0\r\n\r\n")


def test_bodies_that_are_too_large_are_refused_unread(server: Running) -> None:
    with server.connect() as connection:
        connection.sendall(request("POST", "/api/check", b"", length=10**10))
        status, problem = parse(read_one(connection))
    assert (status, problem["detail"]) == (413, "a body has at most 4,194,304 bytes")
    whole = json.dumps({"text": "a" * (5 << 20)}).encode()
    assert server.ask("/api/check", {"text": "a" * (5 << 20)})[0] == 413
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in (whole[:1000], whole[1000:])) + b"0\r\n\r\n"
    chunked = request("POST", "/api/query", b"", "Transfer-Encoding: chunked\r\n").replace(
        b"Content-Length: 0\r\n", b""
    )
    with server.connect() as connection:
        connection.sendall(chunked + chunks)
        assert parse(read_one(connection))[0] == 413


def test_a_client_may_wait_for_100_continue(server: Running) -> None:
    body = json.dumps({"text": FERRY}).encode()
    with server.connect() as connection:
        head = request("POST", "/api/check", b"", "Expect: 100-continue\r\n", length=len(body))
        connection.sendall(head)
        assert connection.recv(1 << 16) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(body)
        assert parse(read_all(connection))[1]["original"] == "ferry"


@pytest.mark.parametrize(
    "sent",
    [
        b"\x00" * 100,
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /api/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        b"POST /api/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        b"POST /api/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
        b"GET /\xff HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET http://[ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET /api/health HTTP/1.1\r\n\r\n",
        b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: other.example\r\n\r\n",
    ],
)
def test_malformed_requests_are_refused(server: Running, sent: bytes) -> None:
    with server.connect() as connection:
        connection.sendall(sent)
        answer = connection.recv(1 << 16)
    assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert b"Traceback" not in answer


def test_a_client_may_send_everything_before_it_reads(server: Running) -> None:
    """The data exceeds the buffers between client and server in both directions."""
    count = 20_000
    body = b"".join(b'{"text": "a text of a few words", "id": "%d"}\n' % number for number in range(count))
    with server.connect() as connection:
        connection.sendall(request("POST", "/api/bulk/check", body))
        _, answers = parse(read_all(connection))
    assert [one["id"] for one in answers] == [str(number) for number in range(count)]


def test_clients_that_disconnect_in_the_middle(tmp_path: Path) -> None:
    with running(make_store(tmp_path / "store", sweeps=False)) as server:
        for path in ("/api/check", "/api/query"):
            with server.connect() as connection:
                connection.sendall(request("POST", path, b'{"te', length=10_000))
                server.wait_for("neardup_requests_open", 2)
        with server.connect() as connection:
            connection.sendall(request("POST", "/api/bulk/admit", b'{"text": "first"}\n{"te', length=10_000))
            while b'"kind": "new"' not in connection.recv(1 << 16):
                pass
        with server.connect() as connection:
            connection.sendall(request("POST", "/api/bulk/check", b'{"text": "a text of a few words"}\n' * 20_000))
        server.wait_for("neardup_requests_open", 1)
        assert server.ask("/api/stats")[1]["documents"] == 4
        assert server.stop(SIGTERM) == (0, "")


def test_a_client_that_does_not_read(tmp_path: Path) -> None:
    """An answer that the client does not read is not kept forever."""
    with running(make_store(tmp_path / "store", sweeps=False), "--seconds", 1) as server:
        with server.connect() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            connection.sendall(request("POST", "/api/bulk/check", b'{"text": "a text of a few words"}\n' * 60_000))
            server.wait_for("neardup_requests_open", 2)
            server.wait_for("neardup_requests_open", 1)
        assert server.stop(SIGTERM)[0] == 0


def test_a_url_that_names_another_host(server: Running) -> None:
    for url, status in (("http://evil.example/api/health", 400), ("http://127.0.0.1:1/api/health", 400)):
        with server.connect() as connection:
            connection.sendall(request("GET", url))
            assert parse(read_all(connection))[0] == status
    with server.connect() as connection:
        asked = request("GET", "/api/health")
        host = asked.split(b"Host: ")[1].split(b"\r\n")[0]
        connection.sendall(asked.replace(b"GET /", b"GET http://" + host + b"/"))
        assert parse(read_all(connection)) == (200, {"status": "ok"})
