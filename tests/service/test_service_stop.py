"""The command `serve`: how it starts, how it stops, and that no acknowledged document is lost."""

import json
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from signal import SIGINT, SIGKILL, SIGTERM
from threading import Event

import pytest
from click import ClickException

from command import PATIENCE, Cli
from neardup import Gate, Index
from neardup.cli.commands.serve import serve
from neardup.errors import NeardupError
from service_story import (
    READER,
    WRITER,
    Running,
    make_store,
    parse,
    read_all,
    request,
    running,
    write_lines,
    write_tokens,
)

WRITERS = 20
ENOUGH = 100


@pytest.mark.parametrize("signal", [SIGTERM, SIGINT])
def test_what_is_under_way_is_answered(tmp_path: Path, signal: int) -> None:
    """The bodies of the requests are incomplete when the service is stopped."""
    store = make_store(tmp_path / "store", sweeps=False)
    with running(store) as server, ExitStack() as stack:
        open_connections = [stack.enter_context(server.connect()) for _ in range(10)]
        for number, connection in enumerate(open_connections):
            body = json.dumps({"text": f"text {number}", "id": f"held {number}"}).encode()
            path = "/api/bulk/admit" if number % 2 else "/api/admit"
            connection.sendall(request("POST", path, body[:10], length=len(body)))
        server.wait_for("neardup_requests_open", 11)
        server.process.send_signal(signal)
        wait_until_refused(server)
        for number, connection in enumerate(open_connections):
            connection.sendall(json.dumps({"text": f"text {number}", "id": f"held {number}"}).encode()[10:])
        for number, connection in enumerate(open_connections):
            status, answer = parse(read_all(connection))
            [answer] = answer if isinstance(answer, list) else [answer]
            assert (status, answer["id"]) == (200, f"held {number}")
        _, errors = server.process.communicate(timeout=PATIENCE)
        assert (server.process.returncode, errors) == (0, "")
    index = Index.open(store)
    assert all(f"held {number}" in index for number in range(10))


@pytest.mark.parametrize(("signal", "code"), [(SIGTERM, 0), (SIGKILL, -SIGKILL)])
@pytest.mark.parametrize("kind", ["index", "gate"])
def test_acknowledged_documents_are_there(tmp_path: Path, signal: int, code: int, kind: str) -> None:
    """Writers send single documents and lines of documents until the service is gone."""
    folder = tmp_path / "store"
    if kind == "gate":
        Gate.open(folder).close()
    else:
        Index.create(folder)
    enough = Event()
    with running(folder) as server, ThreadPoolExecutor(WRITERS + 1) as threads:
        writing = [threads.submit(write, server, number, enough) for number in range(WRITERS)]
        streaming = threads.submit(stream, server)
        assert enough.wait(PATIENCE)
        server.process.send_signal(signal)
        acknowledged = [name for one in writing for name in one.result()] + streaming.result()
        assert server.process.wait(PATIENCE) == code
    assert len(acknowledged) >= ENOUGH
    index = Index.open(folder / "index" if kind == "gate" else folder)
    assert [name for name in acknowledged if name not in index] == []
    if kind == "gate":
        with Gate.open(folder) as gate:
            assert len(gate.store) == len(gate.index)


def write(server: Running, number: int, enough: Event) -> list[str]:
    """Admit documents one after another on one connection until it ends; return the ids that were acknowledged."""
    names: list[str] = []
    try:
        with server.connect() as connection, connection.makefile("rb") as answers:
            while True:
                name = f"w{number}-{len(names)}"
                body = json.dumps({"id": name, "text": f"document {name} of a writer"}).encode()
                connection.sendall(request("POST", "/api/admit", body).replace(b"Connection: close\r\n", b""))
                if not answers.readline().startswith(b"HTTP/1.1 200"):
                    return names
                length = next(int(line.split()[1]) for line in answers if line.startswith(b"content-length:"))
                while answers.readline().strip():
                    pass
                if json.loads(answers.read(length))["id"] == name:
                    names.append(name)
                if len(names) * WRITERS > 2 * ENOUGH:
                    enough.set()
    except (OSError, StopIteration, ValueError):
        return names


def stream(server: Running) -> list[str]:
    """Admit many documents in one request; return the ids whose answers arrived."""
    body = write_lines([{"id": f"s{number}", "text": f"line {number} of a stream"} for number in range(20_000)])
    answer = b""
    try:
        with server.connect() as connection:
            connection.sendall(request("POST", "/api/bulk/admit", body))
            while piece := connection.recv(1 << 16):
                answer += piece
    except OSError:
        pass
    return acknowledged_in(answer)


def acknowledged_in(answer: bytes) -> list[str]:
    """Return the ids in an answer of lines, which may have been cut off."""
    names = []
    for line in answer.split(b"\n"):
        try:
            names.append(json.loads(line)["id"])
        except (ValueError, KeyError, TypeError):
            # the headers, the sizes of chunks and the line that was cut off
            continue
    return names


