"""The maximum spanning forest of a run, compared with fresh runs at any threshold and with Kruskal's algorithm."""

import json
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import neardup
from command import Cli, run_neardup
from neardup import DataError, UsageError
from oracle import Doc
from records import read_rows, write_jsonl, write_records

THRESHOLDS = ("0.4", "0.45", "0.5", "3/5", "0.667", "0.7", "0.8", "0.85", "0.9", "0.95", "0.99", "1")
BANDS = "words signs=keep | shingles:3 | minhash:96 | bands:32x3 | resemblance>={}"
PREFIX = "words signs=keep | shingles:2 | whole | prefix:{} | resemblance>={}"
BOTH = "words signs=keep | shingles:2 | minhash:48 | bands:24x2 | containment>=0.75 & resemblance>={}"
HALF = "words signs=keep | shingles:5 | minhash:105 | bands:35x3 | resemblance>=0.5"
EDITS = "words signs=keep | shingles:2 | minhash:48 | bands:24x2 | resemblance>={} & levenshtein<=150"


def make_docs(seed: int) -> list[Doc]:
    """Return shuffled families of edited copies of very different sizes, with exact copies, upper case and blanks."""
    random = Random(seed)
    texts = ["", " ", "  "]
    for family, members in enumerate([1, 2, 2, 3, 5, 8, 13, 60]):
        words = [f"{family}w{number}" for number in range(random.randrange(20, 90))]
        for _ in range(members):
            edits = random.randrange(1 + len(words) // 4)
            edited = [*words]
            for _ in range(edits):
                edited[random.randrange(len(words))] = f"x{random.randrange(40)}"
            copies = random.choice([1, 1, 1, 2, 4])
            texts += [" ".join(edited)] * copies + [" ".join(edited).upper()] * (copies == 4)
    random.shuffle(texts)
    numbers = random.sample(range(1000), len(texts))
    return [Doc(str(number), text) for number, text in zip(numbers, texts, strict=True)]


def rows_of(clusters: neardup.results.Table) -> list[tuple[Any, ...]]:
    """Return id, cluster and size of every document in a cluster of two or more, by id."""
    rows = zip(*(clusters.column(name) for name in ("id", "cluster", "size")), strict=True)
    return sorted(row for row in rows if row[2] > 1)


@pytest.mark.parametrize("line", [BANDS, PREFIX, BOTH, EDITS], ids=["bands", "prefix", "containment", "edits"])
@pytest.mark.parametrize("named", [True, False], ids=["ids", "places"])
def test_every_threshold_equals_a_fresh_run(line: str, named: bool, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "docs.jsonl", make_docs(len(line)))
    options: Any = {"id_field": "id"} if named else {}
    run = neardup.cluster(path, scheme=line.format("0.4", "0.4"), forest=True, output=tmp_path / "run", **options)
    different = set()
    for threshold in THRESHOLDS:
        fresh = neardup.cluster(path, scheme=line.format(threshold, threshold), **options)
        again = neardup.recluster(tmp_path / "run", threshold)
        assert rows_of(again.clusters) == rows_of(fresh.clusters)
        assert again.summary["warnings"] == []
        different.add(again.digest)
    assert len(different) > 6
    assert run.summary["counts"]["pairs"] is None


@pytest.mark.parametrize("keep", ["first", "longest"])
def test_the_forest_does_not_depend_on_threads_and_memory(keep: Any, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "docs.jsonl", make_docs(7))
    options: Any = {"id_field": "id", "scheme": PREFIX.format("0.4", "0.4"), "keep": keep}
    forests = [
        (tmp_path / f"run{number}", threads, memory)
        for number, (threads, memory) in enumerate([(1, "1G"), (2, "66M"), (4, "86M")])
    ]
    for output, threads, memory in forests:
        neardup.cluster(path, forest=True, output=output, threads=threads, memory=memory, **options)
    first, *others = (read_rows(output / "forest.parquet") for output, _, _ in forests)
    assert others == [first, first]
    assert [(row["left"], row["right"]) for row in first] == sorted((row["left"], row["right"]) for row in first)
    # compare with Kruskal 1956, which takes the pairs in descending order of resemblance
    pairs = {(row["left"], row["right"]): row for row in pairs_of(path, options)}
    assert all(pairs[row["left"], row["right"]] == row for row in first)
    assert sorted(map(score, first)) == sorted(kruskal(pairs.values()))


def pairs_of(path: Path, options: dict[str, Any]) -> list[dict[str, Any]]:
    """Return all pairs, as rows."""
    table = neardup.find_pairs(path, **options).pairs
    columns = {name: table.column(name) for name in table.column_names}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def score(row: dict[str, Any]) -> Fraction:
    union = row["left_size"] + row["right_size"] - row["shared"]
    return Fraction(row["shared"], union) if union else Fraction(1)


def kruskal(rows: Any) -> list[Fraction]:
    """Return the resemblances of the pairs that join two trees; they are equal for all maximum spanning forests."""
    weights: list[Fraction] = []
    tree: dict[str, set[str]] = {}
    for row in sorted(rows, key=score, reverse=True):
        left, right = (tree.setdefault(row[side], {row[side]}) for side in ("left", "right"))
        if left is not right:
            weights.append(score(row))
            left |= right
            tree.update(dict.fromkeys(right, left))
    return weights


def test_a_table_of_thresholds(cli: Cli, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "docs.jsonl", make_docs(3))
    cli("cluster", path, "-o", tmp_path / "run", "--id-field", "id", "--scheme", HALF, "--forest")
    thresholds = ["0.5", "0.605", "0.8", "1"]
    rows = neardup.results.at_thresholds(tmp_path / "run", thresholds)
    for row in rows:
        counts = neardup.recluster(tmp_path / "run", row.threshold).summary["counts"]
        assert row[1:] == (counts["clusters"], counts["clustered"], counts["largest"])
    asked = [argument for threshold in thresholds for argument in ("--threshold", threshold)]
    printed = cli("recluster", tmp_path / "run", *asked).stdout.splitlines()
    assert printed == ["threshold\tclusters\tclustered\tlargest", *("\t".join(map(str, row)) for row in rows)]
    as_json = json.loads(cli("recluster", tmp_path / "run", *asked, "--json").stdout)
    assert as_json == [row._asdict() for row in rows]
    assert "one --threshold" in cli("recluster", tmp_path / "run", *asked, "-o", tmp_path / "x", code=2).stderr
    assert not cli("recluster", tmp_path / "run", *asked, "--quiet").stdout
    assert f"largest    {rows[0].largest}" in cli("recluster", tmp_path / "run", "--threshold", "0.5").stdout
    assert neardup.results.at_thresholds(tmp_path / "run", []) == []
    with pytest.raises(UsageError, match=r"0\.4.*from 0\.5 on"):
        neardup.results.at_thresholds(tmp_path / "run", ["0.8", "0.4"])
    # the page has steps of fixed size, and shows the same figures for them
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    for row in neardup.results.at_thresholds(tmp_path / "run", ["0.5", "0.725", "0.8", "1"]):
        figures = "".join(
            f"<span><b>{figure}</b>{name}</span>"
            for figure, name in [
                (row.threshold, "threshold"),
                (f"{row.clusters:,}", "clusters"),
                (f"{row.clustered:,}", "documents in them"),
                (f"{row.largest:,}", "in the largest"),
            ]
        )
        assert figures in page


def test_results_with_and_without_a_forest(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "docs.jsonl", make_docs(5))
    options: Any = {"id_field": "id"}
    forest = neardup.cluster(path, forest=True, **options).forest
    assert forest.column_names == neardup.find_pairs(path, **options).pairs.column_names
    with pytest.raises(UsageError, match='no table "forest"'):
        _ = neardup.cluster(path, **options).forest
    fingerprints = "words | shingles:2 | simhash:64 | blocks:4 | hamming<=3"
    refused = [
        ({"scheme": fingerprints}, "by hamming<=3, which may miss pairs of any resemblance"),
        ({"scheme": f"{BANDS.format('0.9')} ; {BANDS.format('0.5')}"}, "several passes"),
        ({"against": str(path)}, "a reference may have the ids of the input's"),
    ]
    for more, reason in refused:
        with pytest.raises(UsageError, match=f"no forest can be written: .*{reason}"):
            neardup.cluster(path, forest=True, output=tmp_path / "none", **more, **options)  # type: ignore[arg-type]
    assert not (tmp_path / "none").exists()
    neardup.cluster(path, output=tmp_path / "plain", **options)
    with pytest.raises(UsageError, match="keeps no forest of its pairs; run it again with --forest"):
        neardup.recluster(tmp_path / "plain", "0.9")
    neardup.cluster(path, scheme="contained", forest=True, output=tmp_path / "parts", **options)
    with pytest.raises(UsageError, match="a forest is of resemblances; for a policy of containment run it again"):
        neardup.recluster(tmp_path / "parts", "0.9", "containment")
    (tmp_path / "parts" / "clusters.parquet").replace(tmp_path / "parts" / "forest.parquet")
    with pytest.raises(DataError, match=r"forest\.parquet: not as the run wrote it"):
        neardup.recluster(tmp_path / "parts", "0.9")


@pytest.mark.parametrize("recall", ["0.99", "exact"])
def test_a_large_family_costs_less_than_the_square(recall: str, tmp_path: Path) -> None:
    base = [f"word{number}" for number in range(60)]
    count = 20_000 if recall == "0.99" else 3_000
    records = [{"text": " ".join([*base, f"ending{number}"])} for number in range(count)]
    path = write_records(tmp_path / "docs.jsonl", records)
    run = neardup.cluster(path, recall=recall, forest=True, output=tmp_path / "run")
    effort = run.summary["effort"]
    assert effort["compared"] < 4 * count
    if recall == "0.99":
        # above the cap
        assert effort["proposed"] < 64 * count
    again = neardup.recluster(tmp_path / "run", "0.9")
    assert again.summary["counts"]["largest"] == count
    assert any("capped" in warning for warning in again.summary["warnings"]) == (recall == "0.99")
    compared = run_neardup("recluster", tmp_path / "run", "--threshold", "0.9", "--threshold", "0.95").stderr
    assert compared == "".join(f"warning: {warning}\n" for warning in again.summary["warnings"])
