"""Each route returns what the library returns."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import neardup.service.api.query as questions
from neardup import Document, Gate, Index, explain
from neardup.gate import Page
from neardup.index.answers import describe_admission, describe_check, describe_document, describe_hits, describe_removal
from neardup.jobs.fold import fold
from neardup.output.json import to_plain
from neardup.service.api.examples import FERRY, HOLDS, LATER, OVEN
from neardup.sweeps import SweepStore
from service_story import NDJSON, asking, make_store, read_lines, write_lines

URL = "https://coast.example/ferry"
DOCUMENTS: list[dict[str, Any]] = [
    {"text": OVEN, "id": "again"},
    {"text": FERRY, "url": "https://coast.example/new"},
    {"text": f"{OVEN} And eat.", "url": URL, "time": 1_772_323_200},
    {"text": "something else", "id": "zero \x00 byte", "time": "2026-03-01T00:00:00.25Z"},
    HOLDS[0],
    {"text": ""},
]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that the tests only read."""
    return make_store(tmp_path_factory.mktemp("kept"))


@pytest.fixture(scope="module")
def reader(kept: Path) -> Iterator[TestClient]:
    """A client of the store that the tests only read."""
    with asking(kept) as client:
        yield client


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return make_store(tmp_path / "store")


@pytest.fixture
def twin(tmp_path: Path) -> Index:
    """An equal index that is used without a service."""
    return Index.open(make_store(tmp_path / "twin", sweeps=False))


@pytest.fixture
def client(store: Path) -> Iterator[TestClient]:
    with asking(store) as client:
        yield client


@pytest.mark.parametrize("sent", DOCUMENTS)
def test_check_and_admit(client: TestClient, twin: Index, sent: dict[str, Any]) -> None:
    document = Document(**sent)
    assert client.post("/api/check", json=sent).json() == describe_check(twin.check(document))
    assert client.get("/api/stats").json()["documents"] == 3
    [admission] = twin.add([document])
    assert client.post("/api/admit", json=sent).json() == describe_admission(admission)
    assert client.get("/api/stats").json()["documents"] == len(twin)


def test_raw_pages_and_texts_are_accepted(client: TestClient, store: Path) -> None:
    page = f"<html><nav>menu</nav><main><p>{FERRY} \u00e4 \uc5b8</p></main></html>"
    named = {"id": "page", "url": "https://coast.example/page", "time": "2026-03"}
    with Gate.open(store.parent / "gate") as gate:
        gate.admit(Page(page, **named))
        core = gate.index.get("page")
    for kind, content in (
        ("text/html; charset=utf-8", page.encode()),
        ("text/html", page.replace("<html>", "<html><meta charset=euc-kr>").replace("\u00e4", "").encode("euc-kr")),
        ('text/html;charset="UTF-16LE"', page.encode("utf-16-le")),
    ):
        client.post("/api/admit", params=named, content=content, headers={"Content-Type": kind})
        found = client.get("/api/document?id=page&text=true").json()
        assert found["text"].replace("\u00e4 ", "").split() == core.text.replace("\u00e4 ", "").split()
        assert (found["url"], found["time"]) == (named["url"], "2026-03-01T00:00:00Z")
        client.post("/api/remove", json={"ids": ["page"]})
    text = "\uc5b8\ub355".encode("euc-kr")
    client.post("/api/admit?id=text", content=text, headers={"Content-Type": "text/plain; charset=euc-kr"})
    assert client.get("/api/document?id=text&text=true").json()["text"] == "\uc5b8\ub355"


@pytest.mark.parametrize(
    "asked",
    [
        {"text": LATER},
        {"id": "ferry"},
        {"url": URL},
        {"text": "nothing like it"},
        {"text": LATER, "threshold": "0.85"},
        {"text": LATER, "threshold": 0.85, "limit": 1},
        {"text": LATER, "threshold": "17/20"},
        {"text": FERRY[:60], "by": "containment", "threshold": 1},
        {"text": f"{FERRY} {OVEN}", "by": "contained-by", "passages": True},
        {"id": "copy", "passages": True},
    ],
)
def test_query(reader: TestClient, twin: Index, asked: dict[str, Any]) -> None:
    expected = describe_hits(twin.query(**asked))
    assert reader.post("/api/query", json=asked).json() == to_json(expected)


