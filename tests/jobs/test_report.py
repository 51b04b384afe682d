"""report.html of real runs: it is complete, small, free of active content, and agrees with run.json."""

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

import neardup
from command import Cli
from neardup import Document
from records import read_rows
from texts import LANGUAGES, corpus

HOSTILE = [
    "<script>alert(1)</script> " * 20,
    "\"><img src=x onerror=alert(2)> ' onmouseover='alert(3) " * 20,
    "</style></textarea><svg/onload=alert(4)> {{ 7 * 7 }} {% raw %} " * 20,
    "\u202eright to left override \u2066 \x00 \x1b[31m " * 20,
]


class Page(HTMLParser):
    """Collects tags, attributes and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.extend(attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("verb", ["dedup", "cluster", "pairs"])
def test_report(cli: Cli, tmp_path: Path, verb: str) -> None:
    texts = [doc.text for language in LANGUAGES for doc in corpus(language, 3)]
    texts += [f"{text} {number}" for text in HOSTILE for number in range(3)]
    path = tmp_path / "<b>docs & 'co'.jsonl"
    path.write_text(
        "".join(json.dumps({"id": f'<i>{n}"&', "text": text}) + "\n" for n, text in enumerate(texts)), encoding="utf-8"
    )
    cli(verb, path, "-o", tmp_path / "out", "--id-field", "id")
    raw = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    summary = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))
    page = Page(raw)
    assert len(raw.encode()) < 4 << 20
    assert "Content-Security-Policy" in raw
    assert not {"img", "iframe", "object", "embed", "link", "base", "form"} & set(page.tags)
    for name, value in page.attributes:
        assert not name.startswith("on"), (name, value)
        assert name not in ("src", "action", "srcset"), (name, value)
        assert name != "href" or (value or "").startswith("#"), value
    assert "\u202e" not in raw
    assert "\x00" not in raw
    assert f"{len(texts):,}" in page.text
    assert summary["scheme"] in page.text
    assert summary["digest"] in page.text


def test_report_of_nothing(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text("", encoding="utf-8")
    cli("dedup", path, "-o", tmp_path / "out")
    assert "<html" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("keys", "chance", "drawn"),
    [
        ("minhash:96 | bands:16x6 | resemblance>=0.8", "16 bands of 6 rows", True),
        ("minhash:96 | bands:16x6 | containment>=0.8", "16 bands of 6 rows", True),
        ("minhash:96 | bands:16x6 cap=9 | resemblance>=0.8", "16 bands of 6 rows", True),
        ("minhash:84 | bands:6x14 match=2 | equal", "2 of 6 bands of 14 rows", True),
        ("minima:20 | each | resemblance>=0.5", "one of 20 minima", True),
        ("minima:20 | each | ~resemblance>=0.5", "one of 20 minima", True),
        ("whole | prefix:0.8 | resemblance>=0.8", None, True),
        ("whole | prefix:0.8 cap=9 | resemblance>=0.8", None, False),
        ("whole | each | containment>=0.8", None, False),
        ("whole | each | levenshtein:words<=9", None, False),
        ("moduli:25 | each | ~resemblance>=0.5", None, False),
        ("simhash:64 | blocks:3 | hamming<=3", None, False),
        ("digest | each | equal", None, False),
    ],
)
def test_the_report_states_the_promise_of_the_scheme(
    cli: Cli, tmp_path: Path, keys: str, chance: str | None, drawn: bool
) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(json.dumps({"text": doc.text}) + "\n" for doc in corpus("english", 3)), encoding="utf-8")
    cli("dedup", path, "-o", tmp_path / "out", "--scheme", f"words | shingles:5 | {keys}")
    page = Page((tmp_path / "out" / "report.html").read_text(encoding="utf-8"))
    notes = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))["notes"]
    # Notes about counts begin with a digit.
    assert all(f"{note}." in page.text for note in notes if note[0].isdigit())
    promise = next(note for note in notes if not note[0].isdigit())
    assert f"; {promise}." in page.text
    assert f"{promise[0].upper()}{promise[1:]}." in page.text
    assert ("chance to be proposed" in page.text) == drawn
    assert (chance or "") in page.text
    assert ("P(s)" in page.text) == (chance is not None)


@pytest.mark.parametrize(
    ("second", "promise"),
    [
        ("digest | each | equal", "; every pair that meets the measure is found."),
        ("minhash:96 | bands:16x6 | resemblance>=0.8", "; no recall is promised: of several passes each promises"),
    ],
)
def test_report_of_several_passes(cli: Cli, tmp_path: Path, second: str, promise: str) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(json.dumps({"text": doc.text}) + "\n" for doc in corpus("english", 3)), encoding="utf-8")
    first = "words | shingles:5 | whole | prefix:0.9 | resemblance>=0.9"
    cli("dedup", path, "-o", tmp_path / "out", "--scheme", f"{first} ; words | shingles:2 | {second}")
    page = Page((tmp_path / "out" / "report.html").read_text(encoding="utf-8"))
    assert promise in page.text
    assert f"resemblance>=0.9 ; {second.rpartition(' | ')[2]}" in page.text
    assert "chance to be proposed" not in page.text


def test_report_stays_small(cli: Cli, tmp_path: Path, *, deep: bool) -> None:
    long = " ".join(f"word{number}" for number in range(100_000 if deep else 40_000))
    path = tmp_path / "docs.jsonl"
    with open(path, "w", encoding="utf-8") as file:
        for family in range(10):
            file.writelines(
                json.dumps({"text": f"{family} {long[family * 1000 :]} {member}"}) + "\n" for member in range(4)
            )
    cli("dedup", path, "-o", tmp_path / "out")
    assert (tmp_path / "out" / "report.html").stat().st_size < 4 << 20


def chain() -> list[str]:
    """Return two equal texts after texts 0 to 3, of which each is near the next only, so that 0 and 2 are leaders."""
    words = [f"w{number}" for number in range(130)]
    return [*(" ".join(words[10 * first : 10 * first + 100]) for first in range(4)), "another text", "another text"]


def test_counts_of_clusters_agree_with_the_table(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "chain.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in chain()), encoding="utf-8")
    out = tmp_path / "out"
    done = cli("cluster", path, "-o", out, "--forest", "--threshold", "0.75", "--recall", "exact")
    table = json.loads((out / "run.json").read_text(encoding="utf-8"))["clusters"]
    counted = {"clusters": 2, "documents": 6, "largest": 4}
    assert table == counted | {
        "identical_clusters": 1,
        "identical_documents": 2,
        "mixed_clusters": 1,
        "mixed_documents": 4,
    }
    printed = "2: 1 of identical documents only (2 documents), 1 mixed (4 documents); the largest of 4"
    assert printed in done.stdout
    rows = read_rows(out / "clusters.parquet")
    sizes = {row["cluster"]: row["size"] for row in rows if row["size"] > 1}
    assert (len(sizes), sum(sizes.values()), max(sizes.values())) == tuple(counted.values())
    made = neardup.recluster(out, "0.75").summary["counts"]
    assert (made["clusters"], made["clustered"], made["largest"]) == tuple(counted.values())
    page = " ".join(Page((out / "report.html").read_text(encoding="utf-8")).text.split())
    assert "6 documents: 2 clusters holding 6 of them, the largest 4." in page
    assert "All 3 leader groups shown, largest first." in page
    grouped = neardup.dedup(path, threshold="0.75", recall="exact").summary["clusters"]
    assert (grouped["clusters"], grouped["documents"], grouped["largest"]) == (3, 6, 2)


def test_clusters_with_a_reference(tmp_path: Path) -> None:
    first, second, third, _, *equal = chain()
    copies, mixed, aside = equal[:1], [second, third], ["a text of the reference alone"] * 2
    # the reference contains two different texts of the mixed cluster; the input contains their copies
    known = [*equal, first, second, *aside]
    table = neardup.cluster(
        [Document(text, str(row)) for row, text in enumerate([*copies, *mixed])],
        against=[Document(text, str(row)) for row, text in enumerate(known)],
        threshold="0.75",
        recall="exact",
    ).summary["clusters"]
    assert (table["clusters"], table["documents"], table["largest"]) == (2, 7, 4)
    assert (table["identical_clusters"], table["identical_documents"]) == (1, 3)
