"""The table of the tests that passed many times in a row: what it counts, what starts again, and what is chosen."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import steady
from affected import ROOT
from steady import Row, carry, outcomes, read, write


def test_the_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    rows = {"tests/test_b.py::test_y": Row("abc", 3, 1), "tests/test_a.py::test_x": Row("def", 20), "*": Row("abc", 2)}
    path = tmp_path / "steady.tsv"
    assert read(path) == {}
    write(path, rows)
    assert read(path) == rows
    assert [line.split("\t")[0] for line in path.read_text().splitlines()] == ["test", *sorted(rows)]
    assert list(tmp_path.iterdir()) == [path]


def test_passes_are_counted_in_a_row() -> None:
    row = Row("old", 6).after(True, "new")
    assert row == Row("new", 7, 0)
    assert row.after(False, "new") == Row("new", 0, 1)
    assert row.after(False, "new").after(True, "new") == Row("new", 1, 1)


def test_several_passes_are_counted() -> None:
    assert Row("old", 6).after(True, "new", 5) == Row("new", 11, 0)
    assert Row("old", 6).after(False, "new", 5) == Row("new", 0, 1)


def test_tests_that_a_change_can_affect_start_again() -> None:
    rows = {"same": Row("old", 20), "changed": Row("old", 20, 2), "begun": Row("old", 7)}
    carried = carry(rows, ["same", "changed", "begun", "new"], "now", lambda _, name: name == "changed")
    assert carried == {"same": rows["same"], "changed": Row("now", 0, 2), "begun": Row("old", 7), "new": Row("now")}


def test_tests_that_once_failed_are_chosen_and_removed_tests_are_not() -> None:
    rows = {"failed": Row("old", 20, 1), "steady": Row("old", 20), "*": Row("old", 3)}
    assert carry(rows, [], "now", lambda *_: False).keys() == {"failed", "*"}


def test_a_test_passes_with_all_its_parameters() -> None:
    report = """<testsuites><testsuite>
        <testcase file="tests/test_a.py" name="test_x[1]"/>
        <testcase file="tests/test_a.py" name="test_x[2]"><failure/></testcase>
        <testcase file="tests/test_a.py" name="test_y[1]"/>
        <testcase file="tests/test_a.py" name="test_y[2]"><skipped/></testcase>
        <testcase file="tests/test_a.py" name="test_z"><skipped/></testcase>
        <testcase file="tests/test_b.py" name="test_x"><error/></testcase>
    </testsuite></testsuites>"""
    assert outcomes(report) == {
        "tests/test_a.py::test_x": False,
        "tests/test_a.py::test_y": True,
        "tests/test_b.py::test_x": False,
    }


def test_each_part_runs_until_its_tests_passed_often_enough_or_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, list[str]]] = []

    def run(*words: str) -> tuple[dict[str, bool], str]:
        tests = [word for word in words if "::" in word]
        asked.append((words[words.index("--times") + 1], tests))
        return {test: test != "a::bad" for test in tests if test != "a::deep"}, "what it wrote"

    monkeypatch.setattr(steady, "run", run)
    monkeypatch.setattr(steady, "TABLE", tmp_path / "steady.tsv")
    monkeypatch.setattr(steady, "PART", 2)
    rows = {"a::bad": Row("now"), "a::deep": Row("now"), "a::good": Row("now", 1), "a::done": Row("old", 20)}
    rows |= {"b::good": Row("now", 15), "c::good": Row("old", 17)}
    runs = steady.Steady(rows, "now", float("inf"))
    runs.repeat(list(rows), 20)
    assert asked == [("20", ["a::bad", "a::deep"]), ("19", ["a::good", "b::good"]), ("3", ["c::good"])]
    assert runs.failed == {"a::bad"}
    assert read(tmp_path / "steady.tsv") == {
        "a::bad": Row("now", 0, 1),
        "a::deep": Row("now"),
        "a::good": Row("now", 20),
        "a::done": Row("old", 20),
        "b::good": Row("now", 34),
        "c::good": Row("now", 20),
    }


def test_no_run_starts_after_the_time_is_over() -> None:
    runs = steady.Steady({"a::x": Row("now"), "*": Row("now")}, "now", 0)
    runs.repeat(["a::x"], 20)
    runs.whole()
    assert runs.failed == set()


TESTS = """
import pytest

def note(word):
    with open("noted", "a") as file:
        print(word, file=file)

@pytest.fixture(scope="session")
def session():
    note("session")

@pytest.fixture(scope="module")
def module(session):
    note("module")

def test_x(module):
    note("x")

def test_y(module):
    note("y")
    assert open("noted").read().count("y") != 2
"""


def test_each_repetition_has_its_own_module(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-p", "repeated", "--times", "3", "-c", os.devnull, "test_it.py"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "tools"), "PYTEST_ADDOPTS": ""}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert "1 failed, 5 passed" in done.stdout
    again = ["module", "y"]
    assert (tmp_path / "noted").read_text().split() == ["session", *["module", "x"] * 3, "y", *again * 2]