def test_documents_with_their_duplicates_and_clusters(reader: TestClient, twin: Index) -> None:
    for name in ("ferry", "copy", "oven"):
        expected = describe_document(twin, name, with_text=False)
        assert reader.get("/api/document", params={"id": name}).json() == expected
        assert reader.get("/api/document", params={"url": twin.get(name).url}).json() == expected
        assert reader.get("/api/document", params={"id": name, "text": True}).json()["text"] == twin.get(name).text
        original, *others = twin.group(name)
        assert reader.get("/api/duplicates", params={"id": name}).json() == {"original": original, "duplicates": others}
        cluster = twin.cluster(name)
        assert reader.get("/api/cluster", params={"url": twin.get(name).url}).json() == {
            "cluster": cluster[0],
            "documents": cluster,
        }


def test_remove(client: TestClient, twin: Index) -> None:
    removal = client.post("/api/remove", json={"ids": ["ferry"]}).json()
    assert removal == describe_removal(twin.remove("ferry"))
    assert [one["verdict"] for one in removal["changed"]] == ["keep"]
    assert client.get("/api/document?id=ferry").status_code == 404


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"measures": ["levenshtein", "lcs:chars", "bag"]},
        {"scheme": "simhash"},
        {"scheme": "words | shingles:2 | minhash:96 | bands:auto | resemblance>=0.3"},
        {"threshold": "0.95"},
    ],
)
def test_explain(reader: TestClient, twin: Index, options: dict[str, Any]) -> None:
    expected = explain(LATER, FERRY, **{"scheme": None if "threshold" in options else twin.scheme, **options})
    sides = {"left": {"text": LATER}, "right": {"id": "ferry"}}
    assert reader.post("/api/explain", json=sides | options).json() == to_json(expected)
    sides["right"] = {"url": URL}
    assert reader.post("/api/explain", json=sides | options).json() == to_json(expected)


@pytest.mark.parametrize("options", [{}, {"threshold": 0.95}, {"scheme": "identical"}])
def test_fold(reader: TestClient, options: dict[str, Any]) -> None:
    texts = [LATER, OVEN, FERRY, OVEN, f"{OVEN} Eat."]
    expected = [[LATER, FERRY], [OVEN, OVEN, f"{OVEN} Eat."]] if not options else None
    folded = reader.post("/api/fold", json={"results": [{"text": one} for one in texts], **options}).json()
    found = [[texts[rank - 1] for rank in (one["rank"], *one["others"])] for one in folded]
    assert found == [[one.best, *one.others] for one in fold(texts, **options)]
    assert expected is None or found == expected


def test_folded_results_keep_their_names(reader: TestClient) -> None:
    results = [{"text": FERRY, "id": "a"}, {"html": f"<p>{FERRY}</p>", "id": "a", "url": "u"}, {"text": OVEN}]
    assert reader.post("/api/fold", json={"results": results}).json() == [
        {"rank": 1, "id": "a", "url": None, "others": [2]},
        {"rank": 3, "id": None, "url": None, "others": []},
    ]
    assert reader.post("/api/fold", json={"results": []}).json() == []


def test_pages_over_time(reader: TestClient, kept: Path) -> None:
    with SweepStore(kept / "sweeps") as sweeps:
        asked = {"url": URL}
        assert reader.get("/api/locate", params=asked).json() == to_json(sweeps.locate(URL))
        assert reader.get("/api/history", params=asked).json() == to_json(sweeps.history(URL))
        assert reader.post("/api/contacts", json=asked).json() == to_json(sweeps.contacts(URL))
        both = {"text": f"{FERRY} {OVEN}", "threshold": "0.9"}
        contacts = reader.post("/api/contacts", json=both).json()
        assert contacts == to_json(sweeps.contacts(**both))
        assert {one["holds"] for one in contacts["found"]} == {"part"}


