"""`pytest bench`: the load client on a small index, and that it detects wrong answers."""

import json
import subprocess
import sys
from pathlib import Path

import serve_load
import uvloop
from index_texts import Texts


def test_a_service_is_measured(tmp_path: Path) -> None:
    command = [sys.executable, serve_load.__file__, "--documents", "200", "--clients", "1,4", "--seconds", "0.5"]
    command += ["--work", str(tmp_path), "--json", str(tmp_path / "all.json")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    rows = json.loads((tmp_path / "all.json").read_text())
    assert [row["clients"] for row in rows] == [1, 4]
    for row, line in zip(rows, done.stdout.splitlines(), strict=True):
        assert line == serve_load.describe(row)
        assert row["errors"] == 0
        assert row["checks"] > 0
        assert 0 < row["p50_ms"] <= row["p99_ms"]
    # Written files are removed.
    assert [path.name for path in tmp_path.iterdir()] == ["all.json"]


def test_wrong_answers_are_errors(tmp_path: Path) -> None:
    texts = Texts(40)
    serve_load.make(tmp_path / "index", texts, 80)
    questions = serve_load.draw(texts, 80, 40)
    wrong = [(request, b'"verdict": "none"') for request, _ in questions]
    with serve_load.serve(tmp_path / "index") as place:
        right = uvloop.run(serve_load.ask_all(place, questions, 2, 0.3))
        row = uvloop.run(serve_load.ask_all(place, wrong, 2, 0.3))
    assert (right["errors"], row["errors"] >= row["checks"] > 0) == (0, True)


def test_texts_are_of_two_kilobytes() -> None:
    texts = Texts(serve_load.WORDS)
    sizes = [len(texts.text(number).encode()) for number in range(1_000)]
    assert 1_900 < sum(sizes) / len(sizes) < 2_100
