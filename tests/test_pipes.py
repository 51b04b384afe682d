"""A named pipe that nobody writes, where a file should be: no command waits for it, and those that need it say so."""

import json
import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

import click
import pytest

from command import Cli, call_neardup, run_neardup
from conftest import write_records
from neardup import EnvironmentFault, Gate, NeardupError, Review
from neardup.cli import program
from systems import need_posix

WAIT = 120.0
"""Seconds after which a child counts as hanging."""

LINES = [
    "cluster DOCS -o OUT --against DOCS",
    "dedup DOCS -o OUT --against DOCS",
    "evaluate LABELS DOCS -o OUT",
    "evidence RUN DOCS -o OUT --against DOCS",
    "explain TEXT TEXT",
    "explain d0 d1 --in DOCS",
    "fold DOCS",
    "index add INDEX DOCS",
    "index compact INDEX",
    "index create OUT DOCS",
    "index expire INDEX",
    "index info INDEX",
    "index query INDEX --file TEXT",
    "index remove INDEX --from NAMES",
    "index repair INDEX",
    "index show INDEX d1",
    "index verify INDEX",
    "lexicon DOCS -o OUT",
    "mirrors DOCS -o OUT --url-field url --addresses ADDRESSES",
    "pairs DOCS -o OUT --against DOCS",
    "passages DOCS -o OUT",
    "recluster RUN --threshold 0.9 -o OUT",
    "schemes",
    "serve INDEX --tokens TOKENS",
    "sketch DOCS -o OUT --scheme SCHEME",
    "sweep add STORE DOCS --date 2024 --url-field url",
    "sweep contacts STORE TEXT",
    "sweep history STORE http://a.example/1",
    "sweep locate STORE http://a.example/1",
    "sweep stats STORE -o OUT",
    "urls DOCS -o OUT --url-field url",
]
"""Each command with all that it takes a file or a folder by, in capitals."""

NO_FILES = {
    *("threshold", "thresholds", "recall", "scheme", "schemes", "parts_scheme", "prefer", "master", "memory", "at"),
    *("text_field", "html_field", "id_field", "url_field", "time_field", "margin", "ids", "id", "clusters", "measures"),
    *("peers", "url", "ttl", "first_pages", "drop_parameter", "keep_parameter", "host", "names", "date"),
}
"""Arguments and options that name no file."""

TEXT = "a lamp by the quay burns all night long, and nobody knows who lights it, says number"
SCHEME = "words | shingles:5 | minhash:96 | bands:16x6 | equal"


def commands(command: click.Command, name: str = "") -> Iterator[tuple[str, click.Command]]:
    """Give every command that has none below it, by its words."""
    if not isinstance(command, click.Group):
        yield name, command
        return
    context = click.Context(command)
    for part in command.list_commands(context):
        yield from commands(command.get_command(context, part) or command, f"{name} {part}".strip())


FOLDERS = {"INDEX", "RUN", "STORE"}
COMMANDS = dict(commands(program))


def make(folder: Path) -> dict[str, str]:
    """Make what commands are told to read, by its name in the lines."""
    folder.mkdir()
    rows = [{"id": f"d{at}", "text": f"{TEXT} {at % 2}", "url": f"http://a.example/{at}"} for at in range(4)]
    docs = write_records(folder / "docs.jsonl", rows)
    gate, run, store = folder / "gate", folder / "run", folder / "store"
    with Gate.open(gate) as opened:
        opened.admit_all([row["text"] for row in rows])
    run_neardup("pairs", docs, "-o", run, "--id-field", "id")
    run_neardup("sweep", "add", store, docs, "--date", 2023, "--url-field", "url")
    Review.create(folder / "review", docs, id_field="id")
    write_records(folder / "labels.jsonl", [{"a": "d0", "b": "d2", "label": 1}])
    (folder / "addresses.csv").write_text("host,address\na.example,127.0.0.1\n", encoding="utf-8")
    (folder / "names.txt").write_text("#1\n", encoding="utf-8")
    (folder / "tokens.txt").write_text("read somebody 0123456789abcdef\n", encoding="utf-8")
    names = {"DOCS": docs, "INDEX": gate, "RUN": run, "STORE": store, "LABELS": folder / "labels.jsonl", "TEXT": docs}
    names |= {"ADDRESSES": folder / "addresses.csv", "NAMES": folder / "names.txt", "TOKENS": folder / "tokens.txt"}
    return {name: str(path) for name, path in names.items()} | {"OUT": str(folder / "out"), "SCHEME": SCHEME}


def told(pipe: Path, scratch: Path, *words: str) -> tuple[int, str]:
    """Run a command in a child, and give its exit code and what it says; it is never to open the pipe."""

    def work() -> tuple[int, str]:
        # where a service begins there was nothing to say
        with patch("neardup.service.server.listen", side_effect=EnvironmentFault("it serves")):
            done = call_neardup(*words)
        return done.returncode, done.stderr

    return in_child(pipe, scratch, work)


