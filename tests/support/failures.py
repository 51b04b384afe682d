"""What a failing test prints: the command that runs it alone, and the end of what it started.

`subprocess.Popen` itself records while a test runs, so that its class stays what it is. What a test throws away or
leaves to this process goes to a file of ours; the child sees a terminal in neither case.
"""

import functools
import os
import select
import shlex
import subprocess
import sys
from collections.abc import Generator, Iterable
from contextlib import suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from weakref import WeakKeyDictionary, ref

import pytest

LINES = 30
_END = 1 << 16
"""Bytes at the end of an output in which its last lines are looked for; as much as a pipe holds."""

Process = subprocess.Popen[Any]
Output = str | bytes | None


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Failures(config))


class Started:
    """A process that a test started, with what is known of its output: files, and what came through pipes."""

    def __init__(self, process: Process, own: Path, files: Iterable[Path | None]) -> None:
        # Python reports a forgotten process, at the same moment as without us
        self._process = ref(process)
        self._words = process.args
        self._own = own
        self._files = list(dict.fromkeys([own, *(file for file in files if file)]))
        self._heard: dict[str, str] = {}

    def runs(self) -> bool:
        """Whether nobody has seen its end."""
        process = self._process()
        return process is not None and process.returncode is None

    def hear(self, stdout: Output, stderr: Output) -> None:
        """Take what came through its pipes, from their beginning."""
        self._heard = {name: text_of(output) for name, output in (("stdout", stdout), ("stderr", stderr))}

    def drain(self) -> None:
        """Take what nobody has read from its pipes, as far as it is there."""
        process = self._process()
        for name in ("stdout", "stderr"):
            stream = getattr(process, name, None)
            # a loop reads by itself, and has to get all
            if stream is not None and not stream.closed and os.get_blocking(stream.fileno()):
                poll = select.poll()
                poll.register(stream, select.POLLIN)
                if poll.poll(0):
                    self._heard[name] = self._heard.get(name, "") + text_of(os.read(stream.fileno(), _END))

    def tell(self) -> str:
        """Return its command line and the last lines of its output."""
        self.drain()
        outputs = [*map(end_of, self._files), *self._heard.values()]
        lines = [line for output in outputs for line in output.splitlines()]
        words = [self._words] if isinstance(self._words, str | bytes | os.PathLike) else self._words
        return "\n".join(["$ " + shlex.join(map(os.fsdecode, words)), *lines[-LINES:]])

    def forget(self) -> None:
        self._own.unlink(missing_ok=True)


class Failures:
    """The plugin, with what was started and still runs, or was started by the test under way."""

    def __init__(self, config: pytest.Config) -> None:
        folder = TemporaryDirectory(prefix="pytest-outputs-")
        config.add_cleanup(folder.cleanup)
        self._folder, self._numbers = Path(folder.name), count()
        self._started: list[Started] = []
        self._known = WeakKeyDictionary[Process, Started]()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Record what a test starts until it has ended; keep what continues for the next."""
        names = getattr(item, "fixturenames", ())
        shown = item.config.getoption("capture") == "no" or "capfd" in names or "capfdbinary" in names
        with pytest.MonkeyPatch.context() as patch:
            self._record(patch, (subprocess.DEVNULL,) if shown else (subprocess.DEVNULL, None))
            result = yield
        for one in self._started:
            if not one.runs():
                one.forget()
        self._started = [one for one in self._started if one.runs()]
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if report.failed:
            report.sections.append(("to run it alone", command_of(item)))
            report.sections += [("the end of what it started", one.tell()) for one in self._started]
        return report

    def _record(self, patch: pytest.MonkeyPatch, taken: tuple[int | None, ...]) -> None:
        """Have processes record themselves; an output that goes to one of `taken` goes to a file."""
        known = self._known
        start, ask, leave = subprocess.Popen.__init__, subprocess.Popen.communicate, subprocess.Popen.__exit__

        @functools.wraps(start)
        def init(
            process: Process,
            args: Any,
            bufsize: int = -1,
            executable: Any = None,
            stdin: Any = None,
            stdout: Any = None,
            stderr: Any = None,
            *rest: Any,
            **options: Any,
        ) -> None:
            own = self._folder / str(next(self._numbers))
            with open(own, "ab", buffering=0) as file:
                out, err = (file if output in taken else output for output in (stdout, stderr))
                start(process, args, bufsize, executable, stdin, out, err, *rest, **options)
            known[process] = Started(process, own, map(path_of, (stdout, stderr)))
            self._started.append(known[process])

        @functools.wraps(ask)
        def communicate(process: Process, input: Any = None, timeout: float | None = None) -> tuple[Any, Any]:  # noqa: A002
            try:
                heard = ask(process, input, timeout)
            except subprocess.TimeoutExpired as expired:
                if process in known:
                    known[process].hear(expired.output, expired.stderr)
                raise
            if process in known:
                known[process].hear(*heard)
            return heard

        @functools.wraps(leave)
        def exit_(process: Process, *raised: Any) -> None:
            if process in known:
                known[process].drain()
            leave(process, *raised)

        for name, method in (("__init__", init), ("communicate", communicate), ("__exit__", exit_)):
            patch.setattr(subprocess.Popen, name, method)


def command_of(item: pytest.Item) -> str:
    """Return the command that runs a test alone, from the folder of the project."""
    python = Path(sys.executable)
    if python.is_relative_to(item.config.rootpath):
        python = python.relative_to(item.config.rootpath)
    options = ["--deep"] if item.config.getoption("deep", False) else []
    data = item.config.getoption("data", None)
    if data is not None and "quality" in item.path.parts:
        options += ["--data", str(data)]
    return shlex.join([str(python), "-m", "pytest", item.nodeid, *options])


def path_of(output: Any) -> Path | None:
    """Return the path of the regular file that an output is sent to, if it is one."""
    if output is None or output in (subprocess.PIPE, subprocess.STDOUT, subprocess.DEVNULL):
        return None
    with suppress(OSError):
        path = Path(f"/proc/self/fd/{output if isinstance(output, int) else output.fileno()}").readlink()
        return path if path.is_file() else None
    return None


def end_of(path: Path) -> str:
    """Return the end of a file."""
    if not path.is_file():
        return ""
    with open(path, "rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - _END))
        return text_of(file.read())


def text_of(output: Output) -> str:
    return output.decode(errors="replace") if isinstance(output, bytes) else output or ""
