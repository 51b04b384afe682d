"""The pages of reviews: a review is created, labelled by several people, interrupted, resumed and downloaded."""

import json
import re
import shutil
from base64 import b64encode
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import sha256
from html import escape, unescape
from pathlib import Path
from threading import Event
from time import sleep
from typing import Any

import pytest
from starlette.testclient import TestClient

from command import PATIENCE
from neardup import DataError, Document, Index, Scheme, UsageError
from neardup.evaluation.labels import PairLabels, read_labels
from neardup.output.json import to_plain
from neardup.review.review import Review
from neardup.service.pages.reviews.chart import draw_curve
from neardup.service.server import LOCAL, make_app
from neardup.service.state.limits import Limits
from neardup.service.state.served_data import ServedData
from neardup.service.state.tokens import Tokens
from neardup.service.work.pool import ProcessPool
from records import read_jsonl
from reviewed import DOCS, LINE

SETTINGS = {"name": "first", "floor": "0.5", "width": "0.1", "each": "3", "seed": "0"}
KIM = {"neardup-reviewer": "kim"}
HOSTILE = [
    Document(f"{text} {DOCS[0].text}", f"{text}{number}", f"javascript:{text}")
    for number, text in enumerate(
        ["<script>alert(1)</script>", "\u202eright to left", "\x00\x07\x1b[31m", "'\"><b>{{ 7*7 }}"]
    )
]
OPEN = re.compile(r"<details[^>]* open")


@contextmanager
def serve(store: Path, tokens: Tokens | None = None, cookies: dict[str, str] | None = None) -> Iterator[TestClient]:
    app = make_app(ServedData.open(store), tokens, Limits(), LOCAL)
    with TestClient(app, "http://localhost", cookies=cookies) as client:
        yield client


def wait_for(is_so: Callable[[], Any]) -> None:
    for _ in range(1000):
        if is_so():
            return
        sleep(0.01)
    raise AssertionError("the condition did not become true")