def in_child(pipe: Path, scratch: Path, work: Callable[[], tuple[int, str]]) -> tuple[int, str]:
    child = os.fork()
    if child == 0:
        try:
            scratch.write_text(json.dumps(work()), encoding="utf-8")
            os._exit(0)
        finally:
            os._exit(1)
    end = time.monotonic() + WAIT
    try:
        while (found := os.waitpid(child, os.WNOHANG)) == (0, 0):
            assert time.monotonic() < end, "the command does not end"
            assert not is_read(pipe), f"the command waits for {pipe.name}"
            time.sleep(0.002)
    except AssertionError:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    assert found[1] == 0
    code, said = json.loads(scratch.read_text(encoding="utf-8"))
    return code, said


def is_read(pipe: Path) -> bool:
    """Whether somebody reads a pipe, or waits for a writer of it."""
    try:
        os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
    except OSError:
        return False
    return True


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    need_posix("named pipes")
    return make(tmp_path_factory.mktemp("pipes") / "made")


def test_the_lines_name_every_command_and_whatever_takes_a_file() -> None:
    for name, command in COMMANDS.items():
        words = {word for line in LINES if line.startswith(name) for word in line.split()}
        assert words, f"{name} has no line"
        places = [one for one in command.params if isinstance(one, click.Option) and takes_a_name(one)]
        unnamed = [one.opts for one in places if one.name not in NO_FILES and not words.intersection(one.opts)]
        assert not unnamed, f"{name} {unnamed}: name them in a line, or in NO_FILES"


def takes_a_name(option: click.Option) -> bool:
    return not option.is_flag and isinstance(option.type, click.Path | click.types.StringParamType)


def put_in_place(line: str, made: dict[str, str]) -> list[str]:
    return [made.get(word, word) for word in line.split()]


@pytest.mark.parametrize("line", LINES)
def test_a_pipe_that_is_named_is_refused(line: str, made: dict[str, str], tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    for at, word in enumerate(line.split()):
        if word in made and word != "SCHEME":
            words = put_in_place(line, made | {"OUT": str(tmp_path / "out")})
            words[at] = str(pipe)
            code, said = told(pipe, tmp_path / "told", *words)
            assert code in (1, 2), words
            assert "pipe.jsonl" in said


IN_THE_CORE = {"lock", "log-000000", "manifest.json", "manifest.json.copy", "run.json", "pairs.parquet"}
"""Files that the core opens without asking what they are, and waits for."""


@pytest.mark.parametrize("line", [line for line in LINES if FOLDERS & set(line.split())])
def test_a_pipe_in_a_folder_is_not_read(line: str, made: dict[str, str], tmp_path: Path) -> None:
    """Each file of a folder in turn is a pipe; commands that need it say so, and others go on."""
    [kind] = FOLDERS & set(line.split())
    whole = Path(made[kind])
    files = sorted(path for path in whole.rglob("*") if path.is_file() and path.name not in IN_THE_CORE)
    assert files
    for number, file in enumerate(files):
        folder, out = tmp_path / str(number), tmp_path / f"out{number}"
        shutil.copytree(whole, folder)
        pipe = replace(folder / file.relative_to(whole))
        code, said = told(pipe, tmp_path / "told", *put_in_place(line, made | {kind: str(folder), "OUT": str(out)}))
        assert code in (0, 1, 2), said


@pytest.mark.parametrize("end", ["-journal", "-wal", "-shm"])
def test_a_pipe_beside_a_database_is_not_read(end: str, made: dict[str, str], tmp_path: Path) -> None:
    for kind, name, words in (("INDEX", "documents.sqlite", "index verify"), ("STORE", "sweeps.sqlite", "sweep stats")):
        shutil.copytree(made[kind], tmp_path / kind)
        os.mkfifo(pipe := tmp_path / kind / f"{name}{end}")
        code, said = told(pipe, tmp_path / "told", *words.split(), str(tmp_path / kind))
        assert code == 2
        assert pipe.name in said


def test_a_pipe_in_a_review_is_not_read(made: dict[str, str], tmp_path: Path) -> None:
    review = Path(made["DOCS"]).parent / "review"
    for file in [*review.glob("*.json*"), *review.glob("run/pairs.parquet")]:
        shutil.copytree(review, tmp_path / file.name)
        pipe = replace(tmp_path / file.name / file.relative_to(review))

        def work(folder: Path = tmp_path / file.name) -> tuple[int, str]:
            try:
                Review.open(folder).table()
            except NeardupError as error:
                return error.exit_code, str(error)
            return 0, ""

        code, said = in_child(pipe, tmp_path / "told", work)
        assert code == 2
        assert file.name in said


def replace(file: Path) -> Path:
    file.unlink()
    os.mkfifo(file)
    return file


@pytest.mark.parametrize("words", ["explain /dev/zero DOCS", "index query INDEX --file /dev/zero"])
def test_a_device_is_refused(words: str, made: dict[str, str], cli: Cli) -> None:
    assert "/dev/zero: neither a file nor a folder" in cli(*put_in_place(words, made), code=2).stderr
