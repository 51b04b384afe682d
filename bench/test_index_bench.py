"""`pytest bench`: the texts of the index benchmark, and the benchmark itself on small indexes."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import index
import index_plot
import index_texts
import pytest
from index_texts import Texts
from work_folder import MARK

from neardup import explain


@pytest.mark.parametrize("words", [40, 500])
def test_shingles_are_those_of_neardup(words: int) -> None:
    texts = Texts(words)
    pairs = list(texts.questions(200, 200, seed=3))[::2]
    near = 0
    for text, source in pairs:
        assert source is not None
        document = texts.text(source)
        shown = explain(text, document)
        left, right = index_texts.shingles(text), index_texts.shingles(document)
        assert (shown.shared, shown.left_size, shown.right_size) == (len(left & right), len(left), len(right))
        assert index_texts.alike(text, document) == (shown.rule is not None)
        near += shown.rule is not None
    # Some pairs are near, but not all.
    assert 0 < near < len(pairs)


def test_texts_depend_on_number_and_seed_alone() -> None:
    texts = Texts(40)
    assert [texts.text(number) for number in range(20)] == [Texts(40).text(number) for number in range(20)]
    assert texts.text(1) != Texts(40, seed=2).text(1)
    assert b"".join(texts.lines(990, 1010)) == b"".join(index_texts._lines((texts, n, n + 1)) for n in range(990, 1010))
    copies = [texts.text(number) for number in range(7, 8_000, 8)]
    originals = {texts.text(number) for number in range(0, 8_000, 8)}
    assert 0 < sum(copy in originals for copy in copies) < len(copies)


def test_small_indexes_are_measured(tmp_path: Path) -> None:
    command = [sys.executable, index.__file__, "queries", "admits", "--sizes", "300,600", "--words", "40"]
    command += ["--rounds", "1", "--admitted", "300", "--work", str(tmp_path), "--plot", str(tmp_path / "plot.svg")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    asked = [row for row in rows if row[:1] in (["Rust"], ["Python"]) and "of" in row]
    assert [row[:2] for row in asked] == [["Rust", "300"], ["Python", "300"], ["Rust", "600"], ["Python", "600"]]
    # Both drivers find the same, which is nearly everything there is.
    for rust, python in zip(asked[::2], asked[1::2], strict=True):
        assert rust[7:11] == python[7:11]
        found, near = (int(rust[place].replace(",", "")) for place in (8, 10))
        assert 0.95 * near <= found <= near
        assert near > 0
    assert len([row for row in rows if len(row) == 5 and row[1].isdecimal()]) == 2 * len(index.WAYS)
    assert ElementTree.parse(tmp_path / "plot.svg").getroot().get("role") == "img"
    # Written files are removed.
    assert {path.name for path in tmp_path.iterdir()} <= {MARK, "questions.jsonl", "plot.svg", "stdout", "stderr"}


def test_points_of_the_figure_follow_its_axes() -> None:
    """Ten times as many documents is one step to the right; ten times as many microseconds is one step up."""
    left, right = index_plot.place(1e4, 10.0), index_plot.place(1e5, 100.0)
    assert index_plot.place(1e3, 1.0) == (index_plot.LEFT, index_plot.HEIGHT - index_plot.BOTTOM)
    assert right[0] - left[0] == pytest.approx((index_plot.WIDTH - index_plot.LEFT - index_plot.RIGHT) / 3)
    assert left[1] - right[1] == pytest.approx((index_plot.HEIGHT - index_plot.TOP - index_plot.BOTTOM) / 7)
    drawn = index_plot.draw([("Rust", 1_000, {"p50": 5.0, "p99": 40.0}), ("Rust", 10_000, {"p50": 6.0, "p99": 50.0})])
    assert len(ElementTree.fromstring(drawn).findall("{*}polyline")) == 3


def test_unknown_parts_are_refused() -> None:
    done = subprocess.run([sys.executable, index.__file__, "answers"], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == "unknown answers; there are queries, admits, gaoya\n"
