"""Frames: shingles that too many pages of one host contain are left out; they come from the run or from a file."""

import json
from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet as pq
import pytest

import neardup
from batch import check_same, create, held_by
from command import run_neardup
from neardup import Document, UsageError
from neardup.inputs.sources import Engine
from oracle import shingles, tokens
from records import write_records
from stopped import kill_after

SCHEME = "words | shingles:3 frame=0.3 | whole | prefix:0.5 | resemblance>=0.5"
LEAST = 20
"""Minimum number of pages of a host that contain a shingle of its frame."""

Shingles = frozenset[tuple[Any, ...]]


def page(random: Random, number: int) -> str:
    """Return a page of a few random words."""
    return " ".join(random.choices([f"w{word}" for word in range(400)], k=random.randrange(4, 30))) + f" n{number // 3}"


def crawl(seed: int) -> list[Document]:
    """Make hosts with a frame each, one of them small; with copies, pages of frame only, and pages without a host."""
    random = Random(seed)
    documents = []
    for host, count in [("large.example", 60), ("HTTP.example:80", 30), ("small.example", 15), (None, 10)]:
        top, end = (
            " ".join(random.choices(["menu", "home", "about", "log", "in", "terms", "of", "use"], k=12))
            for _ in range(2)
        )
        bodies = [page(random, number) for number in range(count // 2)]
        bodies += [body + random.choice(["", "", " more"]) for body in bodies] + ["", ""]
        for number, body in enumerate(bodies):
            # a third of the pages has another template
            text = body if number % 3 == 2 else f"{top} {body} {end}"
            url = f"http://{host}/{number}" if host else None
            documents.append(Document(text, f"{host}/{number}", url))
    random.shuffle(documents)
    return documents


def leave_out(documents: list[Document], share: Fraction) -> dict[str, Shingles]:
    """Return the compared shingles of each page: all except the frame of any host."""
    sets = {doc.id or "": shingles(tokens(doc.text), 3) for doc in documents}
    hosts: dict[str, set[str]] = {}
    for doc in documents:
        if doc.url:
            host = doc.url.partition("://")[2].partition("/")[0].lower().removesuffix(":80")
            hosts.setdefault(host, set()).add(doc.text)
    frame: set[tuple[Any, ...]] = set()
    for texts in hosts.values():
        counts = Counter(shingle for text in texts for shingle in shingles(tokens(text), 3))
        frame |= {one for one, count in counts.items() if count > share * len(texts) and count >= LEAST}
    assert frame
    return {name: found - frame or found for name, found in sets.items()}


@pytest.mark.on_spark(0)
@pytest.mark.parametrize("seed", range(4))
def test_pairs_are_found_by_the_shingles_outside_the_frame(seed: int, engine: Engine | None) -> None:
    documents = crawl(seed)
    left = leave_out(documents, Fraction(3, 10))
    expected = {}
    for one, other in combinations(sorted(left), 2):
        shared, sizes = len(left[one] & left[other]), (len(left[one]), len(left[other]))
        if shared and 2 * shared >= sum(sizes) - shared:
            expected[one, other] = (shared, *sizes)
    found = neardup.find_pairs(documents, scheme=SCHEME, url_field="url", engine=engine).pairs
    columns = [found.column(name) for name in ("left", "right", "shared", "left_size", "right_size")]
    assert {row[:2]: row[2:] for row in zip(*columns, strict=True)} == expected
    whole = neardup.find_pairs(documents, scheme=SCHEME.replace(" frame=0.3", ""), url_field="url").pairs
    assert len(whole.column("left")) > len(expected) > 20


def test_any_machine_and_order_of_pages_gives_the_same() -> None:
    documents = crawl(7) + crawl(8)
    named = [doc._replace(id=str(number)) for number, doc in enumerate(documents)]
    runs = [
        neardup.cluster(given, scheme=SCHEME, url_field="url", **options).summary["passes"][0]["frame"]
        for given in (named, named[::-1])
        for options in ({"threads": 1}, {"threads": 3, "memory": "80M"})
    ]
    assert len(set(runs)) == 1
    assert runs[0] > 10
    digests = {neardup.cluster(named, scheme=SCHEME, url_field="url", threads=threads).digest for threads in (1, 3)}
    assert len(digests) == 1


def test_little_memory_counts_in_parts() -> None:
    random = Random(6)
    menu = " ".join(random.choices([f"m{word}" for word in range(90)], k=400))
    bodies = (" ".join(random.choices([f"w{word}" for word in range(9000)], k=4000)) for _ in range(100))
    pages = [Document(f"{menu} {body}", url=f"http://example.org/{row}") for row, body in enumerate(bodies)]
    given: dict[str, Any] = {"scheme": SCHEME, "url_field": "url", "threads": 1}
    # the smaller memory holds about a megabyte of shingles at once; the text has 2.4 MB
    runs = [neardup.dedup(pages, memory=memory, **given) for memory in ("62M", "1G")]
    assert len({run.summary["passes"][0]["frame"] for run in runs}) == 1
    assert runs[0].summary["passes"][0]["frame"] == len(shingles(tokens(menu), 3))
    assert runs[0].digest == runs[1].digest


@pytest.mark.on_spark(0)
def test_a_sample_is_enough_for_a_large_host(engine: Engine | None) -> None:
    random = Random(3)
    menu = "one menu of many words that stands on all pages"
    pages = [f"{menu} {' '.join(random.choices([f'w{word}' for word in range(5000)], k=20))}" for _ in range(1000)]
    documents = [Document(text, str(number), f"https://example.org/{number}") for number, text in enumerate(pages)]
    run = neardup.dedup(documents, scheme=SCHEME, url_field="url", engine=engine)
    # ten words make eight shingles; shingles with a word of the page are rare
    assert run.summary["passes"][0]["frame"] == len(shingles(tokens(menu), 3))


def test_a_run_writes_the_frame_that_it_found(tmp_path: Path) -> None:
    documents = [doc for doc in crawl(1) if doc.url]
    records = [{"id": doc.id, "text": doc.text, "url": doc.url} for doc in documents]
    path, out = write_records(tmp_path / "docs.jsonl", records), tmp_path / "out"
    options = ("--id-field", "id", "--url-field", "url")
    printed = run_neardup("dedup", path, "-o", out, "--scheme", SCHEME, *options).stdout
    summary = json.loads((out / "run.json").read_text())
    table = pq.read_table(out / "frame.parquet")
    assert summary["passes"][0]["frame"] == table.num_rows > 10
    assert f"{table.num_rows:,} shingles of hosts' frames, left out" in printed
    assert pq.read_metadata(out / "frame.parquet").metadata[b"counted"] == b"frames of words | shingles:3 seed=0"
    again = SCHEME.replace("0.3", f"file:{out / 'frame.parquet'}", 1)
    other = neardup.dedup(path, scheme=again, id_field="id")
    assert other.digest == summary["digest"]
    text = max((doc.text for doc in documents if "large" in str(doc.url) and "menu" in doc.text[:40]), key=len)
    found = neardup.explain(text, text, scheme=again)
    assert found.left_frame == found.right_frame > 0
    assert found.left_size + found.left_frame == len(shingles(tokens(text), 3))
    (tmp_path / "a.txt").write_text(text)
    shown = run_neardup("explain", tmp_path / "a.txt", tmp_path / "a.txt", "--scheme", again).stdout
    assert f"{found.left_frame:,} of A, {found.left_frame:,} of B: shingles that are left out" in shown


def test_a_later_pass_finds_the_frame_of_its_own_documents() -> None:
    documents = crawl(5)
    first = "words | shingles:3 | digest | each | equal"
    kept = neardup.dedup(documents, scheme=first, url_field="url").kept_rows
    alone = neardup.dedup([documents[row] for row in kept], scheme=SCHEME, url_field="url")
    both = neardup.dedup(documents, scheme=f"{first} ; {SCHEME}", url_field="url")
    assert both.summary["passes"][1]["frame"] == alone.summary["passes"][0]["frame"] > 10
    assert both.summary["passes"][0]["frame"] is None
    assert [kept[row] for row in alone.kept_rows] == list(both.kept_rows)


def test_it_resumes_after_a_stop(tmp_path: Path) -> None:
    random = Random(2)
    texts = (f"the one menu of this site {' '.join(random.choices('abcdefghijkl', k=60))}" for _ in range(20_000))
    records = ({"text": text, "url": f"http://example.org/{row}"} for row, text in enumerate(texts))
    path, out, whole = write_records(tmp_path / "docs.jsonl", records), tmp_path / "out", tmp_path / "whole"
    options = ("--url-field", "url", "--scheme", SCHEME.replace("0.5", "0.9"))
    finished = kill_after("counted", "dedup", path, out, *options)
    assert [phase["name"] for phase in finished] == ["count", "frame"]
    ends = [run_neardup("dedup", path, "-o", target, "--json", *options).stdout for target in (out, whole)]
    digests = {json.loads(text)["digest"] for text in ends}
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("scheme", "reason"),
    [
        ("words | shingles:5 frame=1 | whole | each | equal", "a share of a host's documents above 0 and below 1"),
        ("words | shingles:5 frame=0 | whole | each | equal", "a share of a host's documents above 0 and below 1"),
        ("words | shingles:5 frame=much | whole | each | equal", "as 0.05, or file:PATH"),
        ("words | shingles:5 hash=rabin frame=0.1 | whole | each | equal", "leave hash=rabin out"),
        ("words | shingles:5 weight=idf:corpus frame=0.1 | simhash:64 | blocks:3 | hamming<=3", "not both"),
        ("words | terms frame=0.1 | whole | each | equal", "takes weight=, not `frame=`"),
        ("words | shingles:5 frame=file:no/such | whole | each | equal", "no/such"),
    ],
)
def test_a_wrong_frame_is_refused(scheme: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason.replace("(", r"\(")):
        neardup.dedup(["a b c"], scheme=scheme)


def test_the_error_for_documents_without_hosts_names_the_missing_option(tmp_path: Path) -> None:
    path = write_records(tmp_path / "docs.jsonl", [{"text": "a b c", "url": "http://example.org/"}])
    assert "--url-field url" in run_neardup("dedup", path, "-o", tmp_path / "out", "--scheme", SCHEME, code=2).stderr
    other = run_neardup("dedup", path, "-o", tmp_path / "out", "--scheme", SCHEME, "--url-field", "text", code=2).stderr
    assert "no document has a URL with a host: is another field that of the URLs?" in other
    run_neardup("dedup", path, "-o", tmp_path / "out", "--scheme", SCHEME, "--url-field", "url")


def test_an_index_takes_a_frame_from_a_file_only(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"frame\.parquet"):
        neardup.Index.create(tmp_path / "index", scheme=SCHEME)
    out = tmp_path / "out"
    neardup.dedup(crawl(1), scheme=SCHEME, url_field="url", output=out)
    scheme = SCHEME.replace("0.3", f"file:{out / 'frame.parquet'}", 1)
    index = create(tmp_path / "index", 100, scheme=scheme)
    index.add(doc._replace(url=None) for doc in crawl(1))
    check_same(index, held_by(index), "first")
