"""Progress for programs, as lines of JSON, and messages to Python's `logging`."""

import json
import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import neardup
from command import Cli
from neardup.cli.shown.progress import ProgressLines, show_progress

KEYS = ["event", "stage", "done", "total", "documents", "rate", "seconds_left"]


def write(path: Path, count: int = 2000) -> Path:
    path.write_text("".join(f'{{"text": "lamp {n % 900} by the quay"}}\n' for n in range(count)), encoding="utf-8")
    return path


def test_lines_of_a_run(cli: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl")
    for options in ([], ["--quiet"]):
        done = cli("dedup", path, "-o", tmp_path / "out", "--overwrite", "--progress", "json", *options)
        *lines, end = [json.loads(line) for line in done.stderr.splitlines()]
        assert end == {"event": "end", "exit_code": 0}
        assert lines
        for line in lines:
            assert list(line) == KEYS
            assert line["event"] == "progress"
            assert isinstance(line["stage"], str)
            assert 0 <= line["done"] <= (line["total"] or line["done"])
        assert {line["stage"] for line in lines} <= {"sign", "arrange", "lead", "certify", "write", "report"}
        assert lines[-1]["documents"] == 2000


def events_of(done: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stderr.splitlines()]


@pytest.mark.parametrize("asked", [("--progress", "json"), ("--progress=json",)])
def test_errors_are_events(cli: Cli, tmp_path: Path, asked: tuple[str, ...]) -> None:
    path = write(tmp_path / "a.jsonl", 20)
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"text": "a"}\n{"nothing": 1}\n', encoding="utf-8")
    for code, message, words in (
        (2, "No such option", ["dedup", path, "--no-such"]),
        (2, "not a number between", ["dedup", path, "-o", tmp_path / "o", "--threshold", "7"]),
        (1, "line 2", ["dedup", bad, "-o", tmp_path / "o"]),
        (1, "no such file", ["urls", tmp_path / "none.txt"]),
    ):
        *before, error, end = events_of(cli(*words, *asked, code=code))
        assert {event["event"] for event in before} <= {"progress"}
        assert (error["event"], message in error["message"]) == ("error", True), error
        assert end == {"event": "end", "exit_code": code}
    skipped = cli("dedup", bad, "-o", tmp_path / "o", "--on-error", "skip", *asked, code=3)
    assert events_of(skipped)[-1] == {"event": "end", "exit_code": 3}


def test_notices_are_events(cli: Cli, tmp_path: Path) -> None:
    large = tmp_path / "large.jsonl"
    large.write_text("".join(f'{{"text": "{"lamp " * 5000}{n}"}}\n' for n in range(1400)), encoding="utf-8")
    done = cli("dedup", large, "--no-kept", "-o", tmp_path / "o", "--progress", "json")
    notices = [event["message"] for event in events_of(done) if event["event"] == "notice"]
    assert any("documents" in notice for notice in notices)
    (tmp_path / "urls.txt").write_text("http://a.example/x\n", encoding="utf-8")
    done = cli("urls", tmp_path / "urls.txt", "--prefer", "url^=ftp://", "--progress", "json")
    assert [event["event"] for event in events_of(done)] == ["notice", "end"]


