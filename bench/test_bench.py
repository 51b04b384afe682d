"""`pytest bench`: figures are compared with counting by hand, the exact join with the golden run of the contract."""

import argparse
import itertools
import json
import random
import subprocess
import sys
from pathlib import Path

import exact
import figures
import measure
import pytest
import recall
import signing
import skew
import stages
from work_folder import work_folder

GOLDEN = Path(__file__).resolve().parent.parent / "tests" / "golden"

Draw = tuple[exact.Truth, list[set[int]]]


def draw(seed: int) -> Draw:
    """Return a truth over small random sets, counted pair by pair at 1/2."""
    chance = random.Random(seed)
    bases = [frozenset(chance.sample(range(60), 12)) for _ in range(5)]
    sets = [set(chance.choice(bases)) ^ set(chance.sample(range(60), chance.randrange(5))) for _ in range(40)]
    group = [sets.index(one) for one in sets]
    members: dict[int, list[int]] = {}
    for document, first in enumerate(group):
        members.setdefault(first, []).append(document)
    links = {
        (one, other): len(sets[one] & sets[other])
        for one, other in itertools.combinations(members, 2)
        if 2 * len(sets[one] & sets[other]) >= len(sets[one] | sets[other])
    }
    names = [f"d{number}" for number in range(len(sets))]
    return exact.Truth(names, group, [len(one) for one in sets], members, links), sets


def near(one: set[int], other: set[int]) -> bool:
    return 2 * len(one & other) >= len(one | other)


@pytest.fixture(params=range(20))
def drawn(request: pytest.FixtureRequest) -> Draw:
    return draw(request.param)


def test_pairs_are_expanded(drawn: Draw) -> None:
    truth, sets = drawn
    every = {
        (left, right, len(sets[left] & sets[right]))
        for left, right in itertools.combinations(range(len(sets)), 2)
        if near(sets[left], sets[right])
    }
    assert set(truth.pairs()) == every
    assert figures.judge_pairs(truth, [(right, left) for left, right, _ in every])["pair_recall"] == 1.0


def test_originals_follow_the_leader_rule(drawn: Draw) -> None:
    truth, sets = drawn
    kept: list[int] = []
    for document, original in enumerate(truth.originals()):
        met = [leader for leader in kept if near(sets[leader], sets[document])]
        assert original == (met[0] if met else document)
        if not met:
            kept.append(document)


def test_removals_are_judged(drawn: Draw) -> None:
    truth, sets = drawn
    wanted = {document for document, original in enumerate(truth.originals()) if original != document}
    removed = set(random.Random(1).sample(range(len(sets)), 15))
    kept = [document for document in range(len(sets)) if document not in removed]
    judged = figures.judge_removals(truth, removed)
    assert judged["removal_recall"] == len(removed & wanted) / len(wanted)
    assert judged["removal_precision"] == len(removed & wanted) / len(removed)
    alone = [document for document in removed if not any(near(sets[document], sets[other]) for other in kept)]
    assert judged["lost"] == len(alone)


def test_clusters_are_judged_as_their_pairs(drawn: Draw) -> None:
    truth, sets = drawn
    labels = [number % 7 for number in range(len(sets))]
    pairs = [pair for pair in itertools.combinations(range(len(sets)), 2) if labels[pair[0]] == labels[pair[1]]]
    assert figures.judge_clusters(truth, labels) == figures.judge_pairs(truth, pairs)


def test_the_truth_of_the_golden_run_is_expected(tmp_path: Path) -> None:
    truth = exact.find(GOLDEN / "docs.jsonl", tmp_path, "contract", "words", 5, "4/5")
    expected = json.loads((GOLDEN / "expected.json").read_text(encoding="utf-8"))
    assert dict(zip(truth.ids, truth.size, strict=True)) == expected["shingles"]
    found = {(*sorted((truth.ids[left], truth.ids[right])), shared) for left, right, shared in truth.pairs()}
    assert found == {(pair["left"], pair["right"], pair["shared"]) for pair in expected["pairs"]}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"id": "b", "text": 3}', "the field `text` must be a string"),
        ('{"text": "x"}', "the field `id` must be a string or a number"),
        ('{"id": "a", "text": "x"}', 'the id "a" occurs twice'),
        ('{"id": ', "EOF while parsing"),
    ],
)
def test_bad_lines_are_named(line: str, reason: str, tmp_path: Path) -> None:
    docs = tmp_path / "docs.jsonl"
    docs.write_text(f'{{"id": "a", "text": "x"}}\n{line}\n')
    done = subprocess.run([exact.program(), docs, tmp_path / "out"], capture_output=True, text=True)
    assert done.returncode == 1
    assert f"{docs}:2: " in done.stderr
    assert reason in done.stderr


