"""Refused requests, hostile bodies among them: the status, and a sentence that says what is allowed."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from neardup import Index
from neardup.service.api.examples import FERRY
from neardup.service.guards import POLICY
from neardup.service.work.pool import ProcessPool
from service_story import HTML, NDJSON, asking, make_store, read_lines, write_lines

JSON = {"Content-Type": "application/json"}
DEEP = "[" * 100_000
LIMIT = 1 << 16
SECRET = "words | shingles:5 | minhash:96 seed=file:/etc/passwd | bands:16x6 | resemblance>=0.8"
PAIR = {"left": {"text": "a"}, "right": {"text": "b"}}
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with asking(make_store(tmp_path_factory.mktemp("store")), body=LIMIT) as client:
        yield client


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A service without sweeps and parts."""
    folder = tmp_path_factory.mktemp("bare")
    Index.create(folder)
    with asking(folder) as client:
        yield client


def check_refusal(response: Any, status: int, sentence: str) -> None:
    assert (response.status_code, response.headers["content-type"]) == (status, "application/problem+json")
    problem = response.json()
    assert problem.keys() == {"status", "title", "detail"}
    assert problem["status"] == status
    assert sentence in problem["detail"]
    assert "Traceback" not in response.text
    assert HEADERS.items() <= dict(response.headers).items()


@pytest.mark.parametrize(
    ("path", "sent", "status", "sentence"),
    [
        ("check", {}, 422, "body: a document has a text or html, and not both"),
        ("check", {"text": "a", "html": "a"}, 422, "a document has a text or html, and not both"),
        ("check", {"text": 5}, 422, "text: Input should be a valid string"),
        ("check", {"text": "a", "id": 5}, 422, "id: Input should be a valid string"),
        ("check", {"text": "a", "title": "b"}, 422, "title: Extra inputs are not permitted"),
        ("check", {"text": "a", "time": True}, 422, "time"),
        ("check", {"text": "a", "time": 1.5}, 422, "time"),
        ("check", {"text": "a", "time": "yesterday"}, 422, "is not an RFC 3339 date-time, a date YYYY[-MM[-DD]]"),
        ("check", {"text": "a", "time": 10**30}, 422, "is not an RFC 3339 date-time, a date YYYY[-MM[-DD]]"),
        ("check", {"text": "a", "time": "9999-99-99"}, 422, "is not an RFC 3339 date-time"),
        ("admit", {"text": "other", "id": "ferry"}, 422, "`ferry` is in the index already, with another text, time or"),
        ("remove", {"ids": []}, 422, "ids: List should have at least 1 item"),
        ("remove", {"ids": ["ferry", "nobody"]}, 404, "one of these documents is not there, and none was removed"),
        ("remove", {"ids": "ferry"}, 422, "ids: Input should be a valid array"),
        ("remove", {"ids": ["a"] * 10_001}, 422, "ids: List should have at most 10000 items"),
        ("query", {}, 422, "body: give one of text, id, url"),
        ("query", {"text": "a", "id": "ferry"}, 422, "give one of text, id, url"),
        ("query", {"id": "nobody"}, 404, "there is no document of this id"),
        ("query", {"url": "nowhere"}, 404, "there is no document of this URL"),
        ("query", {"text": "a", "by": "sound"}, 422, "'resemblance', 'containment' or 'contained-by'"),
        ("query", {"text": "a", "limit": 0}, 422, "limit: Input should be greater than or equal to 1"),
        ("query", {"text": "a", "limit": 1001}, 422, "limit: Input should be less than or equal to 1000"),
        ("query", {"text": "a", "limit": 10.5}, 422, "limit: Input should be a valid integer"),
        ("query", {"text": "a", "limit": 101, "passages": True}, 422, "of at most 100 hits: give a limit of 1 to 100"),
        ("query", {"text": "a", "threshold": "0.5"}, 422, "find what resembles by 0.8 or more"),
        ("query", {"text": "a", "threshold": "high"}, 422, "threshold"),
        ("query", {"text": "a", "threshold": "1/0"}, 422, "it is written as a number, 0.8 or 4/5"),
        ("query", {"text": "a", "threshold": "1e999999999"}, 422, "threshold"),
        ("query", {"text": "a", "threshold": -1}, 422, "threshold"),
        ("query", {"text": "a", "threshold": 1e300}, 422, "is not a number between 0 and 1"),
        ("explain", {"left": {"text": "a"}}, 422, "right: Field required"),
        ("explain", {"left": {"text": "a"}, "right": {}}, 422, "right: give one of text, id, url"),
        ("explain", {"left": {"text": "a"}, "right": {"id": "nobody"}}, 404, "there is no document of this id"),
        ("explain", PAIR | {"scheme": "simhsh"}, 422, "simhash"),
        ("explain", PAIR | {"measures": ["far"]}, 422, "levenshtein"),
        ("explain", PAIR | {"measures": ["bag"] * 17}, 422, "at most 16 items"),
        ("explain", PAIR | {"scheme": SECRET}, 422, "when it names a file"),
        ("explain", PAIR | {"scheme": "words weight=idf:/etc/passwd | shingles:5"}, 422, "when it names a file"),
        (
            "fold",
            {"results": [{"text": "a"}], "scheme": "words frame=file:/etc/passwd | shingles:5"},
            422,
            "when it names a file",
        ),
        ("fold", {"results": [{"text": "a"}, {"id": "b"}]}, 422, "results.1: a document has a text or html"),
        ("fold", {"results": [{"text": "a"}], "threshold": "2"}, 422, "is not a number between 0 and 1"),
        ("fold", {"results": {}}, 422, "results: Input should be a valid array"),
        ("contacts", {}, 422, "give one of text, url"),
        ("contacts", {"url": "nowhere"}, 404, "no sweep of this store saw nowhere"),
        ("contacts", {"text": "a", "threshold": "0"}, 422, "it is above 0 and at most 1"),
        ("check", [], 422, "body: Input should be an object"),
        ("query", [], 422, "body: Input should be an object"),
        ("query", None, 422, "body: Invalid JSON: EOF while parsing"),
    ],
)
def test_bodies_that_are_refused(client: TestClient, path: str, sent: Any, status: int, sentence: str) -> None:
    check_refusal(client.post(f"/api/{path}", json=sent), status, sentence)


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("document", 422, "name a document by its id or by its url"),
        ("document?id=ferry&url=x", 422, "name a document by its id or by its url"),
        ("document?id=nobody", 404, "there is no document of this id"),
        ("document?url=nowhere", 404, "there is no document of this URL"),
        ("document?id=%ff%00", 404, "there is no document of this id"),
        ("document?id=ferry&text=perhaps", 422, "query.text: Input should be a valid boolean"),
        ("duplicates?id=nobody", 404, "there is no document of this id"),
        ("cluster", 422, "name a document by its id or by its url"),
        ("locate", 422, "query.url: Field required"),
        ("locate?url=nowhere", 404, "no sweep of this store saw nowhere"),
        ("history?url=nowhere", 404, "no sweep of this store saw nowhere"),
        ("nowhere", 404, "Not Found"),
        ("document/", 404, "Not Found"),
        ("check", 405, "Method Not Allowed"),
    ],
)
def test_queries_that_are_refused(client: TestClient, path: str, status: int, sentence: str) -> None:
    check_refusal(client.get(f"/api/{path}"), status, sentence)


