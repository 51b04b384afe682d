"""The labels of a review: a log that loses nothing, labels that are undone, and the verdict of several reviewers."""

import errno
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command import PATIENCE
from neardup import DataError, EnvironmentFault
from neardup.evaluation.intervals import Estimate
from neardup.review.agreement import NO_COMMON, ONE_LABEL, Agreement, compare_reviewers, estimate_kappa, judge
from neardup.review.label_log import LABELS, UNDO, Entry, LabelLog, ValidLabels
from records import read_jsonl

ONE, TWO = ("a", "b"), ("a", "c\u2028\n")
ADD_MANY = """
import sys
from pathlib import Path
from neardup.review.label_log import LabelLog
log = LabelLog(Path(sys.argv[1]))
for number in range(40):
    log.add(sys.argv[2], (str(number), "é" * number), "duplicate")
"""


@pytest.fixture
def log(tmp_path: Path) -> LabelLog:
    path = tmp_path / "labels.jsonl"
    path.touch()
    return LabelLog(path)


def test_labels_are_added_and_undone(log: LabelLog) -> None:
    log.add("kim", ONE, "duplicate")
    log.add("kim", TWO, "unsure")
    log.add("kim", ONE, "not")
    log.add("lee", ONE, "unsure")
    assert log.labels() == {ONE: {"kim": "not", "lee": "unsure"}, TWO: {"kim": "unsure"}}
    assert log.undo("kim") == ONE
    assert log.labels()[ONE] == {"kim": "duplicate", "lee": "unsure"}
    assert log.undo("kim", ONE) == ONE
    assert log.undo("kim", ONE) is None
    assert log.labels() == LabelLog(log.path).labels() == {ONE: {"lee": "unsure"}, TWO: {"kim": "unsure"}}
    assert (log.undo("kim"), log.undo("kim"), log.undo("nobody")) == (TWO, None, None)
    rows = read_jsonl(log.path)
    assert [row["label"] for row in rows] == ["duplicate", "unsure", "not", "unsure", UNDO, UNDO, UNDO]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", row["when"]) for row in rows)


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.sampled_from([*LABELS, UNDO]))))
def test_valid_labels_are_those_of_a_stack_for_each_pair(entries: list[tuple[str, str, Any]]) -> None:
    valid, stacks = ValidLabels(), dict[tuple[str, str], list[str]]()
    for reviewer, right, label in entries:
        valid.take(Entry("", right, label, reviewer, ""))
        stack = stacks.setdefault((reviewer, right), [])
        if label != UNDO:
            stack.append(label)
        elif stack:
            stack.pop()
    found = {(reviewer, key[1]): label for key, one in valid.labels().items() for reviewer, label in one.items()}
    assert found == {place: stack[-1] for place, stack in stacks.items() if stack}


@pytest.mark.parametrize(
    "torn", [b'{"left": "a", "ri', b'{"left": "a", "right": "b", "label": "not", "who": "x", "when": ""}']
)
def test_a_line_without_an_end_never_counts(log: LabelLog, torn: bytes) -> None:
    log.add("kim", ONE, "not")
    with open(log.path, "ab") as file:
        file.write(torn)
    other = LabelLog(log.path)
    assert log.labels() == other.labels() == {ONE: {"kim": "not"}}
    other.add("lee", ONE, "unsure")
    assert log.labels() == {ONE: {"kim": "not", "lee": "unsure"}}
    assert len(read_jsonl(log.path)) == 2


@pytest.mark.parametrize(
    "line",
    ["[]", "", "nonsense", '{"left": "a"}', '{"left": "a", "right": "b", "label": "yes", "who": "x", "when": ""}'],
)
def test_an_invalid_line_is_named(log: LabelLog, line: str) -> None:
    log.add("kim", ONE, "not")
    with open(log.path, "a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    for _ in range(2):
        with pytest.raises(DataError, match=r"labels\.jsonl, line 2: not a label with left, right, label, who, when"):
            log.add("kim", TWO, "not")


def test_a_replaced_file_is_read_again(log: LabelLog, tmp_path: Path) -> None:
    log.add("kim", ONE, "not")
    log.add("kim", TWO, "not")
    lines = log.path.read_bytes().splitlines(keepends=True)
    (tmp_path / "edited").write_bytes(lines[1] * 3)
    (tmp_path / "edited").replace(log.path)
    assert log.labels() == {TWO: {"kim": "not"}}
    log.path.unlink()
    with pytest.raises(EnvironmentFault, match=r"labels\.jsonl cannot be read"):
        log.labels()


def test_a_write_cut_off_by_a_full_disk_leaves_nothing(log: LabelLog, monkeypatch: pytest.MonkeyPatch) -> None:
    log.add("kim", ONE, "not")
    write = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda file, line: write(file, line[:9]))
        with pytest.raises(EnvironmentFault, match=os.strerror(errno.ENOSPC)):
            log.add("kim", TWO, "not")
    assert log.labels() == LabelLog(log.path).labels() == {ONE: {"kim": "not"}}
    assert log.path.read_bytes().endswith(b"\n")


