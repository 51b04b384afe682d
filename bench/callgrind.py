"""Instruction counts by callgrind. A program runs in an empty folder; instructions inside `COUNTED` functions count."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

COUNTED = ("*guard::measured*", "*thread_start*")
"""Functions whose instructions count: the work itself, and the start function of each thread that the work starts."""


class CallgrindError(Exception):
    """Instructions could not be counted; the message says why."""


def find_valgrind() -> str:
    """Return the path of valgrind.

    Raises: CallgrindError if valgrind is not installed.
    """
    found = shutil.which("valgrind")
    if found is None:
        raise CallgrindError("valgrind is not installed: install the package `valgrind` (apt-get install valgrind)")
    return found


def read_version(valgrind: str) -> str:
    """Return the version of valgrind, as 3.19.0."""
    done = subprocess.run([valgrind, "--version"], capture_output=True, text=True, check=True)
    return done.stdout.strip().removeprefix("valgrind-")


def parse_total(text: str) -> int:
    """Return the total number of instructions in an output file of callgrind.

    Raises: CallgrindError if the file counts other events, or no instruction.
    """
    events = re.search(r"^events: (.+)$", text, re.MULTILINE)
    if events is None or events[1].split() != ["Ir"]:
        raise CallgrindError(f"callgrind counted {events[1] if events else 'nothing'} instead of Ir")
    total = re.search(r"^(?:totals|summary): (\d+)$", text, re.MULTILINE)
    if total is None or int(total[1]) == 0:
        raise CallgrindError(f"callgrind counted no instruction inside {' and '.join(COUNTED)}")
    return int(total[1])


def count(valgrind: str, program: Path, arguments: Sequence[str]) -> tuple[int, str]:
    """Run a program; return the number of its instructions inside `COUNTED` functions, and its output.

    The name of the program, its environment and its empty working folder are the same in each run. Their lengths shift
    the addresses on the stack, which changes counts.

    Raises: CallgrindError if the program fails or no instruction is counted.
    """
    with tempfile.TemporaryDirectory(prefix="guard-") as name:
        work = Path(name)
        (work / "run").mkdir()
        (work / "guard").symlink_to(program.resolve())
        toggles = [f"--toggle-collect={function}" for function in COUNTED]
        command = [valgrind, "--tool=callgrind", f"--callgrind-out-file={work / 'counts'}", *toggles, "../guard"]
        environment = {"PATH": os.defpath, "RUST_BACKTRACE": "0"}
        done = subprocess.run([*command, *arguments], cwd=work / "run", env=environment, capture_output=True, text=True)
        if done.returncode:
            messages = [line for line in done.stderr.splitlines() if not line.startswith("==")]
            raise CallgrindError("\n".join(messages[-5:]) or f"it ended with exit code {done.returncode}")
        return parse_total((work / "counts").read_text()), done.stdout.strip()