def test_an_endless_bulk_request_is_cut_off(tmp_path: Path) -> None:
    store = make_store(tmp_path / "store", sweeps=False)
    with running(store, "--seconds", 1) as server, server.connect() as connection:
        connection.sendall(request("POST", "/api/bulk/admit", b"", length=10**9))
        server.wait_for("neardup_requests_open", 2)
        server.process.send_signal(SIGTERM)
        answer, sent = b"", 0
        with suppress(OSError):
            while True:
                connection.sendall(b'{"text": "line %d of those that go on", "id": "%d"}\n' % (sent, sent))
                piece = connection.recv(1 << 16)
                if not piece:
                    break
                answer, sent = answer + piece, sent + 1
        _, errors = server.process.communicate(timeout=PATIENCE)
        assert (server.process.returncode, errors) == (0, "")
    index = Index.open(store)
    names = acknowledged_in(answer)
    assert names
    assert [name for name in names if name not in index] == []


def test_a_second_signal_stops_the_server_at_once(tmp_path: Path) -> None:
    with running(make_store(tmp_path / "store", sweeps=False)) as server, server.connect() as connection:
        connection.sendall(request("POST", "/api/check", b"{", length=100))
        server.wait_for("neardup_requests_open", 2)
        server.process.send_signal(SIGINT)
        wait_until_refused(server)
        assert server.stop(SIGINT)[0] == 0


def wait_until_refused(server: Running) -> None:
    """Wait until the server refuses connections."""
    while True:
        try:
            server.connect().close()
        except ConnectionError:
            return


def test_the_first_line_says_where_and_what(tmp_path: Path) -> None:
    store = make_store(tmp_path / "store", sweeps=False)
    command = [sys.executable, "-m", "neardup", "serve", str(store), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        process.send_signal(SIGTERM)
        out, errors = process.communicate(timeout=PATIENCE)
    assert line.startswith("http://127.0.0.1:")
    assert line.endswith("  serves 3 documents; Ctrl+C stops it\n")
    assert (process.returncode, out, errors) == (0, "", "")


def test_tokens_of_a_server(tmp_path: Path) -> None:
    tokens = write_tokens(tmp_path / "tokens.txt")
    with running(make_store(tmp_path / "store", sweeps=False), "--tokens", tokens, "--host", "0.0.0.0") as server:
        assert server.ask("/api/stats")[0] == 401
        assert server.ask("/api/stats", headers=f"Authorization: Bearer {READER}\r\n")[0] == 200
        assert server.ask("/api/admit", {"text": "a"}, f"Authorization: Bearer {READER}\r\n")[0] == 403
        assert server.ask("/api/admit", {"text": "a"}, f"Authorization: Bearer {WRITER}\r\n")[0] == 200
        code, errors = server.stop(SIGTERM)
    assert (code, errors) == (0, "")
    assert READER not in errors


def test_wrong_arguments_and_stores_are_refused(tmp_path: Path, cli: Cli) -> None:
    store = make_store(tmp_path / "store", sweeps=False)
    (tmp_path / "empty").mkdir()
    (tmp_path / "tokens.txt").write_text("read anna short\n")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        cases: list[tuple[tuple[str | Path | int, ...], int, str]] = [
            ((tmp_path / "nowhere",), 1, f"{tmp_path}/nowhere: cannot open: there is no index here"),
            ((tmp_path / "empty",), 1, f"{tmp_path}/empty: cannot open: there is no index here"),
            ((tmp_path / "tokens.txt",), 1, "cannot open: there is no index here"),
            ((store, "--port", port), 1, f"cannot listen at 127.0.0.1, port {port}: Address already in use"),
            ((store, "--port", 65536), 2, "65536 is not in the range 0<=x<=65535"),
            ((store, "--host", "10.255.0.1", "--tokens", write_tokens(tmp_path / "t")), 1, "cannot listen at 10.255."),
            ((store, "--tokens", tmp_path / "none.txt"), 1, "none.txt: cannot be read: No such file or directory"),
            ((store, "--tokens", tmp_path / "tokens.txt"), 1, "tokens.txt, line 1: a token has 16 or more characters"),
            ((store, "--seconds", 0), 2, "0 is not in the range 1<=x<=3600"),
            ((), 2, "Missing argument 'DIR'"),
        ]
        for arguments, code, message in cases:
            found, printed = begin(*arguments)
            assert (found, message in printed) == (code, True)
    done = cli("serve", tmp_path / "empty", code=1)
    assert (done.stdout, done.stderr) == (
        "",
        f"error: {tmp_path}/empty: cannot open: there is no index here (no manifest.json)\n",
    )


def begin(*arguments: str | Path | int) -> tuple[int, str]:
    """Return the exit code and the message of the command, which is expected to fail."""
    try:
        serve.main(list(map(str, arguments)), standalone_mode=False)
    except NeardupError as error:
        return error.exit_code, str(error)
    except ClickException as error:
        return error.exit_code, error.format_message()
    return 0, ""


@pytest.mark.parametrize("missing", ["fastapi", "uvicorn", "jinja2", "httptools"])
def test_a_missing_library_is_named(tmp_path: Path, missing: str) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; from neardup.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "serve", str(tmp_path)], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    expected = f"error: serving needs extra libraries: pip install 'neardup[serve]' ({missing} is missing)\n"
    assert done.stderr == expected
