"""The command line as tests run it: as a function call, or as a process if the process itself is tested."""

import gc
import subprocess
import sys
from collections.abc import Callable
from contextlib import chdir, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

from click.testing import CliRunner

import neardup.cli

PATIENCE = 600
"""Seconds until a process counts as hanging."""

Done = subprocess.CompletedProcess[str]
Cli = Callable[..., Done]


def run_neardup(*arguments: str | Path | int, code: int = 0, cwd: Path | None = None, sent: str = "") -> Done:
    """Call the command line in this process, and check its exit code."""
    return checked(call_neardup(*arguments, cwd=cwd, sent=sent), code)


def call_neardup(*arguments: str | Path | int, cwd: Path | None = None, sent: str = "") -> Done:
    """Call the command line in this process, whatever its exit code.

    Its streams are not terminals. Standard input is `sent`.
    """
    words = ["neardup", *map(str, arguments)]
    exit_code: object = None
    with chdir(cwd or "."), patch("sys.argv", words), CliRunner().isolation(sent) as (stdout, stderr, _):
        try:
            neardup.cli.main()
        except SystemExit as stopped:
            exit_code = stopped.code
        finally:
            # the command freezes its objects, because normally its process ends here
            gc.unfreeze()
        for stream in (sys.stdout, sys.stderr):
            with suppress(AttributeError):
                stream.flush()
    outputs = [stream.getvalue().decode() for stream in (stdout, stderr)]
    return Done(words, int(str(exit_code)), *outputs)


def run_process(*arguments: str | Path | int, code: int = 0, **options: Any) -> Done:
    """Run the command line in a separate process, and check its exit code.

    `options` are passed to `subprocess.run`.
    """
    words = [sys.executable, "-m", "neardup", *map(str, arguments)]
    options = {"capture_output": True, "encoding": "utf-8", "timeout": PATIENCE, "check": False, **options}
    return checked(subprocess.run(words, **options), code)


def checked(done: Done, code: int) -> Done:
    """Check that a command ended with the exit code `code` and without a traceback, and return it."""
    assert done.returncode == code, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr
    return done
