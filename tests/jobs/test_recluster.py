"""Clusters computed again from stored pairs, compared with fresh runs and with their definitions."""

from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, Literal

import pytest

import neardup
from command import Cli
from neardup import UsageError
from oracle import Doc
from records import read_rows, write_jsonl

Policy = Literal["resemblance", "containment", "contained-by"]

WORDS = [f"w{number}" for number in range(60)]
DOCS = [
    Doc("whole", " ".join(WORDS), None),
    Doc("part", " ".join(WORDS[10:22]), None),
    Doc("other", " ".join([*WORDS[:24], *(f"v{number}" for number in range(60))]), None),
    Doc("near", " ".join([*WORDS[:59], "changed"]), None),
    Doc("far", "nothing of all that stands here at any place", None),
]
CONTAINMENT = "words signs=keep | shingles:2 | whole | each | containment>=0.5"
RESEMBLANCE = "words signs=keep | shingles:2 | whole | prefix:0.2 | resemblance>=0.2"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = write_jsonl(tmp_path / "docs.jsonl", DOCS)
    neardup.find_pairs(path, scheme=CONTAINMENT, id_field="id", output=tmp_path / "run")
    return tmp_path / "run"


def groups(run: Path, threshold: str, policy: Policy) -> set[frozenset[str]]:
    clusters = neardup.recluster(run, threshold, policy).clusters
    found: dict[str, set[str]] = {}
    for name, cluster, size in zip(*(clusters.column(column) for column in ("id", "cluster", "size")), strict=True):
        found.setdefault(cluster, set()).add(name)
        assert clusters.column("cluster").count(cluster) == size
    assert all(name == min(members) for name, members in found.items())
    return {frozenset(members) for members in found.values()}


def test_the_three_policies(run: Path) -> None:
    assert groups(run, "0.9", "resemblance") == {frozenset({"whole", "near"})}
    assert groups(run, "0.9", "containment") == {frozenset({"whole", "near", "part", "other"})}
    # two documents contain the part, which joins the larger one; whole and near contain each other
    assert groups(run, "0.9", "contained-by") == {frozenset({"whole", "near"}), frozenset({"part", "other"})}


def test_a_higher_threshold_equals_a_fresh_run(run: Path, tmp_path: Path) -> None:
    for threshold in ("0.5", "0.7", "0.98", "1"):
        line = f"words signs=keep | shingles:2 | whole | each | containment>={threshold}"
        fresh = neardup.cluster(tmp_path / "docs.jsonl", scheme=line, id_field="id").clusters
        clusters: dict[str, set[str]] = {}
        for name, cluster in zip(fresh.column("id"), fresh.column("cluster"), strict=True):
            clusters.setdefault(cluster, set()).add(name)
        expected = {frozenset(members) for members in clusters.values() if len(members) > 1}
        assert groups(run, threshold, "containment") == expected


def test_questions_that_the_pairs_cannot_answer_are_refused(run: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"0\.4.*from 0\.5 on.*0\.5 to 1"):
        neardup.recluster(run, "0.4", "containment")
    with pytest.raises(UsageError, match=r"1\.1.*between 0 and 1"):
        neardup.recluster(run, "1.1", "containment")
    with pytest.raises(UsageError, match=r"policy is 'by-eye'; allowed are resemblance, containment, contained-by"):
        neardup.recluster(run, "0.6", "by-eye")  # type: ignore[arg-type]
    path = tmp_path / "docs.jsonl"
    neardup.find_pairs(path, scheme=RESEMBLANCE, id_field="id", output=tmp_path / "resemblance")
    with pytest.raises(UsageError, match=r"lists pairs by resemblance>=0\.2"):
        neardup.recluster(tmp_path / "resemblance", "0.9", "containment")
    neardup.dedup(path, id_field="id", output=tmp_path / "decisions", no_kept=True)
    with pytest.raises(UsageError, match="result of neardup dedup, which keeps no pairs; run neardup cluster --forest"):
        neardup.recluster(tmp_path / "decisions", "0.9")
    neardup.recluster(run, "0.9", output=tmp_path / "again")
    with pytest.raises(UsageError, match="not a result that can be clustered again"):
        neardup.recluster(tmp_path / "again", "0.9")
    neardup.find_pairs(path, against=str(path), id_field="id", output=tmp_path / "cross")
    with pytest.raises(UsageError, match="a result with a reference"):
        neardup.recluster(tmp_path / "cross", "0.9")
    with pytest.raises(UsageError, match="not a finished result"):
        neardup.recluster(tmp_path, "0.9")


