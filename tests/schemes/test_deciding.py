"""The value that decides is shown in pairs, decisions and hits, on a terminal, in reports and on the pages."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest

import neardup
from command import Cli
from neardup import Document, Index
from service_story import asking

SCHEMES = {
    "simhash": "hamming",
    "words | shingles:3 | minhash:64 | bands:16x4 | ~resemblance>=0.6": "~resemblance",
    "words | shingles:1 | simhash:64 | blocks:13 | ~cosine>=0.8": "~cosine",
    "words | shingles:1 | projection:128 | blocks:12 | agree>=116": "agree",
    "words | shingles:3 | moduli:3 | each | ~containment>=0.5": "~containment",
    "words | shingles:3 | minhash:64 | bands:16x4 | levenshtein:words<=9": "levenshtein:words,1,1,1",
    "words | shingles:3 | whole | prefix:0.5 | resemblance>=0.5 & lcs:chars>=0.5": "lcs:chars",
}
PLAIN = "words | shingles:3 | whole | prefix:0.5 | resemblance>=0.5"


def make_texts() -> list[str]:
    """Return six texts, each with two near-copies, and two exact copies."""
    random, texts = Random(36), list[str]()
    words = [f"word{number}" for number in range(300)]
    for _ in range(6):
        text = random.choices(words, k=90)
        for changes in (0, 1, 3):
            for _ in range(changes):
                text[random.randrange(len(text))] = random.choice(words)
            texts.append(" ".join(text))
    return [*texts, texts[0], texts[4].upper()]


TEXTS = make_texts()
DOCS = [Document(text, id=f"d{number:02}") for number, text in enumerate(TEXTS)]


def deciding(left: str, right: str, scheme: str) -> float | None:
    """Return the deciding value as `explain` shows it."""
    texts = (TEXTS[int(name[1:])] for name in (left, right))
    return neardup.explain(*texts, scheme=scheme).conditions[-1].value


def rows_of(table: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pa.table(table).to_pylist()
    return rows


@pytest.mark.parametrize("scheme", SCHEMES)
def test_tables_show_the_deciding_value(scheme: str) -> None:
    pairs = rows_of(neardup.find_pairs(DOCS, scheme=scheme).pairs)
    near = [row for row in pairs if row["rule"] == "near"]
    assert near
    for row in near:
        assert row["value"] == deciding(row["left"], row["right"], scheme)
    copies = [row for row in pairs if row["rule"] in ("identical", "lexical")]
    assert {row["left"] for row in copies} == {"d00", "d04"}
    assert all(row["value"] is None for row in copies)
    dropped = [row for row in rows_of(neardup.dedup(DOCS, scheme=scheme).decisions) if row["rule"] == "near"]
    assert dropped
    for row in dropped:
        assert row["value"] == deciding(row["id"], row["original"], scheme)


def test_a_copy_has_the_value_of_the_document_that_it_copies() -> None:
    """A copy of a dropped document has the same original and the same value."""
    scheme = next(iter(SCHEMES))
    docs = [DOCS[6], DOCS[7], Document(DOCS[7].text, id="copy")]
    rows = rows_of(neardup.dedup(docs, scheme=scheme).decisions)
    assert [row["original"] for row in rows] == ["d06"] * 3
    assert rows[1]["value"] == rows[2]["value"] == deciding("d06", "d07", scheme)
    pairs = {
        (row["left"], row["right"]): row["value"] for row in rows_of(neardup.find_pairs(docs, scheme=scheme).pairs)
    }
    assert pairs == {("copy", "d06"): rows[1]["value"], ("copy", "d07"): None, ("d06", "d07"): rows[1]["value"]}


def test_several_passes_show_the_value_of_each() -> None:
    scheme = f"{PLAIN} ; words | shingles:1 | simhash:64 | blocks:9 | hamming<=9"
    pairs = rows_of(neardup.find_pairs(DOCS, scheme=scheme).pairs)
    assert all(row["value"] is None for row in pairs if row["pass"] == 1)
    assert all(row["value"] <= 9 for row in pairs if row["pass"] == 2)


def test_a_measure_of_features_has_no_such_column() -> None:
    assert "value" not in neardup.find_pairs(DOCS, scheme=PLAIN).pairs.column_names
    assert "value" not in neardup.dedup(DOCS, scheme=PLAIN).decisions.column_names


@pytest.mark.parametrize("scheme", SCHEMES)
def test_hits_show_the_deciding_value(scheme: str, tmp_path: Path) -> None:
    index = Index.create(tmp_path / "index", scheme=scheme)
    index.add(DOCS)
    assert index.subject == SCHEMES[scheme]
    hits = index.query(TEXTS[7])
    assert {"d07"} < {hit.id for hit in hits}
    for hit in hits:
        # a copy has no deciding condition
        assert hit.value == (None if hit.id == "d07" else deciding("d07", hit.id, scheme))


def test_hits_by_features_have_no_value(tmp_path: Path) -> None:
    index = Index.create(tmp_path / "index", scheme=PLAIN)
    index.add(DOCS)
    assert index.subject is None
    assert {hit.value for hit in index.query(TEXTS[7])} == {None}


def test_commands_show_the_deciding_value(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(json.dumps({"id": doc.id, "text": doc.text}) + "\n" for doc in DOCS), encoding="utf-8")
    scheme = next(iter(SCHEMES))
    cli("index", "create", tmp_path / "index", "--scheme", scheme)
    cli("index", "add", tmp_path / "index", path, "--id-field", "id")
    columns, *rows = (
        line.split("\t") for line in cli("index", "query", tmp_path / "index", "--id", "d06").stdout.splitlines()
    )
    assert columns[-1] == "value"
    assert [(row[0], row[-1]) for row in rows] == [("d07", f"{deciding('d06', 'd07', scheme):.0f}")]
    hits = json.loads(cli("index", "query", tmp_path / "index", "--id", "d06", "--json").stdout)["hits"]
    assert [hit["value"] for hit in hits] == [deciding("d06", "d07", scheme)]
    cli("dedup", path, "-o", tmp_path / "out", "--scheme", scheme, "--id-field", "id")
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert f"<b>hamming {deciding('d06', 'd07', scheme):.0f}</b>" in page


def test_the_search_page_shows_the_deciding_value(tmp_path: Path) -> None:
    scheme = next(iter(SCHEMES))
    Index.create(tmp_path / "index", scheme=scheme).add(DOCS)
    with asking(tmp_path / "index") as client:
        page = client.post("/search", data={"text": TEXTS[6], "by": "resemblance"}).text
        assert "<code>hamming</code>" in page
        assert f'data-name="hamming">{deciding("d06", "d07", scheme):.0f}' in page
        hits = client.post("/api/query", json={"text": TEXTS[6]}).json()["hits"]
        assert {hit["id"]: hit["value"] for hit in hits} == {"d06": None, "d07": deciding("d06", "d07", scheme)}
