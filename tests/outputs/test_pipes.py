"""A named pipe without a writer in place of a file: no command waits for it, and those that need the file fail."""

import json
import os
import shutil
import stat
import subprocess
import sys
import time
from itertools import count
from pathlib import Path

import click
import pytest

import command_runner
from command import Cli
from lines import COMMANDS, FOLDERS, LINES, NO_FILES, make, put_in_place
from neardup.review.digests import FILE as DIGESTS
from systems import need_posix

WAIT = 120.0
"""Seconds after which a process counts as hanging."""


def run_commands(pipes: list[Path], scratch: Path, lines: list[list[str]]) -> list[tuple[int, str]]:
    """Run commands in a process, and return the exit code and the message of each; no command may open a pipe.

    A process that waits for a pipe can be stopped by SIGKILL only.
    """
    scratch.write_text(json.dumps(lines), encoding="utf-8")
    child = subprocess.Popen([sys.executable, command_runner.__file__, scratch])
    end = time.monotonic() + WAIT
    try:
        while child.poll() is None:
            assert time.monotonic() < end, "the commands do not end"
            for pipe in pipes:
                assert not is_read(pipe), f"a command waits for {pipe}"
            time.sleep(0.005)
    finally:
        child.kill()
        child.wait()
    assert child.returncode == 0
    return [(code, message) for code, message in json.loads(scratch.read_text(encoding="utf-8"))]


def is_read(pipe: Path) -> bool:
    """Whether a process reads a pipe, or waits for a writer of it."""
    try:
        opened = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:
        return False
    # a file may have replaced the pipe
    is_pipe = stat.S_ISFIFO(os.fstat(opened).st_mode)
    os.close(opened)
    return is_pipe


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    need_posix("named pipes")
    return make(tmp_path_factory.mktemp("pipes") / "made")


def test_the_lines_name_every_command_and_every_option_with_a_file() -> None:
    for name, command in COMMANDS.items():
        words = {word for line in LINES if line.startswith(name) for word in line.split()}
        assert words, f"{name} has no line"
        places = [one for one in command.params if isinstance(one, click.Option) and takes_a_name(one)]
        unnamed = [one.opts for one in places if one.name not in NO_FILES and not words.intersection(one.opts)]
        assert not unnamed, f"{name} {unnamed}: name them in a line, or in NO_FILES"


def takes_a_name(option: click.Option) -> bool:
    return not option.is_flag and isinstance(option.type, click.Path | click.types.StringParamType)


def test_a_pipe_that_is_named_is_refused(made: dict[str, str], tmp_path: Path) -> None:
    pipe, lines = tmp_path / "pipe.jsonl", []
    os.mkfifo(pipe)
    for number, line in enumerate(LINES):
        words = put_in_place(line, made | {"OUT": str(tmp_path / f"out{number}")})
        places = [at for at, word in enumerate(line.split()) if word in made and word != "SCHEME"]
        lines += [[*words[:at], str(pipe), *words[at + 1 :]] for at in places]
    for words, (code, message) in zip(lines, run_commands([pipe], tmp_path / "commands", lines), strict=True):
        assert code in (1, 2), words
        assert "pipe.jsonl" in message, words


@pytest.mark.parametrize("kind", sorted(FOLDERS))
def test_a_pipe_in_a_folder_is_not_read(kind: str, made: dict[str, str], tmp_path: Path) -> None:
    """Each file of a folder in turn is a pipe; commands that need the file fail, and others continue."""
    whole, numbers = Path(made[kind]), count()
    files = sorted(path for path in whole.rglob("*") if path.is_file())
    assert files
    pipes, lines = [], []
    for line in (line for line in LINES if kind in line.split()):
        for file in files:
            folder, out = tmp_path / str(next(numbers)), tmp_path / f"out{next(numbers)}"
            shutil.copytree(whole, folder)
            pipes.append(replace(folder / file.relative_to(whole)))
            lines.append(put_in_place(line, made | {kind: str(folder), "OUT": str(out)}))
    for words, (code, message) in zip(lines, run_commands(pipes, tmp_path / "commands", lines), strict=True):
        assert code in (0, 1, 2, 3, 4), (words, message)


@pytest.mark.parametrize("end", ["-journal", "-wal", "-shm"])
def test_a_pipe_beside_a_database_is_not_read(end: str, made: dict[str, str], tmp_path: Path) -> None:
    pipes, lines = [], []
    for kind, name, words in (("INDEX", "documents.sqlite", "index verify"), ("STORE", "sweeps.sqlite", "sweep stats")):
        shutil.copytree(made[kind], tmp_path / kind)
        pipes.append(tmp_path / kind / f"{name}{end}")
        os.mkfifo(pipes[-1])
        lines.append([*words.split(), str(tmp_path / kind)])
    for pipe, (code, message) in zip(pipes, run_commands(pipes, tmp_path / "commands", lines), strict=True):
        assert code == 2
        assert pipe.name in message


def test_a_pipe_in_a_review_is_not_read(made: dict[str, str], tmp_path: Path) -> None:
    review = Path(made["DOCS"]).parent / "review"
    pipes, lines = [], []
    for file in [*review.glob("*.json*"), *review.glob("run/pairs.parquet")]:
        shutil.copytree(review, tmp_path / file.name)
        pipes.append(replace(tmp_path / file.name / file.relative_to(review)))
        # the digests are read when pairs are drawn
        words = ["review", "draw"] if file.name == DIGESTS else ["open-review"]
        lines.append([*words, str(tmp_path / file.name)])
    for pipe, (code, message) in zip(pipes, run_commands(pipes, tmp_path / "commands", lines), strict=True):
        assert code == 2
        assert pipe.name in message


def replace(file: Path) -> Path:
    file.unlink()
    os.mkfifo(file)
    return file


@pytest.mark.parametrize("words", ["explain /dev/zero DOCS", "index query INDEX --file /dev/zero"])
def test_a_device_is_refused(words: str, made: dict[str, str], cli: Cli) -> None:
    assert "/dev/zero: neither a file nor a folder" in cli(*put_in_place(words, made), code=2).stderr