def test_bulk(client: TestClient, twin: Index) -> None:
    lines = write_lines(DOCUMENTS)
    checked = client.post("/api/bulk/check", content=lines, headers=NDJSON)
    assert checked.headers["content-type"] == "application/x-ndjson"
    assert read_lines(checked.content) == [describe_check(twin.check(Document(**one))) for one in DOCUMENTS]
    expected = [describe_admission(twin.add(Document(**one))[0]) for one in DOCUMENTS]
    assert read_lines(client.post("/api/bulk/admit", content=lines, headers=NDJSON).content) == expected


def test_status(client: TestClient, twin: Index) -> None:
    assert client.get("/api/health").json() == {"status": "ok"}
    assert client.get("/api/stats").json() == twin.info()
    client.post("/api/admit", json={"text": OVEN})
    client.post("/api/bulk/admit", content=write_lines([{"text": "a"}, {"text": "b"}, {}]), headers=NDJSON)
    client.get("/api/document?id=nobody")
    client.get("/api/nowhere/at/all")
    metrics = client.get("/api/metrics")
    assert metrics.headers["content-type"].startswith("text/plain; version=")
    counts = dict(line.rsplit(" ", 1) for line in metrics.text.splitlines() if not line.startswith("#"))
    assert counts["neardup_documents"] == "6.0"
    assert counts['neardup_admissions_total{kind="duplicate"}'] == "1.0"
    assert counts['neardup_admissions_total{kind="new"}'] == "2.0"
    assert counts['neardup_requests_total{route="/api/document",status="404"}'] == "1.0"
    assert counts['neardup_requests_total{route="none",status="404"}'] == "1.0"
    assert counts['neardup_request_seconds_count{route="/api/bulk/admit"}'] == "1.0"
    assert counts["neardup_requests_open"] == "1.0"


def test_the_store_of_a_gate_follows_its_index(tmp_path: Path) -> None:
    with Gate.open(tmp_path / "gate") as gate:
        gate.admit(Document(FERRY, "ferry"))
    with asking(tmp_path / "gate") as client:
        assert client.post("/api/admit", json={"text": LATER, "id": "later"}).json()["original"] == "ferry"
        assert client.post("/api/remove", json={"ids": ["ferry"]}).json()["changed"][0]["verdict"] == "keep"
    with Gate.open(tmp_path / "gate") as gate:
        assert len(gate.store) == 1


def test_the_passages_of_many_long_hits_are_refused(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"id": "ferry", "passages": True}
    assert client.post("/api/query", json=asked).status_code == 200
    monkeypatch.setattr(questions, "PASSAGES", 300)
    answer = client.post("/api/query", json=asked)
    assert answer.status_code == 422
    assert "take more than 300 characters and bytes: ask for fewer hits" in answer.json()["detail"]
    assert client.post("/api/query", json=asked | {"passages": False}).status_code == 200


def test_a_secret_seed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("the cat of the keeper knows it")
    line = f"words | shingles:5 | minhash:96 seed=file:{tmp_path}/secret | bands:16x6 | resemblance>=0.8"
    make_store(tmp_path / "store", sweeps=False, scheme=line)
    with asking(tmp_path / "store", scheme=line) as client:
        pair = client.post("/api/explain", json={"left": {"id": "ferry"}, "right": {"id": "copy"}}).json()
        assert (pair["rule"], pair["shared"]) == ("near", 16)
        [hit] = client.post("/api/query", json={"id": "ferry", "passages": True}).json()["hits"]
        assert hit["passages"] == pair["passages"]
        assert str(tmp_path) not in client.get("/api/stats").text


def to_json(value: Any) -> Any:
    """Return a value as JSON represents it: with lists in place of tuples."""
    return json.loads(json.dumps(to_plain(value)))