def test_a_store_without_parts_and_sweeps_refuses_their_queries(bare: TestClient) -> None:
    check_refusal(bare.post("/api/query", json={"text": "a", "by": "containment"}), 422, "no table of parts")
    check_refusal(bare.get("/api/locate?url=a"), 404, "there are no sweeps here: `neardup sweep add STORE/sweeps ...`")


@pytest.mark.parametrize("path", ["check", "admit", "remove", "query", "explain", "fold", "contacts"])
@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b"", "body"),
        (b"{", "EOF while parsing"),
        (DEEP[: LIMIT - 1].encode(), "recursion limit exceeded"),
        (b'{"text": ' + DEEP[: LIMIT - 20].encode(), "recursion limit exceeded"),
        (b'{"text": "\xff"}', "invalid unicode code point"),
        (b'{"text": "\\ud800"}', "hex escape"),
        (b'{"text": "\\ud800\\u0041"}', "surrogate"),
        (b'{"threshold": NaN, "text": "a", "time": NaN}', ""),
        (b'{"threshold": Infinity, "text": "a", "time": -Infinity}', ""),
        (b'{"text": "a", "time": ' + b"9" * 5000 + b', "limit": ' + b"9" * 5000 + b"}", "number out of range"),
        (b'\xef\xbb\xbf{"text": "a"}', "expected value"),
        (b'{"text": "a"} {"text": "b"}', "trailing characters"),
        ('{"text": "a"}'.encode("utf-16"), "expected value"),
    ],
)
def test_bodies_that_are_not_json(client: TestClient, path: str, body: bytes, sentence: str) -> None:
    check_refusal(client.post(f"/api/{path}", content=body, headers=JSON), 422, sentence)


