"""HTML pages: what they show, who may see them, and that hostile documents cannot harm their readers."""

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from typing import Any

import pytest
from starlette.testclient import TestClient
from test_survey import ALONE, BASE, DOCUMENTS, changed, walk

from command import PATIENCE
from neardup import Document, Index
from neardup.evaluation.labels import read_labels
from neardup.options.values import ProgressCallback
from neardup.service.pages.clusters import ROWS
from neardup.service.pages.form import KIND as FORM
from neardup.survey.survey import Survey
from neardup.sweeps import SweepStore
from neardup.sweeps.change_table import write_csv
from service_story import READER, WRITER, asking, write_tokens

NASTY = [
    "<script>alert(1)</script>",
    "\"' onmouseover=alert(1) x='",
    "../../etc/passwd",
    "\u202eevil\u2066",
    "a\x00b\x1b[31m",
    "{{ 1234 * 5678 }}{% include 'base.html' %}",
    "</title><script>alert(1)</script>",
    "%00%2e%2e?x=1&y=2#z",
    "日本語 한국어",
]
"""Ids, URLs and texts that are hostile, or look hostile."""


class ParsedPage(HTMLParser):
    """The tags, attributes and links that a browser would find in a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.links: list[str] = []
        self.pages: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attributes
        self.links += [value or "" for name, value in attributes if name in ("href", "src", "action", "formaction")]
        self.pages += [value or "" for name, value in attributes if tag == "a" and name == "href" and value != "#main"]


def check_harmless(page: str) -> ParsedPage:
    """Assert that a page contains no script and no link to another site; return the parsed page."""
    parsed = ParsedPage(page)
    assert all(link.startswith(("/", "#")) and not link.startswith("//") for link in parsed.links)
    assert not {name for name, _ in parsed.attributes if name.startswith("on") or name == "style"}
    assert not {"img", "iframe", "object", "embed", "base"} & set(parsed.tags)
    assert "7006652" not in page
    return parsed


def follow(client: TestClient, start: str, most: int = 400) -> dict[str, str]:
    """Follow every link of every page, beginning at `start`; return the pages by their addresses."""
    pages: dict[str, str] = {}
    waiting = [start]
    while waiting and len(pages) < most:
        address = waiting.pop()
        if address in pages or address.startswith("/static/"):
            continue
        answer = client.get(address)
        # a document may be missing from every sweep
        assert answer.status_code == 200 or (answer.status_code == 404 and address.startswith("/pages/")), address
        pages[address] = answer.text
        if answer.headers["content-type"].startswith("text/html") and not address.endswith(".html?by=risk"):
            waiting += check_harmless(answer.text).pages
    return pages


def survey(client: TestClient) -> str:
    """Wait until the first survey is done; return its page."""
    end = monotonic() + PATIENCE
    while "being looked at" in (page := client.get("/clusters").text):
        assert monotonic() < end
        sleep(0.01)
    return page


@pytest.fixture
def store(tmp_path: Path) -> Path:
    Index.create(tmp_path / "index").add(DOCUMENTS)
    return tmp_path


@pytest.fixture
def client(store: Path) -> Iterator[TestClient]:
    with asking(store) as client:
        survey(client)
        yield client


def test_every_page_of_hostile_documents_is_harmless(tmp_path: Path) -> None:
    texts = [f"{nasty} {walk(3 * number, 17)}" for number, nasty in enumerate(NASTY)]
    documents = [Document(text, nasty, f"javascript:{nasty}") for nasty, text in zip(NASTY, texts, strict=True)]
    copies = [Document(f"{text} again", f"{nasty} again", nasty) for nasty, text in zip(NASTY, texts, strict=True)]
    Index.create(tmp_path / "index").add([*documents, *copies])
    with SweepStore.create(tmp_path / "sweeps") as sweeps:
        for date in ("2026-01", "2026-02"):
            sweeps.add([Document(f"{date} {text}", url=nasty) for nasty, text in zip(NASTY, texts, strict=True)], date)
    with asking(tmp_path) as client:
        survey(client)
        pages = follow(client, "/clusters")
        found = client.post("/search", data={"text": texts[0], "by": "resemblance"}).text
        assert "2 near-duplicates" in found
        check_harmless(found)
        for asked in (*texts, *NASTY):
            check_harmless(client.post("/search", data={"text": asked}).text)
        for nasty in NASTY:
            assert check_harmless(client.get("/document", params={"id": nasty}).text)
            assert check_harmless(client.get("/pages/history", params={"url": nasty}).text)
            assert client.get("/pages/contacts", params={"url": nasty}).status_code == 200
    kinds = {address.partition("?")[0] for address in pages}
    assert {"/clusters", "/cluster", "/document", "/compare", "/pages", "/reviews", "/"} <= kinds


def test_pasted_lines_equal_the_lines_of_the_document(store: Path) -> None:
    Index.open(store).add([Document(ALONE.replace(" ", "\n"), "lines")])
    with asking(store) as client:
        page = client.post("/search", data={"text": ALONE.replace(" ", "\r\n"), "by": "resemblance"}).text
    assert re.search(r"lines</bdi>(?s:.*?)identical", page)


def test_search_by_text_and_by_url(client: TestClient) -> None:
    new = {"text": "a text that nobody wrote before today", "by": "resemblance"}
    assert "Nothing is like it" in client.post("/search", data=new).text
    page = client.post("/search", data={"text": changed(BASE, 39), "by": "resemblance"}).text
    assert re.findall(r"<h2[^>]*>([^<]*)", page) == ["4 near-duplicates"]
    assert len(re.findall("original of 4", page)) == 1
    answer = client.post("/search", data={"text": BASE, "by": "containment"})
    assert answer.status_code == 422
    assert "parts" in answer.text


def test_a_document_with_its_cluster_and_verdict(client: TestClient, store: Path) -> None:
    index = Index.open(store)
    page = client.get("/document", params={"id": "far"}).text
    verdict = index.verdict("far")
    assert f'near-duplicate of <a class="id" href="/document?id={verdict.original}">' in page
    assert "4 documents" in page
    assert "alone" in client.get("/document", params={"id": "alone"}).text
    assert client.get("/document", params={"id": "nobody"}).status_code == 404
    assert client.get("/document").status_code == 422


def test_long_texts_are_cut_unless_the_whole_is_requested(tmp_path: Path) -> None:
    text = "word " * 10_000
    Index.create(tmp_path / "index").add([Document(text, "long")])
    with asking(tmp_path) as client:
        page = client.get("/document", params={"id": "long"}).text
        assert "20,000 of 50,000 characters" in page
        assert len(client.get("/document", params={"id": "long", "whole": "1"}).text) > 50_000 > len(page)


def test_clusters_in_all_orders_and_on_several_pages(tmp_path: Path) -> None:
    texts = [" ".join(f"w{number}x{place}" for place in range(20)) for number in range(ROWS + 1)]
    Index.create(tmp_path / "index").add(
        Document(text, f"{number}-{side}", time=f"20{10 + number % 80}-01-01")
        for number, text in enumerate(texts)
        for side in "ab"
    )
    with asking(tmp_path) as client:
        assert f"{ROWS + 1} clusters" in survey(client)
        for order in ("size", "risk", "date"):
            first, second = (
                re.findall(r"/cluster\?id=([^\"]+)", client.get("/clusters", params={"by": order, "page": page}).text)
                for page in (1, 2)
            )
            assert (len(first), len(second), len({*first, *second})) == (ROWS, 1, ROWS + 1)
        assert client.get("/clusters", params={"by": "colour"}).status_code == 422
        assert client.get("/clusters", params={"page": 99}).status_code == 200


def test_a_survey_is_made_again_on_request(client: TestClient, store: Path) -> None:
    client.post("/api/admit", json={"text": walk(5, 13), "id": "c"})
    assert "1 step since" in client.get("/clusters").text
    client.post("/clusters")
    end = monotonic() + PATIENCE
    while "step since" in client.get("/clusters").text:
        assert monotonic() < end
        sleep(0.01)
    assert "3 documents" in client.get("/cluster", params={"id": "c"}).text


def test_clusters_are_judged_and_labels_exported(client: TestClient, store: Path) -> None:
    page = client.get("/cluster", params={"id": "near"}).text
    links = re.findall(r'name="left" value="(\w+)"><input type="hidden" name="right" value="(\w+)"', page)
    assert len(links) == 3
    left, right = links[0]
    post = {"id": "near", "say": "split", "left": left, "right": right}
    [position] = re.findall(r'name="position" value="(\d+)"', page)
    assert "Part 2" in client.post("/cluster", data=post).text
    confirm = {"id": "near", "say": "confirm", "position": position}
    assert "Part 2" in client.post("/cluster", data=confirm).text
    labels = client.get("/clusters/labels.jsonl")
    rows = [json.loads(line) for line in labels.text.splitlines()]
    assert {(row["a"], row["b"]): row["label"] for row in rows} == {pair: int(pair != links[0]) for pair in links}
    (store / "labels-out.jsonl").write_text(labels.text)
    assert read_labels(store / "labels-out.jsonl", at=None, margin=None, complete=False)
    assert ">split<" in client.get("/clusters").text
    assert "Part 2" not in client.post("/cluster", data={**post, "say": "back"}).text
    for line in (store / "labels.jsonl").read_text().splitlines():
        entry = json.loads(line)
        assert (entry["who"], set(entry)) == ("anonymous", {"left", "right", "label", "who", "when"})


def test_a_judgement_given_twice_is_taken_back_once(client: TestClient, store: Path) -> None:
    page = client.get("/cluster", params={"id": "a"}).text
    [(left, right)] = re.findall(r'name="left" value="(\w+)"><input type="hidden" name="right" value="(\w+)"', page)
    [position] = re.findall(r'name="position" value="(\d+)"', page)
    for _ in range(2):
        assert "anonymous" in client.post("/cluster", data={"id": "a", "say": "confirm", "position": position}).text
    back = {"id": "a", "say": "back", "left": left, "right": right}
    assert "anonymous" not in client.post("/cluster", data=back).text


def test_wrong_judgements_are_refused(client: TestClient) -> None:
    wrong = [
        ({"id": "near", "say": "split", "left": "a", "right": "b"}, 422),
        ({"id": "near", "say": "burn"}, 422),
        ({"id": "alone", "say": "confirm"}, 404),
        ({"say": "confirm"}, 422),
        ({"id": "near", "say": "confirm", "position": "last"}, 422),
        # the judged page showed an earlier state of the cluster
        ({"id": "near", "say": "confirm"}, 409),
        ({"id": "near", "say": "confirm", "position": "1"}, 409),
    ]
    for data, status in wrong:
        assert client.post("/cluster", data=data).status_code == status, data
    assert client.get("/clusters/labels.jsonl").text == ""


def test_a_survey_stops_with_the_service(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    began, stopped = Event(), Event()

    def make(*_: Any, progress: ProgressCallback, **__: Any) -> None:
        began.set()
        try:
            while True:
                progress("cluster", 1, 4, 10)
                sleep(0.01)
        finally:
            stopped.set()

    with asking(store) as client:
        survey(client)
        monkeypatch.setattr(Survey, "make", make)
        page = client.post("/clusters").text
        # meanwhile the previous survey is shown, with the progress of the next one
        assert "Looking again" in page
        assert 'id="busy"' in page
        assert "busy.js" in page
        assert "4 documents" in client.get("/cluster", params={"id": "near"}).text
        assert began.wait(PATIENCE)
    assert stopped.is_set()


@pytest.mark.parametrize(
    ("kind", "body", "status", "part"),
    [
        ("multipart/form-data; boundary=x; charset=punycode", b"--x--", 415, "application/x-www-form-urlencoded"),
        ("application/json", b"{}", 415, "application/x-www-form-urlencoded"),
        (FORM, b"&".join([b"a=1"] * 40), 422, "a form has at most 32 fields"),
        (FORM, b"by=resemblance", 422, "text: Field required"),
        (FORM, b"text=a&by=guess", 422, "by: Input should be"),
        (FORM, b"text=%ED%A0%80%FF", 200, "</html>"),
        (f"{FORM}; charset=unicode_escape", b"text=%5Cud800", 200, "\\ud800"),
        (FORM, b"text=" + b"%61" * 1_000_000, 200, "</html>"),
        (FORM, b"text=" + b"a" * (4 << 20), 413, "at most 4,194,304 bytes"),
    ],
)
def test_forms(client: TestClient, kind: str, body: bytes, status: int, part: str) -> None:
    answer = client.post("/search", content=body, headers={"content-type": kind})
    assert answer.status_code == status
    assert part in unescape(answer.text)


@pytest.mark.parametrize(
    "to",
    ["//evil.example/", "///evil.example/", "/\\evil.example", "//[", "https://evil.example", "evil", "", "/\t/evil"],
)
def test_a_login_never_redirects_to_another_site(store: Path, tmp_path: Path, to: str) -> None:
    with asking(store, tokens=write_tokens(tmp_path / "people.tokens")) as client:
        answer = client.post("/login", data={"token": READER, "to": to}, follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        answer = client.post("/login", data={"token": READER, "to": "/cluster?id=a//b"}, follow_redirects=False)
        assert answer.headers["location"] == "/cluster?id=a//b"
        # without a login the body is not read
        client.cookies.clear()
        assert client.post("/search", content=b"", follow_redirects=False).status_code == 303


def test_cookies_are_secure_behind_a_proxy_with_tls(store: Path, tmp_path: Path) -> None:
    with asking(store, tokens=write_tokens(tmp_path / "people.tokens")) as client:
        for headers, is_secure in [({}, False), ({"x-forwarded-proto": "https"}, True)]:
            answer = client.post("/login", data={"token": READER}, headers=headers, follow_redirects=False)
            assert ("secure" in answer.headers["set-cookie"].lower()) == is_secure


def test_the_list_is_one_file_that_loads_nothing(client: TestClient) -> None:
    answer = client.get("/clusters/page.html", params={"by": "size"})
    assert answer.headers["content-disposition"] == 'attachment; filename="clusters.html"'
    page = answer.text
    parsed = ParsedPage(page)
    assert parsed.links == []
    assert "script" not in parsed.tags
    [style] = re.findall("<style>(.*?)</style>", page, re.DOTALL)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert f"style-src &#39;sha256-{digest}&#39;" in page or f"style-src 'sha256-{digest}'" in page
    assert "4 documents, 1 kept" in page
    assert BASE[:100] in page


def test_the_list_contains_no_control_characters(store: Path) -> None:
    with asking(store) as client:
        client.post("/api/admit", json={"text": f"\x1b[2J{BASE}", "id": "a\x1b[31m\u202eb", "url": "http://h/\x1b]0;"})
        survey(client)
        page = client.get("/clusters/page.html", params={"by": "size"}).text
    assert "a&lt;U+001B&gt;[31m&lt;U+202E&gt;b" in page
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", page)


def test_unknown_users_log_in_first(store: Path, tmp_path: Path) -> None:
    with asking(store, tokens=write_tokens(tmp_path / "people.tokens")) as client:
        answer = client.get("/cluster", params={"id": "near"}, follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, "/login?to=/cluster%3Fid%3Dnear")
        assert client.post("/login", data={"token": "no such token at all"}).status_code == 401
        answer = client.post("/login", data={"token": READER}, follow_redirects=False)
        assert answer.headers["location"] == "/"
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        survey(client)
        page = client.get("/cluster", params={"id": "near"}).text
        assert "reader" in page
        assert "split here" not in page
        assert client.post("/cluster", data={"id": "near", "say": "confirm"}).status_code == 403
        client.post("/logout")
        assert client.get("/", follow_redirects=False).status_code == 303
        client.post("/login", data={"token": WRITER})
        assert "split here" in client.get("/cluster", params={"id": "near"}).text


def test_pages_over_time(store: Path) -> None:
    with SweepStore.create(store / "sweeps") as sweeps:
        sweeps.add(
            [Document(BASE, url="http://quay.example/a"), Document(ALONE, url="http://quay.example/b")], "2026-01"
        )
        sweeps.add([Document(changed(BASE, 3), url="http://quay.example/a")], "2026-02")
    with asking(store) as client:
        assert "<svg" in client.get("/pages").text
        page = client.get("/pages/history", params={"url": "http://quay.example/a"}).text
        assert re.findall(r"what became of it\">\s*(\w[\w ]*)", page) == ["first seen", "changed"]
        [(left, right)] = re.findall(r"/pages/versions\?left=(\w+)&amp;right=(\w+)", page)
        sides = client.get("/pages/versions", params={"left": left, "right": right}).text
        assert "other3" in sides
        assert client.get("/pages/versions", params={"left": left, "right": "0" * 64}).status_code == 404
        gone = client.get("/pages/history", params={"url": "http://quay.example/b"}).text
        assert "was there last" in gone
        assert client.get("/pages/history", params={"url": "http://quay.example/c"}).status_code == 404


def test_changes_are_listed_page_by_page(store: Path) -> None:
    with SweepStore.create(store / "sweeps") as sweeps:
        sweeps.add([Document(f"{BASE} {number}", url=f"/{number:02}") for number in range(70)], "2026-01")
        sweeps.add([Document(f"{BASE} {number}", url=f"/new/{number:02}") for number in range(60)], "2026-02")
        sweeps.add(
            [Document(changed(f"{BASE} {number}", 3), url=f"/new/{number:02}") for number in range(60)], "2026-03"
        )
    with asking(store) as client:
        first = client.get("/pages/changes").text
        assert "130 steps" in first
        assert "page 1 of 3" in first
        # each place of a page that moved leads to its history
        assert re.findall(r"/pages/history\?url=(\S+?)\"", first)[:2] == ["%2F60", "%2F61"]
        assert first.count("/pages/history?url=%2Fnew%2F") == 40
        assert "/pages/versions" not in first
        last = client.get("/pages/changes", params={"page": 3}).text
        assert last.count("side by side") == 30
        [*_, (left, right)] = re.findall(r"/pages/versions\?left=(\w+)&amp;right=(\w+)", last)
        assert "other3" in client.get("/pages/versions", params={"left": left, "right": right}).text
        assert "There are no such steps on this page" in client.get("/pages/changes", params={"page": 4}).text
        some = client.get("/pages/changes", params={"start": "2026-01", "end": "2026-02", "kind": "gone"}).text
        assert "10 steps" in some
        assert "moved (60)" in some
        assert re.findall(r"<option selected>(\S+?)<", some) == ["2026-01", "2026-02"]
        assert "start=2026-01&amp;end=2026-02&amp;kind=gone" in some
        assert "70 steps" in client.get("/pages/changes", params={"end": "2026-02"}).text
        # pages that stay the same are listed if they are asked for
        same = client.get("/pages/changes", params={"kind": "same"}).text
        assert "0 steps" in same
        assert "same (0)" in same
        table = client.get("/pages/changes/changes.csv", params={"kind": "gone"})
        assert table.headers["content-disposition"] == 'attachment; filename="changes.csv"'
        assert table.text == "".join(write_csv(SweepStore(store / "sweeps").changes(kinds="gone")))
        assert table.text.count("\n") == 11
        assert client.get("/pages/changes/changes.csv", params={"kind": "lost"}).status_code == 422
        file = client.get("/pages/changes/page.html", params={"end": "2026-02"})
        assert "70 steps of pages in 1 interval" in file.text
        assert file.headers["content-disposition"] == 'attachment; filename="changes.html"'
        for wrong in ({"kind": "lost"}, {"start": "2025"}, {"start": "2026-03", "end": "2026-01"}, {"page": 0}):
            assert client.get("/pages/changes", params=wrong).status_code in (400, 422), wrong
        assert "one of same, changed" in client.get("/pages/changes", params={"kind": "lost"}).text
        assert "its sweeps are of 2026-01, 2026-02" in client.get("/pages/changes", params={"start": "2025"}).text


def test_without_sweeps_a_page_says_how_to_make_them(client: TestClient) -> None:
    assert "neardup sweep add" in client.get("/pages").text
    assert client.get("/pages/history", params={"url": "x"}).status_code == 404
    assert client.get("/pages/changes").status_code == 404


def test_only_files_of_the_package_are_served(client: TestClient) -> None:
    assert client.get("/static/service.css").headers["content-type"].startswith("text/css")
    for name in ("../pages/app.py", "%2e%2e/render.py", "..%2frender.py", "app.py", "service.css%00", ""):
        assert client.get(f"/static/{name}").status_code == 404, name