def begin(client: TestClient, **settings: str) -> None:
    assert client.post("/reviews", data=SETTINGS | settings).status_code == 200
    wait_for(lambda: 'id="busy"' not in client.get("/reviews/first").text)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an index and a review of it."""
    store = tmp_path_factory.mktemp("made") / "store"
    Index.create(store / "index").add(DOCS + HOSTILE)
    with serve(store) as client:
        begin(client)
    return store


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "store")


@pytest.fixture
def bare(made: Path, tmp_path: Path) -> Path:
    """A copy of that folder without the review."""
    return shutil.copytree(made, tmp_path / "bare", ignore=shutil.ignore_patterns("first"))


def review_in(store: Path) -> Review:
    return Review.open(store / "reviews/first")


def next_path(store: Path, who: str) -> str:
    pair = review_in(store).next_pair(who)
    assert pair is not None
    return f"/reviews/first/pair/{pair.number}"


def label_all(client: TestClient, review: Review) -> None:
    for pair in review.sample:
        label = "duplicate" if pair.resemblance >= LINE else "not"
        assert client.post(f"/reviews/first/pair/{pair.number}", data={"label": label}).status_code == 200


def test_a_review_is_begun_and_listed(bare: Path) -> None:
    with serve(bare) as client:
        assert 'value="review-1"' in client.get("/reviews").text
        answer = client.post("/reviews", data=SETTINGS, follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, "/reviews/first")
        wait_for((bare / "reviews/first").exists)
        wait_for(lambda: "Strata" in client.get("/reviews/first").text)
        assert 'href="/reviews/first"' in client.get("/reviews").text
    settings = review_in(bare).settings
    assert (settings.floor, settings.width, settings.each, settings.seed) == ("0.5", "0.1", 3, 0)
    assert [path.name for path in (bare / "reviews").iterdir()] == ["first"]


@pytest.mark.parametrize(
    ("settings", "status", "words"),
    [
        ({"name": "../out"}, 422, "allowed are 1 to 64 letters"),
        ({"name": ""}, 422, "allowed are 1 to 64 letters"),
        ({"name": "first"}, 409, "there is a review first already"),
        ({"floor": "0.9"}, 422, "allowed are numbers above 0, at most 0.8, the threshold"),
        ({"floor": "1e-999999999"}, 422, "allowed are numbers with at most six places"),
        (
            {"scheme": "words | shingles:5 | digest | each | equal"},
            422,
            "a review takes one whose last pass has a number",
        ),
        ({"scheme": "nothing"}, 422, "there is no scheme 'nothing'"),
        ({"scheme": "words | terms:10 idf:/etc/passwd | each | resemblance>=0.8"}, 422, "when it names a file"),
        ({"scheme": "words | terms | minhash:auto | bands:auto | resemblance>=0.4"}, 422, "at most 0.4"),
        ({"width": "0.001"}, 422, "allowed are numbers from 0.01 to 1"),
        ({"width": "<b>"}, 422, "allowed are numbers from 0 to 1"),
        ({"each": "0"}, 422, "each is 0; allowed are 1 and more"),
        ({"each": "1001"}, 422, "allowed are whole numbers up to 1000"),
        ({"seed": "-1"}, 422, "allowed are whole numbers up to 18446744073709551615"),
        ({"seed": "9" * 5000}, 422, "allowed are whole numbers up to"),
    ],
)
def test_wrong_settings_are_reported_in_the_form(
    store: Path, settings: dict[str, str], status: int, words: str
) -> None:
    (store / "reviews/half.partial").mkdir()
    with serve(store) as client:
        answer = client.post("/reviews", data={**SETTINGS, "name": "other", **settings})
        assert answer.status_code == status
        assert words in unescape(answer.text)
        assert str(store) not in answer.text
        assert "<b>" not in answer.text.partition("<form method")[2]
    assert {path.name for path in (store / "reviews").iterdir()} == {"first", "half.partial"}


def test_an_index_is_reviewed_by_its_own_measure(tmp_path: Path) -> None:
    scheme = "words | shingles:5 | simhash:128 | blocks:12,double | hamming<=12"
    Index.create(tmp_path / "index", scheme=scheme).add(DOCS)
    with serve(tmp_path, cookies=KIM) as client:
        assert 'name="floor" value="18"' in client.get("/reviews").text
        begin(client, floor="18", scheme=scheme)
        page = client.get("/reviews/first").text
        assert "18 to above 14" in page
        assert "exactly 0" in page
        assert client.post("/reviews/first/pair/1", data={"label": "not"}).status_code == 200
        pair = review_in(tmp_path).sample[0]
        shown = client.get("/reviews/first/pair/1").text
        assert f'hamming <b class="score">{review_in(tmp_path).measure.write(pair.score)}</b>' in shown
        assert client.get("/reviews/first/page.html").status_code == 200


def test_an_index_without_a_number_is_reviewed_by_the_default(tmp_path: Path) -> None:
    Index.create(tmp_path / "index", scheme="words | shingles:5 | digest | each | equal").add(DOCS)
    with serve(tmp_path) as client:
        proposed = str(Scheme("words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8"))
        assert f'value="{escape(proposed)}"' in client.get("/reviews").text
        assert client.post("/reviews", data=SETTINGS).status_code == 422
        begin(client, scheme=proposed)
        assert "Strata" in client.get("/reviews/first").text
    assert review_in(tmp_path).settings.threshold == "0.8"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (DataError("the document 'a' went while the review was made"), "the document 'a' went"),
        (OSError("/secret/place"), "the store cannot answer now; its log says why"),
        (RuntimeError("/secret/place"), "the log of the service says why"),
    ],
)
def test_a_failed_creation_is_shown_and_leaves_nothing(
    bare: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    def fail(*_: Any) -> None:
        raise error

    with serve(bare) as client:
        with monkeypatch.context() as patch:
            patch.setattr("neardup.review.builder.fetch_documents", fail)
            begin(client)
        page = unescape(client.get("/reviews/first").text)
        assert words in page
        assert "/secret" not in page
        assert list((bare / "reviews").iterdir()) == []
        assert "could not be made" in client.get("/reviews").text
        assert client.get("/reviews/first/pair").status_code == 404
        begin(client)
        assert "Strata" in client.get("/reviews/first").text


def test_progress_of_the_creation_is_shown_and_it_stops_with_the_service(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, stopped = Event(), Event()

    def make(*_: Any, **options: Any) -> None:
        options["progress"]("read", 1, 4, 10)
        began.set()
        try:
            while True:
                options["progress"]("read", 1, 4, 10)
                sleep(0.01)
        except UsageError:
            stopped.set()
            raise

    monkeypatch.setattr(Review, "create", make)
    with serve(bare) as client:
        client.post("/reviews", data=SETTINGS)
        assert began.wait(PATIENCE)
        page = client.get("/reviews/first").text
        assert 'value="1" max="4"' in page
        assert '<noscript><meta http-equiv="refresh"' in page
        assert client.post("/reviews", data=SETTINGS | {"name": "second"}).status_code == 409
        assert "is being made" in client.get("/reviews").text
    assert stopped.is_set()


def test_a_reviewer_labels_pairs_undoes_a_label_and_resumes(store: Path) -> None:
    with serve(store) as client:
        redirected = client.get("/reviews/first/pair")
        assert (redirected.url.path, "Who judges?" in redirected.text) == ("/reviews/first/reviewer", True)
        for who in ("", " ", "x" * 65, "a\nb", "\u202e"):
            refused = client.post("/reviews/first/reviewer", data={"who": who})
            assert (refused.status_code, "allowed are 1 to 64" in refused.text) == (422, True)
        first = client.post("/reviews/first/reviewer", data={"who": " 이서준 "}).url.path
        assert first == next_path(store, "이서준")
        answer = client.post(first, data={"label": "duplicate"}, follow_redirects=False)
        second = next_path(store, "이서준")
        assert (answer.status_code, answer.headers["location"]) == (303, second)
        third = client.post(second, data={"label": "unsure"}).url.path
        assert len({first, second, third}) == 3
        assert client.post("/reviews/first/undo").url.path == second
        cookies = dict(client.cookies)
    with serve(store, cookies=cookies) as client:
        again = client.get("/reviews/first/pair")
        assert (again.url.path, "1 labelled by <bdi>이서준</bdi>" in again.text) == (second, True)
    rows = read_jsonl(store / "reviews/first/labels.jsonl")
    assert [(row["label"], row["who"]) for row in rows] == [
        ("duplicate", "이서준"),
        ("unsure", "이서준"),
        ("undo", "이서준"),
    ]
    assert all(row["when"].endswith("Z") for row in rows)


def test_the_score_is_hidden_until_the_pair_is_labelled(store: Path) -> None:
    with serve(store, cookies=KIM) as client:
        assert not OPEN.search(client.get("/reviews/first/pair/1").text)
        client.post("/reviews/first/pair/1", data={"label": "not"})
        page = client.get("/reviews/first/pair/1").text
        assert OPEN.search(page)
        assert "You said <b>not</b>" in page
        client.cookies.clear()
        assert "Say who you are" in client.get("/reviews/first/pair/1").text
        assert client.post("/reviews/first/pair/1", data={"label": "not"}).url.path == "/reviews/first/reviewer"
        assert client.post("/reviews/first/undo").url.path == "/reviews/first/reviewer"
    assert len(read_jsonl(store / "reviews/first/labels.jsonl")) == 1


def test_the_figures_follow_when_all_pairs_are_labelled(store: Path) -> None:
    review = review_in(store)
    with serve(store, cookies=KIM) as client:
        empty = client.get("/reviews/first").text
        assert "<svg" not in empty
        assert "no sampled pair is decided yet" in empty
        label_all(client, review)
        assert client.get("/reviews/first/pair").url.path == "/reviews/first"
        page = client.get("/reviews/first").text
        assert f"{len(review.sample)} pairs have a label, {len(review.sample)} by you" in page
        assert escape(review.outlook().words) in page
        assert page.count('<g class="point') == len(review.curve())
        assert '<g class="point chosen" data-threshold="0.8">' in page
        assert client.get("/reviews/first/curve.json").json() == to_plain(review.curve())
        nearest = client.get("/reviews/first", params={"threshold": "0.6523"}).text
        assert '<g class="point chosen" data-threshold="0.65">' in nearest
        for threshold in ("nan", "inf", "-1", "2", "x", "1e999999999"):
            assert client.get("/reviews/first", params={"threshold": threshold}).status_code == 422
        balanced = review.suggest_balanced()
        assert balanced is not None
        at = client.get("/reviews/first", params={"point": review.curve().index(balanced)}).text
        assert f'<g class="point chosen" data-threshold="{balanced.threshold}">' in at
        for asked, threshold in [({"point": "1000000000"}, "1"), ({"threshold": "2/3"}, "0.67")]:
            page = client.get("/reviews/first", params=asked).text
            assert f'<g class="point chosen" data-threshold="{threshold}">' in page
        assert "Agreement" not in page
        client.cookies.set("neardup-reviewer", "lee")
        client.post("/reviews/first/pair/1", data={"label": "unsure"})
        client.post("/reviews/first/pair/2", data={"label": "not"})
        assert "<bdi>kim</bdi> and <bdi>lee</bdi>" in client.get("/reviews/first").text
        assert "<bdi>kim</bdi>, <bdi>lee</bdi>" in client.get("/reviews").text


def test_labels_and_page_are_downloaded(store: Path) -> None:
    review = review_in(store)
    with serve(store, cookies=KIM) as client:
        label_all(client, review)
        answer = client.get("/reviews/first/labels.jsonl")
        assert answer.headers["content-disposition"] == 'attachment; filename="review-first.jsonl"'
        (store / "labels.jsonl").write_bytes(answer.content)
        labels = read_labels(store / "labels.jsonl", at=None, margin=None, complete=False)
        assert isinstance(labels, PairLabels)
        assert labels.verdicts == review.verdicts()
        answer = client.get("/reviews/first/page.html")
        assert answer.headers["content-disposition"] == 'attachment; filename="review-first.html"'
    [style] = re.findall(r"<style>(.*?)</style>", answer.text, re.DOTALL)
    assert f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'" in answer.text
    assert not re.search(r"""<script|<link|<img|<form|url\(|\bstyle="|(?:src|href)=""", answer.text)
    assert answer.text.count("<article") == len(review.sample)
    assert "<svg" in answer.text


