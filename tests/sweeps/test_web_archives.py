"""Sweeps of web archives: redirects, canonical URLs and revisits."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from crawls import FERRY, LATER, LONG, OVEN
from neardup.sweeps import Added, SweepStore
from neardup.urls import UrlRules

SITE = "http://a.example"


def record(kind: str, url: str, http: str, *headers: str, number: int = 1) -> bytes:
    """Make a record of a WARC file; `http` is the whole message."""
    body = http.encode()
    lines = [
        "WARC/1.0",
        f"WARC-Type: {kind}",
        f"WARC-Record-ID: <urn:uuid:{number:032}>",
        "WARC-Date: 2024-05-06T07:08:09Z",
        f"WARC-Target-URI: {SITE}{url}",
        "Content-Type: application/http; msgtype=response",
        f"Content-Length: {len(body)}",
        *headers,
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body + b"\r\n\r\n"


def page(url: str, text: str, *headers: str, head: str = "", http: str = "", number: int = 1) -> bytes:
    message = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{http}\r\n<head>{head}</head><p>{text}</p>"
    return record("response", url, message, *headers, number=number)


def redirect(url: str, status: int, location: str) -> bytes:
    return record("response", url, f"HTTP/1.1 {status} Moved\r\nLocation: {location}\r\n\r\n")


def revisit(url: str, *headers: str) -> bytes:
    return record("revisit", url, "HTTP/1.1 200 OK\r\n\r\n", *headers, number=99)


def add(store: SweepStore, folder: Path, date: str, records: Sequence[bytes], rules: UrlRules | None = None) -> Added:
    path = folder / f"{date}.warc"
    path.write_bytes(b"".join(records))
    return store.add(path, date, rules=rules)


def steps(store: SweepStore) -> list[tuple[str, str | None, str | None, str | None]]:
    """Return the steps to the newest sweep, with URLs without their server."""

    def shorten(url: str | None) -> str | None:
        return url and url.replace(SITE, "")

    found = store._sightings.steps(store._sightings.sweeps()[-1])
    return sorted(((one.kind, shorten(one.old), shorten(one.new), shorten(one.remark)) for one in found), key=str)


DIGEST = "WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"


@pytest.mark.parametrize("status", [301, 302, 307, 308])
@pytest.mark.parametrize("location", ["/z/new", f"{SITE}/z/new", "//a.example/z/new#part", "z/new"])
def test_a_redirect_decides_between_equal_texts(
    sweep_store: SweepStore, tmp_path: Path, status: int, location: str
) -> None:
    add(sweep_store, tmp_path, "2020", [page("/old", FERRY)])
    records = [redirect("/old", status, location), page("/a/old", FERRY), page("/z/new", FERRY)]
    added = add(sweep_store, tmp_path, "2021", records)
    assert steps(sweep_store) == [("moved", "/old", "/z/new", f"redirect {status}"), ("new", None, "/a/old", None)]
    assert (added.pages, added.pointers) == (2, 1)
    # a redirect is no document
    assert (added.records["found"], added.records["read"], added.records["kinds"]) == (3, 2, {f"status {status}": 1})
    assert sweep_store.locate(f"{SITE}/old")[0].url == f"{SITE}/z/new"


def test_chains_of_redirects_are_followed(sweep_store: SweepStore, tmp_path: Path) -> None:
    add(sweep_store, tmp_path, "2020", [page("/1", FERRY), page("/9", OVEN)])
    chain = [redirect(f"/{number}", 301, f"/{number + 1}") for number in range(1, 4)]
    circle = [redirect("/8", 302, "/9"), redirect("/9", 302, "/8")]
    add(sweep_store, tmp_path, "2021", [*chain, *circle, page("/4", LATER)])
    assert steps(sweep_store) == [
        ("gone", "/9", None, "redirect 302 to /8"),
        ("moved+changed", "/1", "/4", "redirect 301"),
    ]


@pytest.mark.parametrize("status", [303, 304, 404])
def test_other_statuses_are_no_redirects(sweep_store: SweepStore, tmp_path: Path, status: int) -> None:
    add(sweep_store, tmp_path, "2020", [page("/old", FERRY)])
    add(sweep_store, tmp_path, "2021", [redirect("/old", status, "/z"), page("/a/old", FERRY), page("/z", FERRY)])
    assert steps(sweep_store)[0] == ("moved", "/old", "/a/old", None)


@pytest.mark.parametrize(
    "made",
    [
        {"head": '<link href="/z" rel="canonical">'},
        {"head": "<title>x</title><LINK REL='nofollow Canonical' HREF=z>"},
        {"http": f'Link: </style.css>; rel=preload, <{SITE}/z>; rel="canonical"\r\n'},
        {"http": "Link: </z>; rel=canonical\r\n"},
        {"head": '<meta http-equiv="refresh" content="0; url=/z">'},
        {"head": "<META HTTP-EQUIV=Refresh CONTENT=\"3;URL='/z'\">"},
    ],
)
def test_a_page_says_where_it_is(sweep_store: SweepStore, tmp_path: Path, made: Any) -> None:
    add(sweep_store, tmp_path, "2020", [page("/old", FERRY)])
    add(sweep_store, tmp_path, "2021", [page("/old", "See there.", **made), page("/a/old", FERRY), page("/z", FERRY)])
    how = "refresh" if "efresh" in str(made) else "canonical"
    assert steps(sweep_store) == [
        ("moved", "/old", "/z", how),
        ("new", None, "/a/old", None),
        ("replaced", "/old", "/old", "stub"),
    ]


@pytest.mark.parametrize(
    "made",
    [
        {"head": '<link href="/old#x" rel="canonical">'},
        {"head": '<!-- <link href="/z" rel="canonical"> --><link rel=canonical>'},
        {"head": '<link href="/z" rel="alternate">', "http": "Link: </z>; rel=next\r\n"},
        {"head": '</head><body><link href="/z" rel="canonical">'},
        {"head": '<link rel="canonical" href="http://[broken">'},
    ],
)
def test_no_pointer(sweep_store: SweepStore, tmp_path: Path, made: Any) -> None:
    assert add(sweep_store, tmp_path, "2020", [page("/old", FERRY, **made)]).pointers == 0


def test_pointers_are_made_canonical_and_removed(sweep_store: SweepStore, tmp_path: Path) -> None:
    rules = UrlRules()
    add(sweep_store, tmp_path, "2020", [page("/old?b=1&a=2", FERRY)], rules=rules)
    records = [redirect("/old?b=1&a=2", 301, "http://A.EXAMPLE:80/z#top"), page("/a", FERRY), page("/z", FERRY)]
    for _ in range(2):
        add(sweep_store, tmp_path, "2021", records, rules=rules)
        assert steps(sweep_store)[0][2:] == ("/z", "redirect 301")
        sweep_store.remove("2021")
        assert sweep_store._sightings.count("pointer") == 0


@pytest.mark.parametrize(
    ("headers", "known"),
    [
        ((DIGEST,), "/digest"),
        (("WARC-Payload-Digest: sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709",), "/digest"),
        ((f"WARC-Refers-To: <urn:uuid:{7:032}>",), "/id"),
        ((f"WARC-Refers-To: <urn:uuid:{8:032}>", DIGEST), "/digest"),
        ((), "/own"),
        (("WARC-Payload-Digest: sha1:unknown",), "/own"),
    ],
)
def test_a_revisit_has_the_text_of_an_earlier_sweep(
    sweep_store: SweepStore, tmp_path: Path, headers: tuple[str, ...], known: str
) -> None:
    texts = {"/digest": FERRY, "/id": OVEN, "/own": LONG}
    records = [page("/digest", FERRY, DIGEST, number=5), page("/id", OVEN, number=7), page("/own", LONG, number=6)]
    add(sweep_store, tmp_path, "2020", records)
    if known != "/own":
        add(sweep_store, tmp_path, "2021", [page("/own", LONG, number=11)])
    added = add(sweep_store, tmp_path, "2022", [revisit("/own", *headers)])
    assert (added.pages, added.revisits, added.new_texts) == (1, 1, 0)
    assert (added.records["found"], added.records["read"], added.records["passed_over"]) == (1, 1, 0)
    assert added.records["kinds"] == {}
    assert sweep_store.last_text(f"{SITE}/own").split("\n")[-1].strip() == texts[known]
    assert added.kinds is not None
    assert added.kinds["same" if known == "/own" else "changed"] == 1


def test_a_revisit_at_another_url_moves(sweep_store: SweepStore, tmp_path: Path) -> None:
    add(sweep_store, tmp_path, "2020", [page("/old", FERRY, DIGEST)])
    add(sweep_store, tmp_path, "2021", [revisit("/new", DIGEST)])
    assert steps(sweep_store) == [("moved", "/old", "/new", None)]


def test_a_revisit_of_which_nothing_is_known_is_counted(sweep_store: SweepStore, tmp_path: Path) -> None:
    add(sweep_store, tmp_path, "2020", [page("/1", FERRY)])
    records = [revisit("/1", DIGEST), revisit("/2", DIGEST), revisit("/1", DIGEST)]
    added = add(sweep_store, tmp_path, "2021", records)
    assert (added.pages, added.revisits, added.repeated) == (1, 1, 0)
    assert added.records["kinds"] == {"revisit of a missing response": 2}
    assert added.records["found"] == added.records["read"] + added.records["passed_over"] == 3


def test_a_revisit_repeats_a_redirect(sweep_store: SweepStore, tmp_path: Path) -> None:
    add(sweep_store, tmp_path, "2020", [page("/old", FERRY)])
    again = record("revisit", "/old", "HTTP/1.1 301 Moved\r\nLocation: /z\r\n\r\n", DIGEST)
    added = add(sweep_store, tmp_path, "2021", [again, page("/a/old", FERRY), page("/z", FERRY)])
    assert steps(sweep_store)[0] == ("moved", "/old", "/z", "redirect 301")
    assert added.records["kinds"] == {"status 301": 1}


def test_texts_that_are_removed_are_not_known(sweep_store: SweepStore, tmp_path: Path) -> None:
    add(sweep_store, tmp_path, "2020", [page("/1", FERRY, DIGEST)])
    add(sweep_store, tmp_path, "2021", [page("/2", OVEN, number=2)])
    sweep_store.remove("2020")
    added = add(sweep_store, tmp_path, "2022", [page("/2", OVEN, number=3), revisit("/1", DIGEST)])
    assert (added.pages, added.revisits) == (1, 0)


def test_damaged_records_are_no_evidence(sweep_store: SweepStore, tmp_path: Path) -> None:
    add(sweep_store, tmp_path, "2020", [page("/old", FERRY)])
    cut = redirect("/old", 301, "/z").replace(b"Content-Length: ", b"Content-Length: 9")
    path = tmp_path / "2021.warc"
    path.write_bytes(page("/a/old", FERRY) + page("/z", FERRY, number=2) + cut)
    added = sweep_store.add(path, "2021", on_error="skip")
    assert (added.pointers, len(added.rejects)) == (0, 1)


def test_the_remark_of_a_step_is_shown_with_the_page(sweep_store: SweepStore, tmp_path: Path) -> None:
    add(sweep_store, tmp_path, "2020", [page("/old", FERRY), page("/a", OVEN), page("/b", LONG)])
    records = [redirect("/old", 301, "/new"), page("/new", FERRY), page("/c", f"{OVEN} {LONG}")]
    add(sweep_store, tmp_path, "2021", records)
    add(
        sweep_store, tmp_path, "2022", [redirect("/new", 302, "/else"), page("/c", f"{OVEN} {LONG}"), page("/else", "")]
    )
    [merged] = [str(step.old) for step in sweep_store.changes("2020", "2021", "gone")]

    def remarks(url: str) -> list[tuple[str, str | None]]:
        return [(visit.kind or "", visit.remark) for visit in sweep_store.history(url)]

    into = f"merged into {SITE}/c"
    assert remarks(merged) == [("", None), ("gone", into)]
    assert [(place.way, place.remark) for place in sweep_store.locate(merged)] == [("gone", into)]
    # the last step of a page that left counts
    left = f"redirect 302 to {SITE}/else"
    assert remarks(f"{SITE}/old") == [("", None), ("moved", "redirect 301"), ("gone", left)]
    assert [(place.way, place.remark) for place in sweep_store.locate(f"{SITE}/old")] == [
        ("moved", left),
        ("identical", None),
    ]
    assert sweep_store.locate(f"{SITE}/c")[0].remark is None