def add_many(log: LabelLog, reviewer: str) -> None:
    for number in range(40):
        log.add(reviewer, (str(number), ""), "not")


def test_threads_and_processes_lose_nothing(log: LabelLog) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", ADD_MANY, log.path, f"p{number}"]) for number in range(3)]
    threads = [Thread(target=add_many, args=[log, f"t{number}"]) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [writer.wait(PATIENCE) for writer in writers] == [0, 0, 0]
    assert sum(len(labels) for labels in log.labels().values()) == 5 * 40
    assert len([json.loads(line) for line in log.path.read_bytes().splitlines()]) == 5 * 40


def test_the_majority_of_the_sure_labels_decides() -> None:
    expected = {"": None, "d": True, "n": False, "dn": None, "u": None, "uud": True, "dnn": False, "ddnnu": None}
    names = {"d": "duplicate", "n": "not", "u": "unsure"}
    assert {word: judge(names[letter] for letter in word) for word in expected} == expected


def test_agreement_beyond_chance() -> None:
    # Cohen 1960 by hand: 20 both yes, 15 both no, 5 and 10 different; 0.7 observed, 0.5 * 0.6 + 0.5 * 0.4 by chance
    counts = {("duplicate", "duplicate"): 20, ("duplicate", "not"): 5, ("not", "duplicate"): 10, ("not", "not"): 15}
    labels = [{"b": one, "a": two} for (one, two), pairs in counts.items() for _ in range(pairs)]
    [found] = compare_reviewers([*labels, {"a": "unsure", "b": "not"}])
    assert found[:5] == ("a", "b", 50, 35, 0.7)
    assert found.kappa.value == 0.4
    assert compare_reviewers([{"a": "not", "b": "not"}] * 3) == [
        Agreement("a", "b", 3, 3, 1.0, Estimate(None, None, None, ONE_LABEL))
    ]
    [found] = compare_reviewers([{"a": "not", "b": "duplicate"}] * 3)
    assert found[:5] == ("a", "b", 3, 0, 0.0)
    assert found.kappa.value == 0
    assert compare_reviewers([{"a": "not"}, {"b": "not"}]) == [
        Agreement("a", "b", 0, 0, None, Estimate(None, None, None, NO_COMMON))
    ]
    assert compare_reviewers([{"a": "not"}, {"b": "unsure"}]) == []


def kappa_of(table: list[float]) -> float:
    both, first, second, neither = (count / sum(table) for count in table)
    chance = (both + first) * (both + second) + (neither + first) * (neither + second)
    return (both + neither - chance) / (1 - chance)


@given(st.lists(st.integers(0, 40), min_size=4, max_size=4).filter(any))
def test_the_interval_of_kappa_is_that_of_the_delta_method(counts: list[int]) -> None:
    found = estimate_kappa([counts[:2], counts[2:]])
    if found.low is None or found.high is None:
        assert sum(counts) in (counts[0], counts[3])
        return
    table = [count + 0.5 for count in counts]
    total, step = sum(table), 1e-5
    # the variance of a function of the shares p of a multinomial: (sum p g^2 - (sum p g)^2) / n, with its gradient g
    shares = [count / total for count in table]
    slopes = [
        (kappa_of([one + step * (at == by) for by, one in enumerate(shares)]) - kappa_of(shares)) / step
        for at in range(4)
    ]
    mean = sum(share * slope for share, slope in zip(shares, slopes, strict=True))
    variance = (sum(share * slope**2 for share, slope in zip(shares, slopes, strict=True)) - mean**2) / total
    middle, value = kappa_of(shares), kappa_of([float(count) for count in counts])
    for end, sign in ((found.low, -1), (found.high, 1)):
        expected = middle + sign * 1.96 * variance**0.5
        assert end == pytest.approx(sign * min(max(sign * expected, sign * value), 1), abs=1e-3)