def test_differences_late_in_the_texts_are_in_the_downloaded_page(tmp_path: Path) -> None:
    words = [f"word{number}" for number in range(900)]
    Index.create(tmp_path / "index").add([Document(" ".join(words), "a"), Document(" ".join([*words, "more"]), "b")])
    with serve(tmp_path, cookies=KIM) as client:
        begin(client)
        label_all(client, review_in(tmp_path))
        page = client.get("/reviews/first/page.html").text
        assert "<ins>more</ins>" in page
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ProcessPool, "do", refuse)
            for path in ("page.html", "pair/1"):
                page = client.get(f"/reviews/first/{path}").text
                assert "too long to be compared here; so they begin" in page
                assert page.count(">word0 word1 ") == 2


async def refuse(*_: Any, **__: Any) -> None:
    raise DataError("this takes too long")


def test_labels_need_the_right_token(store: Path, tmp_path: Path) -> None:
    (tmp_path / "tokens").write_text(f"write kim {'k' * 16}\nread lee {'l' * 16}\n", encoding="utf-8")
    with serve(store, Tokens.read(tmp_path / "tokens"), {"neardup-reviewer": "somebody"}) as client:
        assert client.get("/reviews", follow_redirects=False).headers["location"] == "/login?to=/reviews"
        kim, lee = ({"authorization": f"Bearer {letter * 16}"} for letter in "kl")
        for path in ("/reviews", "/reviews/first", "/reviews/first/pair/1", "/reviews/first/labels.jsonl"):
            page = client.get(path, headers=lee)
            assert page.status_code == 200
            assert "<form method" not in page.text.partition("<main")[2].replace('<form method="get"', "")
        assert client.get("/reviews/first/pair", headers=lee).url.path == "/reviews/first/pair/1"
        label: dict[str, Any] = {"data": {"label": "not"}}
        for path, sent in (
            ("/reviews", {"data": SETTINGS | {"name": "second"}}),
            ("/reviews/first/pair/1", label),
            ("/reviews/first/undo", {}),
            ("/reviews/first/reviewer", {"data": {"who": "me"}}),
        ):
            assert client.post(path, headers=lee, **sent).status_code == 403
        assert client.post("/reviews/first/pair/1", headers=kim, **label).url.path == next_path(store, "kim")
    assert [row["who"] for row in read_jsonl(store / "reviews/first/labels.jsonl")] == ["kim"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/reviews/none", 404),
        ("/reviews/..%2f..%2fetc", 404),
        ("/reviews/a.partial", 422),
        ("/reviews/%00", 422),
        ("/reviews/" + "a" * 65, 422),
        ("/reviews/<script>alert(1)<%2fscript>", 404),
        ("/reviews/<b>/curve.json", 422),
        ("/reviews/none/pair", 404),
        ("/reviews/none/page.html", 404),
        ("/reviews/none/labels.jsonl", 404),
        ("/reviews/first/pair/0", 404),
        ("/reviews/first/pair/99999999999999999999", 404),
        ("/reviews/first/pair/x", 422),
        ("/reviews/first/pair?beyond=x", 422),
    ],
)
def test_bad_names_are_refused(store: Path, path: str, status: int) -> None:
    with serve(store, cookies=KIM) as client:
        answer = client.get(path)
        assert answer.status_code == status
        assert answer.headers["content-type"].startswith("text/html")
        assert "Traceback" not in answer.text
        assert "<script>alert" not in answer.text


