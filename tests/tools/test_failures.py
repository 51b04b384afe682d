"""A failed test reports the command that runs it alone, and the last output of the processes that it started."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from command import PATIENCE

ROOT = Path(__file__).parents[2]
ENDED = "the end of what it started"
LAST = [f"line {number}" for number in range(20, 50)]
XDIST = ("-p", "xdist", "-n", "2", "--dist", "loadfile")
START = """
import os, subprocess, sys, time
import pytest

def words(code):
    return [sys.executable, "-c", code]
LINES = words("for number in range(50): print('line', number, flush=True)")
"""


def run(folder: Path, tests: str, *options: str) -> str:
    """Run tests in a separate file, some of which fail, and return the output of pytest."""
    (folder / "test_it.py").write_text(START + tests, encoding="utf-8")
    words = [sys.executable, "-m", "pytest", "-p", "tests.support.failures", "-W", "error", *options, "test_it.py"]
    output = run_pytest(words, folder)
    assert not list(folder.glob("pytest-outputs-*"))
    return output


def run_pytest(words: list[str], folder: Path) -> str:
    """Run pytest with the named plugins only, and return its output."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": "", "TMPDIR": str(folder)}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    done = subprocess.run(
        [*words, "-p", "no:cacheprovider", "--rootdir", ".", "-c", os.devnull],
        cwd=folder, env=environment, capture_output=True, encoding="utf-8", timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


def sections(output: str, title: str) -> list[list[str]]:
    """Return the lines of the sections with this title."""
    found: list[list[str]] = []
    inside = False
    for line in output.splitlines():
        if line.startswith(("---", "===", "___")):
            inside = title in line
            found += [[]] if inside else []
        elif inside:
            found[-1].append(line)
    return found


@pytest.mark.parametrize("options", [(), XDIST], ids=["alone", "by xdist"])
def test_the_command_runs_the_test_alone(tmp_path: Path, options: tuple[str, ...]) -> None:
    tests = """
@pytest.mark.parametrize("value", ["a b", "it's", "$HOME"])
def test_y(value):
    assert value != "it's"
"""
    [[line]] = sections(run(tmp_path, tests, *options), "to run it alone")
    assert shlex.split(line)[1:] == ["-m", "pytest", "test_it.py::test_y[it's]"]
    assert "1 failed in" in run_pytest(shlex.split(line), tmp_path)


def test_every_phase_reports(tmp_path: Path) -> None:
    tests = """
@pytest.fixture(params=["setup", "call", "teardown"])
def phase(request):
    subprocess.run(LINES)
    assert request.param != "setup"
    yield request.param
    assert request.param != "teardown"

def test_y(phase):
    assert phase != "call"
"""
    output = run(tmp_path, tests)
    assert len(sections(output, "to run it alone")) == 3
    for command, *lines in sections(output, ENDED):
        assert command.startswith("$ ")
        assert lines == LAST
    assert len(sections(output, ENDED)) == 3


CALLS = [
    "subprocess.run(LINES)",
    "subprocess.run(LINES, stdout=subprocess.DEVNULL)",
    "subprocess.run(LINES, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)",
    "subprocess.run(LINES, stdout=open('out', 'w'))",
    "subprocess.run(LINES, stdout=os.open('more', os.O_CREAT | os.O_WRONLY))",
    "subprocess.run(LINES, capture_output=True)",
    "subprocess.run(LINES, capture_output=True, text=True)",
    "subprocess.check_output(LINES)",
    "subprocess.Popen(LINES, -1, None, None, subprocess.PIPE, None, lambda: None).communicate()",
    "with subprocess.Popen(LINES, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as one: one.wait()",
    "with subprocess.Popen(LINES, stdout=subprocess.PIPE, text=True) as one: one.wait()",
]


def test_the_last_lines_are_reported_wherever_they_went(tmp_path: Path) -> None:
    tests = "".join(f"def test_{at}():\n    {call}\n    raise OSError\n" for at, call in enumerate(CALLS))
    found = sections(run(tmp_path, tests, "-W", "ignore::ResourceWarning"), ENDED)
    assert [lines for _, *lines in found] == [LAST] * len(CALLS)


@pytest.mark.parametrize("options", [(), XDIST], ids=["alone", "by xdist"])
def test_processes_of_passed_tests_are_reported_only_while_they_run(tmp_path: Path, options: tuple[str, ...]) -> None:
    tests = """
@pytest.fixture(scope="module")
def server():
    up = words("print('up', flush=True); input()")
    with open("log", "w") as log, subprocess.Popen(up, stdin=subprocess.PIPE, stdout=log) as process:
        yield
        process.communicate(b"x")
    with open("log") as log:
        assert log.read() == "up\\n"

def test_first(server):
    subprocess.run(words("print('passed')"))
    while not os.path.getsize("log"):
        time.sleep(0.01)

def test_second(server):
    subprocess.run(words("print('failed')"))
    raise AssertionError
"""
    found = sections(run(tmp_path, tests, *options), ENDED)
    assert [lines for _, *lines in found] == [["up"], ["failed"]]


def test_output_before_a_timeout_is_reported(tmp_path: Path) -> None:
    tests = """
def test_y():
    code = "import time; print('begun', flush=True); time.sleep(600)"
    process = subprocess.Popen(words(code), stdout=subprocess.PIPE)
    try:
        while True:
            with pytest.raises(subprocess.TimeoutExpired) as expired:
                process.communicate(timeout=0.1)
            if expired.value.output:
                raise expired.value
    finally:
        process.kill()
        process.communicate()
"""
    assert [lines for _, *lines in sections(run(tmp_path, tests), ENDED)] == [["begun"]]


def test_processes_behave_as_without_the_plugin(tmp_path: Path) -> None:
    """The class, the returned values, the streams of the child and the open descriptors are the same."""
    tests = """
WHOLE = subprocess.Popen

def descriptors():
    return sorted(os.listdir("/proc/self/fd"))

def test_y():
    assert subprocess.Popen is WHOLE
    assert subprocess.Popen[bytes].__origin__ is WHOLE
    before = descriptors()
    terminal = words("import os, sys; sys.exit(os.isatty(1) or os.isatty(2))")
    for output in (None, subprocess.DEVNULL):
        with subprocess.Popen(terminal, stdout=output, stderr=output) as process:
            assert isinstance(process, WHOLE)
            assert (process.stdout, process.stderr, process.wait()) == (None, None, 0)
    assert subprocess.check_output(LINES, text=True).startswith("line 0\\n")
    assert subprocess.run(LINES, stdout=subprocess.DEVNULL).stdout is None
    with pytest.raises(subprocess.CalledProcessError) as failed:
        subprocess.run(words("import sys; sys.exit('no')"), capture_output=True, check=True)
    assert failed.value.stderr == b"no\\n"
    with pytest.raises(FileNotFoundError):
        subprocess.run(["./nothing"])
    assert descriptors() == before

def test_capfd_receives_inherited_output(capfd):
    subprocess.run(LINES)
    assert capfd.readouterr().out.startswith("line 0\\n")

def test_last():
    raise AssertionError
"""
    output = run(tmp_path, tests)
    assert "1 failed, 2 passed" in output, output
    assert sections(output, ENDED) == []