def test_on_the_command_line(cli: Cli, run: Path, tmp_path: Path) -> None:
    out = tmp_path / "again"
    done = cli("recluster", run, "-o", out, "--threshold", "0.9", "--policy", "contained-by")
    assert "clusters   2 of 4 documents, of 5" in done.stdout
    assert [row["id"] for row in read_rows(out / "clusters.parquet")] == ["near", "other", "part", "whole"]
    assert "is there already" in cli("recluster", run, "-o", out, "--threshold", "0.9", code=2).stderr
    cli("recluster", run, "-o", out, "--threshold", "0.9", "--overwrite", "--quiet")
    assert "0.4" in cli("recluster", run, "-o", tmp_path / "low", "--threshold", "0.4", code=2).stderr
    assert not (tmp_path / "low").exists()


def make_texts(seed: int) -> list[str]:
    """Return shuffled families of edited copies, excerpts and equal texts.

    There are more than nine, so that numbers and strings sort differently.
    """
    random = Random(seed)
    made = []
    for family in range(6):
        words = [f"{family}w{number}" for number in range(40)]
        for _ in range(random.randrange(2, 7)):
            start, end = sorted(random.sample(range(len(words) + 1), 2)) if random.random() < 0.4 else (0, len(words))
            edited = [word if random.random() > 0.03 else f"x{random.randrange(99)}" for word in words[start:end]]
            made += [" ".join(edited)] * random.choice([1, 1, 2, 3])
    random.shuffle(made)
    return made


def shingles(text: str) -> set[tuple[str, ...]]:
    words = text.split()
    return {tuple(words[at : at + 2]) for at in range(max(1, len(words) - 1))} if words else set()


def by_definition(texts: list[str], threshold: Fraction, policy: Policy) -> list[tuple[int, int, int]]:
    """Return number, cluster (its smallest number) and size of every text in a cluster of two or more."""
    sets = [shingles(text) for text in texts]
    edges: list[tuple[int, int]] = []
    best: dict[int, tuple[int, int]] = {}
    for left, right in combinations(range(len(texts)), 2):
        shared, smaller = len(sets[left] & sets[right]), min(len(sets[left]), len(sets[right]))
        whole = len(sets[left] | sets[right]) if policy == "resemblance" else smaller
        if whole and shared >= threshold * whole:
            edges.append((left, right))
            inner, outer = (right, left) if len(sets[left]) >= len(sets[right]) else (left, right)
            best[inner] = max(best.get(inner, (0, 0)), (len(sets[outer]), -outer))
    if policy == "contained-by":
        edges = [(inner, -outer) for inner, (_, outer) in best.items()]
    cluster = list(range(len(texts)))
    for left, right in edges:
        one, other = cluster[left], cluster[right]
        cluster = [min(one, other) if name in (one, other) else name for name in cluster]
    rows = [(number, name, cluster.count(name)) for number, name in enumerate(cluster)]
    return [row for row in rows if row[2] > 1]


def rows_of(clusters: neardup.results.Table) -> list[tuple[Any, ...]]:
    """Return id, cluster and size of every document in a cluster of two or more, in input order."""
    rows = zip(*(clusters.column(name) for name in ("id", "cluster", "size")), strict=True)
    return sorted((row for row in rows if row[2] > 1), key=lambda row: number_of(row[0]))


def number_of(name: str) -> int:
    return int(name.rpartition(":")[2])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("named", [True, False], ids=["ids", "places"])