def test_bad_labels_are_refused(store: Path) -> None:
    with serve(store, cookies=KIM) as client:
        for data in ({"label": "maybe"}, {}, {"label": "undo"}):
            assert client.post("/reviews/first/pair/1", data=data).status_code == 422
        foreign = client.post(
            "/reviews/first/pair/1", data={"label": "not"}, headers={"origin": "https://evil.example"}
        )
        assert foreign.status_code == 403
    assert (store / "reviews/first/labels.jsonl").read_bytes() == b""


def test_texts_do_no_harm(bare: Path) -> None:
    with serve(bare, cookies={"neardup-reviewer": "%3Cb%3E"}) as client:
        begin(client, each="200")
        review = review_in(bare)
        harmful = {one.id for one in HOSTILE}
        pairs = [pair for pair in review.sample if harmful & {pair.left.id, pair.right.id}]
        assert harmful <= {side.id for pair in pairs for side in (pair.left, pair.right)}
        pages = [client.post(f"/reviews/first/pair/{pair.number}", data={"label": "not"}) for pair in pairs]
        pages += [client.get(f"/reviews/first/pair/{pair.number}") for pair in pairs]
        pages += [client.get(f"/reviews{path}") for path in ("", "/first", "/first/page.html")]
        for page in pages:
            assert page.status_code == 200
            assert "<script>alert" not in page.text
            assert "<b>{{" not in page.text
            assert "<bdi><b>" not in page.text
            assert 'href="javascript' not in page.text


