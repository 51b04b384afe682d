"""Access control: tokens, cookies, host names and requests from pages of other origins."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from command import Cli
from neardup import DataError, UsageError
from neardup.errors import EnvironmentFault
from neardup.service.access import COOKIE
from neardup.service.server import is_loopback, own_names
from neardup.service.state.tokens import Person, Tokens
from service_story import NDJSON, READER, WRITER, asking, make_store, write_tokens

READING: list[tuple[str, str, Any]] = [
    ("POST", "check", {"text": "a"}),
    ("POST", "query", {"text": "a"}),
    ("POST", "explain", {"left": {"text": "a"}, "right": {"text": "b"}}),
    ("POST", "fold", {"results": []}),
    ("POST", "contacts", {"text": "a"}),
    ("POST", "bulk/check", {"text": "a"}),
    ("GET", "document?id=ferry", None),
    ("GET", "duplicates?id=ferry", None),
    ("GET", "cluster?id=ferry", None),
    ("GET", "locate?url=https://coast.example/ferry", None),
    ("GET", "history?url=https://coast.example/ferry", None),
    ("GET", "stats", None),
    ("GET", "metrics", None),
]
WRITING: list[tuple[str, str, Any]] = [
    ("POST", "admit", {"text": "a"}),
    ("POST", "remove", {"ids": ["copy"]}),
    ("POST", "bulk/admit", {"text": "a"}),
]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    return write_tokens(tmp_path / "tokens.txt")


@pytest.fixture
def client(tmp_path: Path, tokens: Path) -> Iterator[TestClient]:
    with asking(make_store(tmp_path / "store"), tokens=tokens) as client:
        yield client


def test_rights(client: TestClient) -> None:
    for method, path, sent in READING + WRITING:
        nobody = client.request(method, f"/api/{path}", json=sent)
        assert (nobody.status_code, nobody.headers["www-authenticate"]) == (401, "Bearer")
        assert nobody.json()["detail"] == "a token is needed"
        stranger = client.request(method, f"/api/{path}", json=sent, headers=bearer("what-is-no-token-here"))
        assert (stranger.status_code, stranger.json()["detail"]) == (401, "a token is needed, and this is none")
        for token in (READER, WRITER):
            known = client.request(method, f"/api/{path}", json=sent, headers=bearer(token))
            may = token == WRITER or (method, path, sent) in READING
            assert known.status_code == (200 if may else 403), path
            assert may or known.json()["detail"] == "reader may read, and not write"
    assert client.get("/api/health").json() == {"status": "ok"}


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer ", f"Basic {READER}", READER, f"Bearer {READER} x", "Bearer \xff\xfe", "bearer " * 99]
)
def test_invalid_tokens_are_refused(client: TestClient, header: str) -> None:
    answer = client.get("/api/stats", headers=[(b"authorization", header.encode("latin-1"))])
    assert answer.status_code == 401


def test_answers_do_not_repeat_wrong_credentials(client: TestClient) -> None:
    for headers in (bearer("a-token-that-is-wrong"), {"Cookie": f"{COOKIE}=a-cookie-that-is-wrong"}):
        assert "that-is-wrong" not in client.get("/api/stats", headers=headers).text


def test_cookies(tokens: Path) -> None:
    known = Tokens.read(tokens)
    cookie = known.remember(Person("reader", writes=False), 1_000)
    assert known.recall(cookie, 1_000) == Person("reader", writes=False)
    assert known.recall(cookie, 1_001) is None
    name, until, signature = cookie.split("|")
    wrong = [
        f"writer|{until}|{signature}",
        f"{name}|9999|{signature}",
        f"{name}|{until}|{signature[:-1]}",
        f"{name}|{until}|",
        f"{name}|{until}",
        f"{name}|{'9' * 5000}|{signature}",
        f"{name}|{until}|\u00e4\u00f6",
        f"{name}\u0661|{until}|{signature}",
        "||",
        "|",
        "",
    ]
    assert [one for one in wrong if known.recall(one, 0) is not None] == []
    tokens.write_text(f"read reader {READER}-of-tomorrow\n")
    assert Tokens.read(tokens).recall(cookie, 0) is None


def test_cookies_of_a_browser(client: TestClient, tokens: Path) -> None:
    for name, until, status in (("reader", 2**40, 200), ("reader", 1, 401), ("nobody", 2**40, 401)):
        known = Tokens.read(tokens)
        cookie = known.remember(Person("reader", writes=False), until).replace("reader", name)
        assert client.get("/api/stats", headers={"Cookie": f"{COOKIE}={cookie}"}).status_code == status
    for cookie in ("reader|" + "9" * 5000 + "|a", 'reader|1099511627776|"\\303\\244"', "\xe4|\xe4|\xe4"):
        answer = client.get("/api/stats", headers=[(b"cookie", f"{COOKIE}={cookie}".encode("latin-1"))])
        assert answer.status_code == 401


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ("", "there are no tokens; a line is `read NAME TOKEN` or `write NAME TOKEN`"),
        ("# nobody\n\n", "there are no tokens"),
        (f"read {READER}", "line 1: a line is `read NAME TOKEN` or `write NAME TOKEN`"),
        (f"# x\nadmin anna {READER}", "line 2: a line is `read NAME TOKEN` or `write NAME TOKEN`"),
        (f"read anna {READER} more", "line 1: a line is `read NAME TOKEN` or `write NAME TOKEN`"),
        ("read anna secret-of-anna", "line 1: a token has 16 or more characters, all of them of ASCII"),
        (
            "read anna geheime-\u00e4\u00f6\u00fc-von-anna",
            "line 1: a token has 16 or more characters, all of them of ASCII",
        ),
        (f"read anna {READER}\nwrite anna {WRITER}", "line 2: this name, or this token, was there before"),
        (f"read anna {READER}\nwrite otto {READER}", "line 2: this name, or this token, was there before"),
    ],
)
def test_invalid_token_files_are_refused(tmp_path: Path, lines: str, sentence: str) -> None:
    path = tmp_path / "tokens.txt"
    path.write_text(lines.replace("secret-of-anna", "secret-of-anna!"), encoding="utf-8")
    with pytest.raises(DataError, match=re.escape(sentence)) as refused:
        Tokens.read(path)
    assert str(refused.value).startswith(str(path))
    assert "secret" not in str(refused.value)
    assert READER not in str(refused.value)


def test_unreadable_token_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFault, match=r"nowhere.txt: cannot be read: No such file or directory"):
        Tokens.read(tmp_path / "nowhere.txt")
    (tmp_path / "tokens.txt").write_bytes(b"read anna \xff\xfe")
    with pytest.raises(DataError, match="this is not UTF-8"):
        Tokens.read(tmp_path / "tokens.txt")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.3.2.1", "::1", "localhost"])
def test_loopback_hosts_need_no_tokens(host: str) -> None:
    assert is_loopback(host)
    assert {"localhost", "127.0.0.1", "[::1]"} <= own_names(host, (), has_tokens=False)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.1", "example.org", "", "localhost.example.org"])
def test_other_hosts_need_tokens(host: str) -> None:
    assert not is_loopback(host)
    with pytest.raises(UsageError, match=r"which others reach: name a file of --tokens, or listen at 127\.0\.0\.1"):
        own_names(host, (), has_tokens=False)
    assert "example.com" in own_names(host, ("Example.com",), has_tokens=True)


def test_the_command_refuses_to_serve_others_without_tokens(cli: Cli, tmp_path: Path) -> None:
    done = cli("serve", make_store(tmp_path / "store", sweeps=False), "--host", "0.0.0.0", code=2)
    assert "error: host is 0.0.0.0, which others reach" in done.stderr


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("testserver", 200),
        ("TESTSERVER:8765", 200),
        ("127.0.0.1:1", 200),
        ("evil.example", 400),
        ("testserver.evil.example", 400),
        ("evil.example:80@testserver", 400),
        ("testserver.", 400),
        ("[::1]", 400),
        ("testserver:80@evil.example", 400),
        ("testserver:80, evil", 400),
        ("testserver:/evil", 400),
        ("testserver:evil.example", 400),
        ("", 400),
    ],
)
def test_unknown_host_names_are_refused(tmp_path: Path, host: str, status: int) -> None:
    with asking(make_store(tmp_path / "store", sweeps=False)) as client:
        for path in ("/api/stats", "/", "/api/health"):
            answer = client.get(path, headers={"Host": host})
            assert answer.status_code == status
        assert status == 200 or "does not go by that name; --name allows another one" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://testserver"}, 200),
        ({"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://testserver.evil.example"}, 403),
        ({"Origin": "http://testserver:8080"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "http://testserver", "Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_pages_of_other_origins_change_nothing(tmp_path: Path, headers: dict[str, str], status: int) -> None:
    with asking(make_store(tmp_path / "store", sweeps=False)) as client:
        for path in ("admit", "bulk/admit"):
            answer = client.post(
                f"/api/{path}", json={"text": "a"}, headers=headers | NDJSON | {"Content-Type": "text/plain"}
            )
            assert answer.status_code == status
        assert client.get("/api/stats", headers=headers).json()["documents"] == (5 if status == 200 else 3)


def test_a_request_names_its_origin_once(tmp_path: Path) -> None:
    with asking(make_store(tmp_path / "store", sweeps=False)) as client:
        headers = [("Origin", "http://testserver"), ("Origin", "http://evil.example"), ("Content-Type", "text/plain")]
        assert client.post("/api/admit", content="a", headers=headers).status_code == 400
