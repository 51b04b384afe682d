"""Instruction counts by callgrind: a program is run in an empty folder, and what it does in a function is counted."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

COUNTED = ("*guard::measured*", "*thread_start*")
"""Functions inside which instructions count: the work, and the start of every thread that it starts."""


class CallgrindError(Exception):
    """Why something was not counted."""


def find_valgrind() -> str:
    """Return the path of valgrind.

    Raises: CallgrindError if there is none.
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
    """Return the instructions that a file of callgrind has in all.

    Raises: CallgrindError if the file counts something else, or nothing.
    """
    events = re.search(r"^events: (.+)$", text, re.MULTILINE)
    if events is None or events[1].split() != ["Ir"]:
        raise CallgrindError(f"callgrind counted {events[1] if events else 'nothing'} instead of Ir")
    total = re.search(r"^(?:totals|summary): (\d+)$", text, re.MULTILINE)
    if total is None or int(total[1]) == 0:
        raise CallgrindError(f"callgrind counted no instruction inside {' and '.join(COUNTED)}")
    return int(total[1])


def count(valgrind: str, program: Path, arguments: Sequence[str]) -> tuple[int, str]:
    """Return the instructions of a program inside `COUNTED`, and what it printed.

    The program is known by the same name and has the same environment and an empty working folder each time, since the
    length of these moves what is on the stack, and with it counts.

    Raises: CallgrindError if it fails or nothing is counted.
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
            said = [line for line in done.stderr.splitlines() if not line.startswith("==")]
            raise CallgrindError("\n".join(said[-5:]) or f"it ended with exit code {done.returncode}")
        return parse_total((work / "counts").read_text()), done.stdout.strip()