def test_a_giant_text_is_cut(tmp_path: Path) -> None:
    giant = " ".join(f"<i>{number}" for number in range(300_000))
    Index.create(tmp_path / "index").add([Document(giant, "a"), Document(giant + " end", "b")])
    with serve(tmp_path, cookies=KIM) as client:
        begin(client)
        page = client.get("/reviews/first/pair/1").text
        assert "Only the first 100,000 characters" in page
        assert len(page) < 3_000_000
        client.post("/reviews/first/pair/1", data={"label": "duplicate"})
        assert len(client.get("/reviews/first/page.html").text) < 100_000


def test_a_review_without_pairs_is_shown(tmp_path: Path) -> None:
    Index.create(tmp_path / "index").add([Document("one text", "a")])
    with serve(tmp_path, cookies=KIM) as client:
        begin(client)
        assert "there is nothing to judge" in client.get("/reviews/first").text
        for path in ("pair", "page.html", "labels.jsonl", "curve.json"):
            assert client.get(f"/reviews/first/{path}").status_code == 200


def test_a_damaged_review_reveals_no_paths(store: Path) -> None:
    shutil.copytree(store / "reviews/first", store / "reviews/other")
    (store / "reviews/other/review.json").write_text("{", encoding="utf-8")
    with serve(store, cookies=KIM) as client:
        assert "cannot be read" in client.get("/reviews").text
        assert client.get("/reviews/other").status_code == 503
        (store / "reviews/first/labels.jsonl").write_text("nonsense\n", encoding="utf-8")
        for path in ("", "/pair", "/pair/1", "/labels.jsonl", "/page.html", "/curve.json"):
            answer = client.get(f"/reviews/first{path}")
            assert answer.status_code == 503
            assert str(store) not in answer.text
        shutil.rmtree(store / "reviews/first")
        assert client.get("/reviews/first").status_code == 404


