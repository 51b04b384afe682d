"""The table of the tests that passed many times in a row: what is counted, what starts again, and what is chosen."""

from pathlib import Path

import pytest

import steady
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


def test_what_a_change_can_affect_starts_again() -> None:
    rows = {"same": Row("old", 20), "changed": Row("old", 20, 2), "begun": Row("old", 7)}
    carried = carry(rows, ["same", "changed", "begun", "new"], "now", lambda _, name: name == "changed")
    assert carried == {"same": rows["same"], "changed": Row("now", 0, 2), "begun": Row("old", 7), "new": Row("now")}


def test_what_ever_failed_is_chosen_and_what_is_no_longer_is_not() -> None:
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


def test_runs_go_on_until_each_passed_so_often_or_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def run(*tests: str) -> tuple[dict[str, bool], str]:
        asked.append(list(tests))
        return {test: test != "a::bad" or len(asked) < 2 for test in tests if test != "a::deep"}, "what it wrote"

    monkeypatch.setattr(steady, "run", run)
    monkeypatch.setattr(steady, "TABLE", tmp_path / "steady.tsv")
    rows = {"a::bad": Row("now"), "a::deep": Row("now"), "a::good": Row("now", 1), "a::done": Row("old", 3)}
    runs = steady.Steady(rows, "now", float("inf"))
    runs.repeat(list(rows), 3)
    assert asked == [["a::bad", "a::deep", "a::good"], ["a::bad", "a::good"]]
    assert runs.failed == {"a::bad"}
    table = read(tmp_path / "steady.tsv")
    assert (table["a::bad"], table["a::good"], table["a::done"]) == (Row("now", 0, 1), Row("now", 3), Row("old", 3))


def test_no_run_begins_when_the_time_is_over() -> None:
    runs = steady.Steady({"a::x": Row("now"), "*": Row("now")}, "now", 0)
    runs.repeat(["a::x"], 20)
    runs.whole()
    assert runs.failed == set()
