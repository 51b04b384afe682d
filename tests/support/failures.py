"""A plugin that extends the report of a failed test.

It prints the command that runs the test alone, and the last output of the processes that the test started.

The methods of `subprocess.Popen` are patched while a test runs, so that the class itself stays the same. Output that a
test discards, or that its process inherits from this one, goes to a temporary file instead. The child sees a terminal
in neither case.
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
"""Number of bytes at the end of an output in which its last lines are searched; the capacity of a pipe."""

Process = subprocess.Popen[Any]
Output = str | bytes | None


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Failures(config))


class Started:
    """A process that a test started, with its known output: files, and text read from pipes."""

    def __init__(self, process: Process, own: Path, files: Iterable[Path | None]) -> None:
        # a weak reference, so that Python warns of a forgotten process at the same moment as without this plugin
        self._process = ref(process)
        self._words = process.args
        self._own = own
        self._files = list(dict.fromkeys([own, *(file for file in files if file)]))
        self._piped: dict[str, str] = {}

    def runs(self) -> bool:
        """Whether nobody has waited for its end yet."""
        process = self._process()
        return process is not None and process.returncode is None

    def record(self, stdout: Output, stderr: Output) -> None:
        """Replace the recorded output by everything that the pipes delivered."""
        self._piped = {name: text_of(output) for name, output in (("stdout", stdout), ("stderr", stderr))}

    def drain(self) -> None:
        """Read from its pipes what is available and not yet read."""
        process = self._process()
        for name in ("stdout", "stderr"):
            stream = getattr(process, name, None)
            # an event loop reads its own pipes and must receive everything
            if stream is not None and not stream.closed and os.get_blocking(stream.fileno()):
                poll = select.poll()
                poll.register(stream, select.POLLIN)
                if poll.poll(0):
                    self._piped[name] = self._piped.get(name, "") + text_of(os.read(stream.fileno(), _END))

    def describe(self) -> str:
        """Return its command line and the last lines of its output."""
        self.drain()
        outputs = [*map(end_of, self._files), *self._piped.values()]
        lines = [line for output in outputs for line in output.splitlines()]
        words = [self._words] if isinstance(self._words, str | bytes | os.PathLike) else self._words
        return "\n".join(["$ " + shlex.join(map(os.fsdecode, words)), *lines[-LINES:]])

    def forget(self) -> None:
        self._own.unlink(missing_ok=True)


class Failures:
    """The plugin, with the processes that still run and those that the current test started."""

    def __init__(self, config: pytest.Config) -> None:
        folder = TemporaryDirectory(prefix="pytest-outputs-")
        config.add_cleanup(folder.cleanup)
        self._folder, self._numbers = Path(folder.name), count()
        self._started: list[Started] = []
        self._known = WeakKeyDictionary[Process, Started]()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Record the processes that a test starts; those that still run at its end are kept for the next test."""
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
            report.sections += [("the end of what it started", one.describe()) for one in self._started]
        return report

    def _record(self, patch: pytest.MonkeyPatch, taken: tuple[int | None, ...]) -> None:
        """Patch `Popen` to record its processes; an output that goes to one of `taken` goes to a file instead."""
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
                outputs = ask(process, input, timeout)
            except subprocess.TimeoutExpired as expired:
                if process in known:
                    known[process].record(expired.output, expired.stderr)
                raise
            if process in known:
                known[process].record(*outputs)
            return outputs

        @functools.wraps(leave)
        def exit_(process: Process, *raised: Any) -> None:
            if process in known:
                known[process].drain()
            leave(process, *raised)

        for name, method in (("__init__", init), ("communicate", communicate), ("__exit__", exit_)):
            patch.setattr(subprocess.Popen, name, method)


def command_of(item: pytest.Item) -> str:
    """Return the command that runs a test alone from the project folder."""
    python = Path(sys.executable)
    if python.is_relative_to(item.config.rootpath):
        python = python.relative_to(item.config.rootpath)
    options = ["--deep"] if item.config.getoption("deep", False) else []
    data = item.config.getoption("data", None)
    if data is not None and "quality" in item.path.parts:
        options += ["--data", str(data)]
    return shlex.join([str(python), "-m", "pytest", item.nodeid, *options])


def path_of(output: Any) -> Path | None:
    """Return the path of the file that an output is sent to; `None` if it is not a regular file."""
    if output is None or output in (subprocess.PIPE, subprocess.STDOUT, subprocess.DEVNULL):
        return None
    with suppress(OSError):
        path = Path(f"/proc/self/fd/{output if isinstance(output, int) else output.fileno()}").readlink()
        return path if path.is_file() else None
    return None


def end_of(path: Path) -> str:
    """Return at most the last `_END` bytes of a file as text."""
    if not path.is_file():
        return ""
    with open(path, "rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - _END))
        return text_of(file.read())


def text_of(output: Output) -> str:
    return output.decode(errors="replace") if isinstance(output, bytes) else output or ""