def test_several_reviewers_label_concurrently(store: Path) -> None:
    total = len(review_in(store).sample)

    def go_through(who: str) -> None:
        cookie = {"cookie": f"neardup-reviewer={who}"}
        for number in range(1, total + 1):
            answer = client.post(
                f"/reviews/first/pair/{number}", data={"label": "not"}, headers=cookie, follow_redirects=False
            )
            assert answer.status_code == 303

    with serve(store) as client, ThreadPoolExecutor(4) as pool:
        assert list(pool.map(go_through, "abcd")) == [None] * 4
        assert f"{total} pairs have a label" in client.get("/reviews/first").text
    rows = [json.loads(line) for line in (store / "reviews/first/labels.jsonl").read_bytes().splitlines()]
    assert len(rows) == len({(row["left"], row["right"], row["who"]) for row in rows}) == 4 * total


def test_the_goal_is_changed_and_the_review_continues_beyond_its_end(store: Path) -> None:
    with serve(store, cookies=KIM) as client:
        for sent in ({"precision": "2", "labels": "9"}, {"precision": "0.9", "labels": "x"}, {"labels": "0"}, {}):
            assert client.post("/reviews/first/goal", data=sent).status_code == 422
        assert review_in(store).goal == ("0.95", 400)
        page = client.post("/reviews/first/goal", data={"precision": "0.9", "labels": "2"})
        assert (page.url.path, "precision 0.9 with at most 2 labels" in page.text) == ("/reviews/first", True)
        for _ in range(2):
            path = client.get("/reviews/first/pair").url.path
            last = client.post(path, data={"label": "duplicate"})
        assert last.url.path == "/reviews/first"
        assert "by the 2 labels of the goal" in last.text
        more = client.get("/reviews/first/pair?beyond=true")
        assert more.url.path.startswith("/reviews/first/pair/")
        again = client.post(str(more.url).removeprefix("http://localhost"), data={"label": "duplicate"})
        assert (again.url.path.startswith("/reviews/first/pair/"), again.url.query) == (True, b"beyond=true")


