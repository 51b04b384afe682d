"""The search: by id, URL, text and words, folded by cluster, for programs and on its page."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import pytest
from starlette.testclient import TestClient

from neardup import Document, Index
from neardup.gate.gate import Gate
from neardup.service.search import search as search_module
from neardup.service.search import words as words_module
from neardup.service.search.snippets import LENGTH, cut_snippet
from neardup.stores.terms import query_terms
from neardup.urls.spellings import spell_url
from service_story import asking
from stores import PIECES, make_text, matches

FERRY = "The ferry to the lighthouse leaves the old harbour every hour from April on and takes bicycles for two coins."
DOCUMENTS = [
    Document(f"Timetable\n{FERRY}", "ferry", "https://coast.example/ferry", "2026-03-01"),
    Document(f"Timetable\n{FERRY} Dogs are free.", "copy", "https://copies.example/1", "2026-03-05"),
    Document(f"Opening hours. {'The museum shows nets and lamps. ' * 40} {FERRY.upper()}", "long"),
    Document("나는 오늘 학교에서 책을 읽었다", "korean"),
    Document("小镇的图书馆每天上午九点开门", "chinese"),
    Document("東京の図書館は朝九時に開きます。", "japanese"),
    Document("bread", "one word"),
]


@pytest.fixture(params=["gate", "index"])
def client(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TestClient]:
    """A client of a gate, and of an index, which has no document store."""
    if request.param == "gate":
        with Gate.open(tmp_path) as gate:
            gate.admit_all(DOCUMENTS)
    else:
        Index.create(tmp_path / "index").add(DOCUMENTS)
    with asking(tmp_path) as client:
        yield client


def search(client: TestClient, query: str, **options: Any) -> Any:
    answer = client.get("/api/search", params={"q": query, **options})
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("harbour", "ferry words"),
        ("ferry", "ferry id"),
        ("FERRY Lighthouse", "ferry words"),
        ("dogs", ""),
        ("copy", "copy id"),
        ("  https://copies.example/1\n", "copy url"),
        ("학교", "korean words"),
        ("图书", "chinese words"),
        ("図書館", "japanese words"),
        ("bread", "one word text"),
        ("ferr", ""),
        ("harbour nowhere", ""),
        (DOCUMENTS[0].text, "ferry text"),
        (f"{DOCUMENTS[0].text} Bring a coat.", "ferry text"),
        ("takes bicycles for two coins", "ferry words"),
        (
            "The ferry to the lighthouse departs from the new harbour every hour from April on, for two coins",
            "ferry words",
        ),
        ("HTTPS://Copies.EXAMPLE/1/#top", "copy url"),
        ("http://copies.example/1", "copy url"),
        ("coast.example/ferry", "ferry url"),
        ("coast.example//ferry", ""),
    ],
)
def test_each_way_finds_a_document(query: str, expected: str, client: TestClient) -> None:
    found = search(client, query)
    first = [f"{one['id']} {one['found']}" for one in found["results"]]
    if expected in ("", "ferry words"):
        # a text with the same words is another cluster; the store of a gate finds originals, which have no dogs
        first = [one for one in first if one not in ("long words", "copy words")]
    assert first[:1] == ([expected] if expected else [])


def test_results_are_folded_by_cluster(client: TestClient) -> None:
    found = search(client, "lighthouse bicycles")
    assert {one["id"]: one["documents"] for one in found["results"]} == {"ferry": 2, "long": 1}
    [first] = [one for one in found["results"] if one["id"] == "ferry"]
    assert (first["title"], first["time"], first["cluster"]) == ("Timetable", "2026-03-01T00:00:00Z", "copy")
    assert (first["original"], first["difference"]) == ("ferry", None)
    [by_id] = search(client, "copy")["results"][:1]
    assert (by_id["original"], by_id["difference"]) == ("ferry", "3 of 24 words differ")


def test_snippets_mark_the_words(client: TestClient) -> None:
    [long] = [one for one in search(client, "bicycles coins")["results"] if one["id"] == "long"]
    snippet = long["snippet"]
    assert [snippet["text"][start:end] for start, end in snippet["marks"]] == ["BICYCLES", "COINS"]
    assert (snippet["is_begun"], snippet["is_cut"]) == (True, False)
    [korean] = search(client, "학교")["results"]
    assert [korean["snippet"]["text"][start:end] for start, end in korean["snippet"]["marks"]] == ["학교"]


def test_pages_of_results_have_every_cluster_once(tmp_path: Path) -> None:
    documents = [
        Document(f"heron {' '.join(Random(at).choices('abcdefghijklmnop', k=9))}", f"{at}") for at in range(45)
    ]
    with Gate.open(tmp_path) as gate:
        gate.admit_all(documents)
    with asking(tmp_path) as client:
        pages = [search(client, "heron", limit=10, offset=offset) for offset in range(0, 60, 10)]
        names = [one["id"] for page in pages for one in page["results"]]
        assert sorted(names, key=int) == [str(at) for at in range(45)]
        assert [page["more"] for page in pages] == [True] * 4 + [False] * 2
        first = client.get("/search", params={"q": "heron"}).text
        assert "Results 1 to 20" in first
        [following] = re.findall(r'rel="next" href="([^"]*)"', first)
        assert "Results 21 to 40" in client.get(unescape(following)).text
        long = client.post("/search", data={"text": f"heron {' ' * 600}", "offset": "40"})
        assert "Results 41 to 45" in long.text


def test_the_page_shows_what_a_program_is_answered(client: TestClient) -> None:
    answer = client.post("/search", data={"text": " ferry "})
    assert str(answer.url).endswith("/search?q=ferry")
    assert "<mark>ferry</mark>" in answer.text
    assert "2 documents in its cluster" in answer.text
    assert "Nothing was found" in client.post("/search", data={"text": "nowhere"}).text
    assert "1 result<" in client.post("/search", data={"text": "학교"}).text
    assert "The query has no words." in client.post("/search", data={"text": "!!!"}).text
    assert "<h2" not in client.get("/search").text


def test_the_address_of_the_page_answers_programs_with_json(client: TestClient) -> None:
    query = {"q": "ferry", "limit": "1"}
    answer = client.get("/search", params=query, headers={"Accept": "application/json"})
    assert answer.json() == client.get("/api/search", params=query).json()
    browser = {"Accept": "text/html,application/xhtml+xml,application/json;q=0.9"}
    assert client.get("/search", params=query, headers=browser).text.startswith("<!doctype html>")
    refused = client.get("/search", headers={"Accept": "application/json"})
    assert refused.headers["content-type"] == "application/problem+json"


def test_long_and_wrong_queries(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    words = " ".join(f"word{at}" for at in range(3000))
    assert "Of the words, the first 1,000 were searched." in client.post("/search", data={"text": words}).text
    for options in ("q=", "q=a&limit=101", "q=a&offset=1001", ""):
        assert client.get(f"/api/search?{options}").status_code == 422
    monkeypatch.setattr(words_module, "SCANNED", 200)
    monkeypatch.setattr(words_module, "DEPTH", 1)
    monkeypatch.setattr(search_module, "DEPTH", 1)
    [note] = search(client, "harbour")["notes"]
    assert re.match(
        r"More documents may have these words: the best 1 |Words were searched in the first 1 of 7 docu", note
    )


@pytest.mark.parametrize("seed", range(20))
def test_an_index_without_a_store_finds_the_same_words(seed: int, tmp_path: Path) -> None:
    """The slow twin is the definition of a search in a store."""
    random = Random(seed)
    index = Index.create(tmp_path / "index")
    index.add([Document(make_text(random), f"d{at}") for at in range(30)])
    plain = ("a", "ab", "A", "_", "1", "-", "'", ".", " ", " ", "\n")
    index.add([Document("".join(random.choices(plain, k=random.randrange(20))), f"e{at}") for at in range(30)])
    for query in (piece for piece in (*PIECES, *plain, "a_1", "ab a") if query_terms(piece)):
        scan = words_module.Scan(index, words_module.WordQuery.of(query))
        assert set(scan) == {str(one.id) for one in index if matches(query, one.text)}, query
        assert (scan.documents, scan.is_whole) == (60, True)


def test_a_snippet_is_short_and_its_marks_are_words() -> None:
    random = Random(5)
    for _ in range(200):
        text = "".join(random.choices(PIECES, k=random.randrange(400)))
        terms = query_terms("가나 图书 a ab")
        snippet = cut_snippet(text, terms)
        assert snippet.text in text
        assert len(snippet.text) <= LENGTH
        assert "".join(part for part, _ in snippet.parts) == snippet.text
        places = [place for mark in snippet.marks for place in mark]
        assert places == sorted(places)
        for part in (snippet.text[start:end] for start, end in snippet.marks):
            assert any(term.word in part.lower() for term in terms)


def test_a_long_text_finds_the_documents_of_its_parts(tmp_path: Path) -> None:
    texts = [" ".join(Random(at).sample([f"word{number}" for number in range(4000)], 300)) for at in range(9)]
    with Gate.open(tmp_path / "gate") as gate:
        gate.admit_all(Document(text, str(at)) for at, text in enumerate(texts))
    Index.create(tmp_path / "index").add(Document(text, str(at)) for at, text in enumerate(texts))
    # no document is like it, and the first words of it are in the last document
    query = " ".join([" ".join(texts[8].split()[:20]), *texts[2:6], "end"])
    for folder in ("gate", "index"):
        with asking(tmp_path / folder) as client:
            answer = client.post("/search", data={"text": query})
            found = set(re.findall(r"document\?id=(\d)", answer.text))
            assert {"2", "3", "4", "5"} <= found <= {"2", "3", "4", "5", "8"}
            assert "these have all words of a part of the text" in answer.text


@pytest.mark.parametrize(
    "asked", ["", "a", "a b.example", "https://[::1", "x" * 5000, "1.2", "a.b/\0", "//", "é.example"]
)
def test_what_is_no_url_has_one_spelling_and_all_are_read(asked: str) -> None:
    spelt = list(spell_url(asked))
    assert spelt[0] == asked
    assert len(set(spelt)) == len(spelt) <= 7
