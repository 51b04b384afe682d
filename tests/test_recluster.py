"""Clusters made again from stored pairs, against components and containers by definition."""

from pathlib import Path

import pytest

import neardup
from conftest import Cli, read_rows, write_jsonl
from neardup import UsageError
from oracle import Doc

WORDS = [f"w{number}" for number in range(60)]
DOCS = [
    Doc("whole", " ".join(WORDS), None),
    Doc("part", " ".join(WORDS[10:22]), None),
    Doc("other", " ".join([*WORDS[:24], *(f"v{number}" for number in range(60))]), None),
    Doc("near", " ".join([*WORDS[:59], "changed"]), None),
    Doc("far", "nothing of all that stands here at any place", None),
]
CONTAINMENT = "words | shingles:2 | whole | each | containment>=0.5"
RESEMBLANCE = "words | shingles:2 | whole | prefix:0.2 | resemblance>=0.2"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = write_jsonl(tmp_path / "docs.jsonl", DOCS)
    neardup.find_pairs(path, scheme=CONTAINMENT, id_field="id", output=tmp_path / "run")
    return tmp_path / "run"


def groups(run: Path, threshold: str, policy: str) -> set[frozenset[str]]:
    clusters = neardup.recluster(run, threshold, policy).clusters  # type: ignore[arg-type]
    found: dict[str, set[str]] = {}
    for name, cluster, size in zip(*(clusters.column(column) for column in ("id", "cluster", "size")), strict=True):
        found.setdefault(cluster, set()).add(name)
        assert clusters.column("cluster").count(cluster) == size
    assert all(name == min(members) for name, members in found.items())
    return {frozenset(members) for members in found.values()}


def test_the_three_policies(run: Path) -> None:
    assert groups(run, "0.9", "resemblance") == {frozenset({"whole", "near"})}
    assert groups(run, "0.9", "containment") == {frozenset({"whole", "near", "part", "other"})}
    # of two that contain the part, the larger takes it; whole and near contain each other
    assert groups(run, "0.9", "contained-by") == {frozenset({"whole", "near"}), frozenset({"part", "other"})}


def test_a_higher_threshold_equals_a_fresh_run(run: Path, tmp_path: Path) -> None:
    for threshold in ("0.5", "0.7", "0.98", "1"):
        line = f"words | shingles:2 | whole | each | containment>={threshold}"
        fresh = neardup.cluster(tmp_path / "docs.jsonl", scheme=line, id_field="id").clusters
        clusters: dict[str, set[str]] = {}
        for name, cluster in zip(fresh.column("id"), fresh.column("cluster"), strict=True):
            clusters.setdefault(cluster, set()).add(name)
        expected = {frozenset(members) for members in clusters.values() if len(members) > 1}
        assert groups(run, threshold, "containment") == expected


def test_what_the_pairs_cannot_answer(run: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"0\.4.*from 0\.5 on.*0\.5 to 1"):
        neardup.recluster(run, "0.4", "containment")
    with pytest.raises(UsageError, match=r"policy is by-eye; allowed are resemblance, containment, contained-by"):
        neardup.recluster(run, "0.6", "by-eye")  # type: ignore[arg-type]
    path = tmp_path / "docs.jsonl"
    neardup.find_pairs(path, scheme=RESEMBLANCE, id_field="id", output=tmp_path / "resemblance")
    with pytest.raises(UsageError, match=r"lists pairs by resemblance>=0\.2"):
        neardup.recluster(tmp_path / "resemblance", "0.9", "containment")
    neardup.cluster(path, id_field="id", output=tmp_path / "clusters")
    with pytest.raises(UsageError, match="run neardup pairs"):
        neardup.recluster(tmp_path / "clusters", "0.9")
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