def test_a_summary_beside_records_is_an_event(cli: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", 20)
    for options, has_summary in (((), True), (("--json",), True), (("--quiet", "--json"), True), (("--quiet",), False)):
        events = events_of(cli("dedup", path, "-o", "-", "--progress", "json", *options))
        found = [event["summary"]["counts"]["documents"] for event in events if event["event"] == "summary"]
        assert found == [20] * has_summary
        assert events[-1] == {"event": "end", "exit_code": 0}


def test_an_interrupted_command_ends_with_its_code(tmp_path: Path) -> None:
    code = "from unittest.mock import patch; import sys, neardup.cli as cli; from neardup.errors import Interrupted\n"
    code += "sys.argv = ['neardup', 'dedup', '--progress', 'json']\n"
    for raised, exit_code, message in (
        ("Interrupted('resume')", 130, "interrupted: resume"),
        ("KeyboardInterrupt", 130, "interrupted: the same command starts anew"),
        ("ZeroDivisionError('odd')", 1, "ZeroDivisionError: odd"),
    ):
        run = f"{code}with patch.object(cli.program, 'main', side_effect={raised}): cli.main()"
        done = subprocess.run([sys.executable, "-c", run], capture_output=True, encoding="utf-8", check=False)
        error, end = events_of(done)
        assert (done.returncode, end) == (exit_code, {"event": "end", "exit_code": exit_code})
        assert message in error["message"]


@pytest.mark.parametrize("style", ["none", "auto"])
def test_no_lines_without_a_terminal(cli: Cli, tmp_path: Path, style: str) -> None:
    done = cli("dedup", write(tmp_path / "a.jsonl"), "-o", tmp_path / "out", "--progress", style)
    assert done.stderr == ""
    assert "auto" in cli("dedup", tmp_path / "a.jsonl", "-o", tmp_path / "out", "--progress", "xml", code=2).stderr


def test_all_commands_with_progress_have_lines(cli: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", 20)
    (tmp_path / "urls.txt").write_text("http://a.example/x\n" * 10_001, encoding="utf-8")
    asked = ("--progress", "json", "--quiet")
    for words in (
        ["lexicon", path, "-o", tmp_path / "lexicon.parquet"],
        ["index", "create", tmp_path / "index", path],
        ["urls", tmp_path / "urls.txt"],
        ["pairs", path, "-o", tmp_path / "pairs"],
        ["evidence", tmp_path / "pairs", "-o", tmp_path / "evidence"],
    ):
        done = cli(*words, *asked)
        *lines, end = [json.loads(line) for line in done.stderr.splitlines()]
        assert all(line["stage"] for line in lines if line["event"] == "progress"), words
        assert lines, words
        assert end == {"event": "end", "exit_code": 0}


def test_first_last_and_one_a_second(capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    lines = ProgressLines(clock=lambda: now[0])
    for step in range(31):
        now[0] = step / 10
        lines.move("sign", step * 10, 400, step)
    lines.move("lead", 0, 0, 30)
    now[0] = 3.5
    lines.end()
    lines.end()
    found = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(line["stage"], line["done"]) for line in found] == [
        ("sign", 0), ("sign", 100), ("sign", 200), ("sign", 300), ("lead", 0)
    ]  # fmt: skip
    assert found[1] == dict(zip(KEYS, ["progress", "sign", 100, 400, 10, 100.0, 3.0], strict=True))
    assert (found[0]["rate"], found[0]["seconds_left"]) == (None, None)
    assert (found[-1]["total"], found[-1]["seconds_left"]) == (None, None)


def test_the_last_state_of_a_stage_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    lines = ProgressLines(clock=lambda: now[0])
    lines.move("sign", 1, 8, 1)
    now[0] = 0.5
    lines.move("sign", 8, 8, 4)
    lines.move("lead", 0, 4, 4)
    found = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(line["stage"], line["done"]) for line in found] == [("sign", 1), ("sign", 8), ("lead", 0)]
    assert found[1]["seconds_left"] == 0


def test_quiet_hides_bars_only() -> None:
    with show_progress(quiet=True, progress="auto") as move:
        assert move is None
    with show_progress(quiet=True, progress="json") as move:
        assert move is not None


def test_stages_and_notes_are_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = write(tmp_path / "a.jsonl")
    path.write_text(path.read_text(encoding="utf-8").removesuffix("\n"), encoding="utf-8")
    calls: list[Any] = []
    with caplog.at_level(logging.INFO, logger="neardup"):
        neardup.dedup(path, progress=lambda *state: calls.append(state))
    assert calls
    records = [(record.name, record.levelname, record.getMessage()) for record in caplog.records]
    assert {name for name, _, _ in records} == {"neardup"}
    stages = [message for _, level, message in records if level == "INFO" and "stage" in message]
    assert stages == [f"dedup: stage {stage}" for stage in dict.fromkeys(state[0] for state in calls)]
    warnings = [message for _, level, message in records if level == "WARNING"]
    assert len(warnings) == 1
    assert "the last line has no line end" in warnings[0]
    assert "kept 900" in records[-1][2]


def test_only_what_is_asked_for_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="neardup"):
        neardup.dedup(write(tmp_path / "a.jsonl"))
    assert not caplog.records


@pytest.mark.parametrize("order", ["import logging, neardup", "import neardup, logging"])
def test_nothing_is_shown_by_default(order: str) -> None:
    code = f"""if True:
        {order}
        neardup.dedup(["a lamp"])
        print([type(handler).__name__ for handler in logging.getLogger("neardup").handlers])
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == "['NullHandler']\n"
    assert done.stderr == ""


def test_a_program_without_logging_does_not_import_it() -> None:
    code = "import sys, neardup; neardup.dedup(['a lamp']); print('logging' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == "False\n"