@pytest.mark.parametrize(
    ("path", "body", "sentence"),
    [
        ("query", b"[" + b"[]," * 1_000_000 + b"1]", "body: Input should be an object"),
        ("check", b'{"text": "a"' + b"".join(b',"%d":1' % name for name in range(200_000)) + b"}", "; and 199997 more"),
        ("remove", b'{"ids": [' + b"1," * 1_000_000 + b"1]}", "ids: List should have at most 10000 items"),
        ("fold", b'{"results": [' + b'{"text": ""},' * 200_000 + b"1]}", "results: List should have at most 10000"),
        ("query", b'{"text": "' + b"\xff" * 1_000_000 + b'"}', "body: this is not UTF-8"),
    ],
)
def test_very_many_faults_in_one_body(tmp_path: Path, path: str, body: bytes, sentence: str) -> None:
    with asking(make_store(tmp_path / "store", sweeps=False)) as client:
        check_refusal(client.post(f"/api/{path}", content=body, headers=JSON), 422, sentence)


@pytest.mark.parametrize("kind", ["application/xml", "multipart/form-data", "text/html5", "json", "", ";;"])
def test_other_content_types_are_refused(client: TestClient, kind: str) -> None:
    names = {"check": "none of application/json, text/html, text/plain", "query": "not application/json"}
    for path, sentence in names.items():
        response = client.post(f"/api/{path}", content=b'{"text": "a"}', headers={"Content-Type": kind})
        check_refusal(response, 415, f"the content type is {sentence}")


@pytest.mark.parametrize("charset", ["utf-8", "nonsense", "utf-7", "euc-kr", "utf-16", "'", '"', "../etc/passwd"])
def test_wrong_charsets_do_no_harm(client: TestClient, charset: str) -> None:
    for kind in ("text/html", "text/plain"):
        headers = {"Content-Type": f"{kind}; charset={charset}"}
        response = client.post("/api/check", content=b"\xff\xfe\x80 plain \xc3(", headers=headers)
        assert response.json()["kind"] == "new"
    found = client.post(
        "/api/check", json={"text": FERRY}, headers={"Content-Type": f"application/json; charset={charset}"}
    )
    assert found.json()["original"] == "ferry"


def test_bodies_that_are_too_large(client: TestClient) -> None:
    whole = json.dumps({"text": "a" * LIMIT}).encode()
    for path in ("check", "query"):
        for content in (whole, iter([whole[:LIMIT], whole[LIMIT:]])):
            check_refusal(
                client.post(f"/api/{path}", content=content, headers=JSON), 413, "a body has at most 65,536 bytes"
            )
    for kind in ("text/html", "text/plain"):
        response = client.post("/api/check", content=b" " * (LIMIT + 1), headers={"Content-Type": kind})
        check_refusal(response, 413, "a body has at most 65,536 bytes")
    fits = json.dumps({"text": ""}).encode().replace(b'""', b'"' + b"a" * (LIMIT - 12) + b'"')
    assert len(fits) == LIMIT
    assert client.post("/api/check", content=fits, headers=JSON).status_code == 200


def test_long_ids_and_urls_are_accepted(tmp_path: Path) -> None:
    long = {"text": "a text", "id": "i" * 1_000_000, "url": "u" * 1_000_000}
    with asking(make_store(tmp_path / "store", sweeps=False)) as client:
        assert client.post("/api/admit", json=long).json()["id"] == long["id"]
        assert client.post("/api/query", json={"url": long["url"]}).json()["hits"] == []
        assert client.post("/api/remove", json={"ids": [long["id"]]}).json()["removed"] == [long["id"]]


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow 2 seconds for work in child processes."""
    monkeypatch.setattr("neardup.service.state.state.ProcessPool", partial(ProcessPool, 2))


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow 40 seconds for work in child processes: enough for linear work on a busy machine, but not for quadratic."""
    monkeypatch.setattr("neardup.service.state.state.ProcessPool", partial(ProcessPool, 40))


@pytest.mark.usefixtures("patient")
def test_deeply_nested_html_is_read(tmp_path: Path) -> None:
    with asking(make_store(tmp_path / "store", sweeps=False), body=4 << 20) as client:
        page = f"{'<div>' * 300_000}{FERRY}"
        assert client.post("/api/check", content=page, headers=HTML).json()["original"] == "ferry"
        lines = write_lines([{"html": page}, {"html": f"<p>{FERRY}</p>"}])
        first, second = read_lines(client.post("/api/bulk/check", content=lines, headers=NDJSON).content)
        assert (first["original"], second["original"]) == ("ferry", "ferry")


@pytest.mark.usefixtures("hurried")
def test_texts_that_are_too_long_to_be_measured(tmp_path: Path) -> None:
    texts = [" ".join(str(number * step % 99_991) for number in range(250_000)) for step in (7, 11)]
    with asking(make_store(tmp_path / "store", sweeps=False)) as client:
        pair = {"left": {"text": texts[0]}, "right": {"text": texts[1]}, "measures": ["levenshtein"]}
        check_refusal(client.post("/api/explain", json=pair), 422, "cannot be done in 2 seconds")
        assert client.get("/api/health").status_code == 200