def test_stored_pairs_of_either_verb_agree_with_fresh_runs(seed: int, named: bool, tmp_path: Path) -> None:
    made = make_texts(seed)
    path = write_jsonl(tmp_path / "docs.jsonl", [Doc(f"{number + 1:03}", text) for number, text in enumerate(made)])
    options: Any = {"id_field": "id"} if named else {}
    for line, thresholds, policies in (
        (RESEMBLANCE, ("0.2", "0.5", "0.8", "1"), ("resemblance",)),
        (CONTAINMENT, ("0.5", "0.7", "0.9", "1"), ("resemblance", "containment", "contained-by")),
    ):
        neardup.find_pairs(path, scheme=line, output=tmp_path / "pairs", overwrite=True, **options)
        run = neardup.cluster(path, scheme=line, pairs=True, output=tmp_path / "run", overwrite=True, **options)
        plain = neardup.cluster(path, scheme=line, **options)
        assert run.digest == plain.digest
        assert read_rows(tmp_path / "run" / "pairs.parquet") == read_rows(tmp_path / "pairs" / "pairs.parquet")
        assert run.summary["counts"]["pairs"] == len(run.pairs)
        assert plain.summary["counts"]["pairs"] is None
        for threshold in thresholds:
            for policy in policies:
                again = neardup.recluster(tmp_path / "run", threshold, policy)  # type: ignore[arg-type]
                other = neardup.recluster(tmp_path / "pairs", threshold, policy)  # type: ignore[arg-type]
                assert (again.digest, again.summary["counts"]) == (other.digest, other.summary["counts"])
                assert again.summary["warnings"] == []
                found = rows_of(again.clusters)
                expected = by_definition(made, Fraction(threshold), policy)  # type: ignore[arg-type]
                assert [tuple(number_of(str(name)) for name in row) for row in found] == [
                    (number + 1, name + 1, size) for number, name, size in expected
                ]
                if f"{policy}>=" in line:
                    least = line.rpartition(">=")[2]
                    fresh = line.replace(f"prefix:{least}", f"prefix:{threshold}").replace(
                        f">={least}", f">={threshold}"
                    )
                    assert found == rows_of(neardup.cluster(path, scheme=fresh, **options).clusters)


def test_there_are_no_pairs_without_the_option() -> None:
    with pytest.raises(UsageError, match='no table "pairs"; there are: clusters'):
        _ = neardup.cluster(["one two three"] * 2).pairs
    assert len(neardup.cluster(["one two three"] * 3, pairs=True).pairs) == 3


def list_pairs(cli: Cli, path: Path, output: Path, scheme: str, *options: object) -> str:
    """Run `cluster --pairs` and return its output."""
    return cli("cluster", path, "-o", output, "--id-field", "id", "--scheme", scheme, "--pairs", *options).stdout


LARGE = [
    # keys of a sample are capped; keys that promise every pair are not, and only their lists of pairs are shortened
    (CONTAINMENT, ["resemblance", "containment", "contained-by"], "of up to 14 documents, capped", []),
    (RESEMBLANCE, ["resemblance"], "1 family of up to 14 documents that share a key", [["n00", 14]]),
]


@pytest.mark.parametrize(("scheme", "policies", "warning", "starred_keys"), LARGE)
def test_large_families_are_reported(
    cli: Cli, tmp_path: Path, scheme: str, policies: list[str], warning: str, starred_keys: list[object]
) -> None:
    equal = [Doc(f"e{number:02}", " ".join(WORDS[:30])) for number in range(12)]
    alike = [Doc(f"n{number:02}", " ".join([*WORDS[30:], f"v{number}"])) for number in range(14)]
    path = write_jsonl(tmp_path / "docs.jsonl", [*equal, *alike, Doc("z", " ".join(WORDS[:31]))])
    options: Any = {"id_field": "id", "scheme": scheme}
    whole = neardup.cluster(path, pairs=True, **options)
    assert (whole.summary["stars"], whole.summary["starred_keys"]) == ([], [])
    list_pairs(cli, path, tmp_path / "whole", scheme)
    printed = list_pairs(cli, path, tmp_path / "run", scheme, "--max-family", 10)
    assert f"large families  {1 + len(starred_keys)} listed as stars" in printed
    assert ("capped keys" in printed) == (not starred_keys)
    run = neardup.cluster(path, pairs=True, max_family=10, **options)
    assert (run.summary["stars"], run.summary["starred_keys"]) == ([["e00", 12]], starred_keys)
    assert {key["size"] for key in run.summary["capped"]} == (set() if starred_keys else {14})
    assert run.digest == whole.digest
    assert run.summary["counts"]["pairs"] == 11 + 13 + 1
    for policy in policies:
        # equal documents stay together, whichever of their pairs are listed; the others are one star here
        arguments = ("--threshold", "0.9", "--policy", policy, "--overwrite")
        done = cli("recluster", tmp_path / "run", "-o", tmp_path / "again", *arguments)
        assert warning in done.stdout
        assert "warning    1 family of up to 12 equal documents" in done.stdout
        cli("recluster", tmp_path / "whole", "-o", tmp_path / "all", *arguments)
        assert read_rows(tmp_path / "again" / "clusters.parquet") == read_rows(tmp_path / "all" / "clusters.parquet")