def test_pairs_for_a_second_look_are_listed(store: Path) -> None:
    with serve(store, cookies=KIM) as client:
        assert "For a second look" not in client.get("/reviews/first").text
        client.post("/reviews/first/pair/1", data={"label": "duplicate"})
        client.cookies.set("neardup-reviewer", "lee")
        client.post("/reviews/first/pair/1", data={"label": "not"})
        for path in ("", "/page.html"):
            page = client.get(f"/reviews/first{path}").text
            assert "For a second look" in page
            assert "reviewers disagree" in page


def test_without_a_duplicate_a_page_says_so(store: Path) -> None:
    with serve(store, cookies=KIM) as client:
        page = client.get("/reviews/first").text
        assert "The curve cannot be drawn: no sampled pair is decided yet in" in page
        for pair in review_in(store).sample:
            client.post(f"/reviews/first/pair/{pair.number}", data={"label": "not"})
        page = client.get("/reviews/first").text
    assert "The curve cannot be drawn: no decided pair of the sample is a duplicate." in page
    assert "Where F1 is largest is not known: no decided pair of the sample is a duplicate." in page


def test_the_curve_is_drawn_within_its_field(store: Path) -> None:
    review = review_in(store)
    assert draw_curve(review.curve()) is None
    for pair in review.sample:
        review.label("kim", *pair.key, "duplicate" if pair.resemblance >= LINE else "not")
    chart = draw_curve(review.curve())
    assert chart is not None
    for dot in chart.dots:
        assert chart.left <= dot.left <= dot.x <= dot.right <= chart.right
        assert chart.top <= dot.top <= dot.y <= dot.bottom <= chart.bottom
    assert chart.across[0].name == chart.up[0].name == "1"
    assert 4 <= len(chart.up) <= 11


def test_more_pairs_are_drawn_when_those_that_decide_are_used_up(store: Path) -> None:
    with serve(store, cookies=KIM) as client:
        assert 'class="plain">Draw more pairs' in client.get("/reviews/first").text
        page, url = client.get("/reviews/first/pair"), next_path(store, "kim")
        while page.url.path != "/reviews/first":
            pair = review_in(store).sample[int(url.rpartition("/")[2]) - 1]
            page = client.post(url, data={"label": "duplicate" if pair.resemblance >= LINE else "not"})
            url = page.url.path
        # what would have been the end names a stratum, and has a button
        assert " are used up; " in page.text
        assert '<button formaction="/reviews/first/draw">Draw more pairs' in page.text
        assert "Go on labelling" not in page.text
        before, labels = len(review_in(store).sample), review_in(store).labels()
        answer = client.post("/reviews/first/draw", follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, "/reviews/first")
        wait_for(lambda: "Go on labelling" in client.get("/reviews/first").text)
        assert "Of each stratum at most 200 pairs drawn" in client.get("/reviews/first").text
        assert len(review_in(store).sample) > before
        assert review_in(store).labels() == labels
        assert client.get("/reviews/first/pair").url.path == next_path(store, "kim")
        new = client.post(f"/reviews/first/pair/{before + 1}", data={"label": "unsure"})
        assert new.status_code == 200
        assert len(review_in(store).labels()) == len(labels) + 1


def test_a_draw_that_fails_is_shown(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = Index.open(store / "index")
    known = {one.id for pair in review_in(store).sample for one in (pair.left, pair.right)}
    index.remove([str(doc.id) for doc in DOCS if doc.id not in known])
    with serve(store, cookies=KIM) as client:
        client.post("/reviews/first/draw")
        words = re.compile(r"No more pairs could be drawn: the document '\d+-\d' is not in the inputs any more")
        wait_for(lambda: words.search(unescape(client.get("/reviews/first").text)))
        monkeypatch.setattr("neardup.service.state.reviews.MOST_EACH", 3)
        assert client.post("/reviews/first/draw").status_code == 409
        page = client.get("/reviews/first").text
        assert "<code>neardup review draw</code> draws more than 3 pairs of each stratum" in page
        assert "/reviews/first/draw" not in page
    assert review_in(store).settings.draws == []