def test_headers_are_on_every_answer(client: TestClient) -> None:
    for path in ("/api/health", "/api/openapi.json", "/api/metrics", "/api/nowhere"):
        assert HEADERS.items() <= dict(client.get(path).headers).items()
    for path in ("/", "/nowhere", "/login", "/static/service.css"):
        # a private cache may store a page, but a shared cache may not
        assert HEADERS.items() - {("cache-control", "no-store")} <= dict(client.get(path).headers).items()
    for response in (client.post("/api/bulk/check", content=b"{}"), client.get("/", headers={"Host": "elsewhere"})):
        assert HEADERS.items() <= dict(response.headers).items()


def test_an_internal_error_reveals_nothing(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the secret place /srv/store")

    monkeypatch.setattr("neardup.service.state.served_data.ServedData.check", fail)
    response = client.post("/api/check", json={"text": "a"})
    assert (response.status_code, response.json()["status"]) == (500, 500)
    assert "secret" not in response.text
    assert HEADERS.items() <= dict(response.headers).items()


def test_a_damaged_store_is_reported_in_the_log_only(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = make_store(tmp_path / "store", sweeps=False)
    Index.open(store).compact()
    with asking(store) as client:
        assert client.get("/api/stats").json()["segments"] == 1
        [manifest] = store.glob("manifest.json")
        manifest.write_text("{}")
        response = client.post("/api/admit", json={"text": "a"})
        check_refusal(response, 503, "the store cannot answer now; its log says why")
        assert response.headers["retry-after"] == "60"
        answers = read_lines(
            client.post("/api/bulk/admit", content=write_lines([{"text": "a"}]), headers=NDJSON).content
        )
        assert [one["status"] for one in answers] == [503]
        assert str(store) not in response.text
        assert str(store) in caplog.text


@pytest.mark.parametrize(
    ("path", "detail"),
    [
        ("/api/health?zz=1", "there is no parameter 'zz'; there are none"),
        ("/api/document?id=ferry&txt=1", "there is no parameter 'txt'; allowed are id, text, url"),
        ("/api/document?id=ferry&id=quay", "id is given twice"),
        (f"/api/health?{'z' * 1000}=1", f"there is no parameter '{'z' * 60}'"),
    ],
)
def test_unknown_and_repeated_parameters_are_refused(path: str, detail: str, client: TestClient) -> None:
    check_refusal(client.get(path), 422, detail)


def test_repeated_parameters_of_pages_are_refused(client: TestClient) -> None:
    assert client.get("/?utm_source=a").status_code == 200
    assert client.get("/document?id=ferry&id=quay").status_code == 422


def test_query_parameters_count_as_members_of_the_body(client: TestClient) -> None:
    assert client.post("/api/check?id=a", json={"text": "a"}).json()["id"] == "a"
    assert client.post("/api/check?id=a", json={"text": "a", "id": "a"}).json()["id"] == "a"
    check_refusal(client.post("/api/check?id=a", json={"text": "a", "id": "b"}), 422, "id is another one in the body")


@pytest.mark.parametrize("size", [10, 1 << 15])
def test_repeated_keys_are_refused(size: int, client: TestClient) -> None:
    body = b'{"text": "%b", "id": "a", "id": "b"}' % (b"a" * size)
    check_refusal(client.post("/api/check", content=body, headers=JSON), 422, "id: the key is given twice")
    inner = b'{"left": {"text": "%b", "text": "b"}, "right": {"text": "c"}}' % (b"a" * size)
    check_refusal(client.post("/api/explain", content=inner, headers=JSON), 422, "text: the key is given twice")
    [line] = read_lines(client.post("/api/bulk/check", content=body + b"\n", headers=NDJSON).content)
    assert (line["status"], "twice" in line["detail"]) == (422, True)


@pytest.mark.parametrize("coding", ["gzip, chunked", "gzip", "identity", "chunked, chunked"])
def test_other_transfer_codings_are_refused(coding: str, client: TestClient) -> None:
    headers = {**JSON, "Transfer-Encoding": coding}
    check_refusal(client.post("/api/check", content=iter([b'{"text": "a"}']), headers=headers), 501, "is chunked")


def test_values_in_errors_are_cut(client: TestClient) -> None:
    pair = {"left": {"text": "a"}, "right": {"text": "b"}, "measures": ["x" * 30_000]}
    problem = client.post("/api/explain", json=pair).json()
    assert "measure `xxx" in problem["detail"]
    assert len(problem["detail"]) < 2100