def test_a_tree_of_processes_is_measured(tmp_path: Path) -> None:
    """The memory of a grandchild, 64 MB for a while, is measured."""
    inner = "import time; block = bytearray(b'x' * 64_000_000); time.sleep(0.3)"
    outer = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}], check=True); print('done')"
    measured = measure.run([sys.executable, "-c", outer], 1, tmp_path, 60)
    assert (measured.code, measured.output) == (0, "done\n")
    assert 0.3 < measured.wall < 30
    assert 64_000_000 < measured.peak < 200_000_000
    assert measure.run([sys.executable, "-c", "import time; time.sleep(60)"], 1, tmp_path, 0.2).code == -9


def test_rates_of_signing_are_laid_out_beside_the_floors() -> None:
    names = {"banding": "words | a", "simhash": "words | b | c:1", "i-match": "words | d"}
    printed = """MB/s, best/median                                  scheme
a name of spaces          signing         1000/900  words | a
Chinese                   signing          500/400  words | a
a name of spaces          signing          200/150  words | b | c:1
Chinese                   signing          199/199  words | b | c:1
a name of spaces          counting         100/100  words | d
Chinese                   counting          50/50  words | d
"""
    rates = signing.read_rates(printed)
    assert rates[2] == ("a name of spaces", "signing", 200, 150, "words | b | c:1")
    _, *lines = signing.lay_out(names, rates).splitlines()
    assert [line.split() for line in lines] == [
        ["banding", "1000", "(900)", "1.00", "500", "(400)", "1.00"],
        ["simhash", "200", "(150)", "0.20", "199", "(199)", "0.40", "200", "below:", "Chinese"],
        ["i-match,", "counting", "100", "(100)", "0.10", "50", "(50)", "0.10"],
    ]
    assert signing.verdict(199, rates[2:4]) == "ok"


def test_floors_are_those_of_classics() -> None:
    assert {signing.BASE, *signing.FLOORS} <= signing.classics().keys()


def test_stages_of_a_classic(tmp_path: Path) -> None:
    [(name, scheme)] = stages.choose(signing.classics(), "i-match").items()
    answers = {verb: stages.run(GOLDEN / "docs.jsonl", scheme, verb, 1, tmp_path) for verb in ("cluster", "pairs")}
    rounds = [stages.seconds(answers["cluster"], answers["pairs"])]
    assert {"count", "sign", "arrange", "lead", "connect", "write", "score"} <= rounds[0].keys()
    row = stages.row(name, rounds, answers["cluster"])
    assert row[0] == "i-match"
    assert all(row)
    assert len(row) == 1 + len(stages.PHASES) + 3
    # a phase that did not run leaves its cell empty
    assert stages.row(name, [{"sign": 1.0, "score": 5.0}, {"sign": 3.0, "score": 7.0}], answers["cluster"])[1:10] == [
        *("", "1.000", "", "", "", "", "5.000", "1.000", str(answers["cluster"]["counts"]["documents"])),
    ]


def test_unknown_classics_are_refused() -> None:
    with pytest.raises(SystemExit, match="unknown simhsh; there are identical, "):
        stages.choose(signing.classics(), "simhsh")


def test_skew_is_measured(tmp_path: Path) -> None:
    command = [sys.executable, skew.__file__, "--documents", "400", "--only", "default,given-fingerprints"]
    done = subprocess.run(
        [*command, "--corpora", "spam", "--work", tmp_path, "--json", tmp_path / "all.json"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    results = json.loads((tmp_path / "all.json").read_text())
    assert [(one["scheme"], one["verb"]) for one in results] == list(
        itertools.product(["default", "given-fingerprints"], skew.VERBS)
    )
    for one in results:
        assert [run["counts"]["documents"] for run in one["runs"]] == [100, 400]
        assert all(run["effort"]["proposed"] > 0 for run in one["runs"])
    rows = [skew.describe(one["scheme"], one["verb"], one["corpus"], one["runs"]) for one in results]
    assert all("  ".join(row) in done.stderr for row in rows)
    assert len(done.stdout.splitlines()) == 1 + len(rows)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(SystemExit, match="--verbs: unknown list; there are dedup, cluster, pairs"):
        skew.choose("--verbs", "list", skew.VERBS)


def test_the_exact_join_is_compared_with_the_truth(tmp_path: Path) -> None:
    docs = GOLDEN / "docs.jsonl"
    options: list[str | Path] = ["--rounds", "1", "--threads", "1", "--judge", "--work", tmp_path]
    command = [sys.executable, recall.__file__, docs, *options]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[:3] for line in lines[1:4]] == [["docs", "26", verb] for verb in recall.VERBS]
    assert all(len(line.split()) == len(lines[1].split()) for line in lines[1:4])
    assert lines[4].endswith("true pairs; the exact join has them")


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    assert work_folder(str(tmp_path / "new")) == tmp_path / "new"
    (tmp_path / "new" / "made").touch()
    assert work_folder(str(tmp_path / "new")).is_dir()
    (tmp_path / "index").mkdir()
    with pytest.raises(argparse.ArgumentTypeError, match="files that no benchmark wrote"):
        work_folder(str(tmp_path))
