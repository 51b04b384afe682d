"""Commands that are stopped before they end."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from command import PATIENCE


def arguments(verb: str, docs: Path, out: Path) -> list[str]:
    return [sys.executable, "-m", "neardup", verb, str(docs), "-o", str(out), "--threads", "1", "--json"]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def digest(out: Path) -> str:
    return str(json.loads((out / "run.json").read_text(encoding="utf-8"))["digest"])


def wait_for_work(out: Path) -> None:
    """Wait until the run has begun to write beside its target."""
    deadline = time.monotonic() + PATIENCE
    while not list(out.parent.glob(f"{out.name}.*")) and time.monotonic() < deadline:
        time.sleep(0.005)


def state(path: Path) -> os.stat_result | None:
    """Return what the file system knows of a file, or None; a run may remove the file at any moment."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def kill_after(stage: str, verb: str, docs: Path, out: Path, *more: str) -> list[dict[str, object]]:
    """Kill a run after it has finished `stage`; return the phases that it had finished by then."""
    left = out.with_name(f"{out.name}.partial") / "work" / f"{stage}.json"

    def version() -> int | None:
        found = state(left)
        return found and found.st_mtime_ns

    before = version()
    for _ in range(20):
        command = [*arguments(verb, docs, out), *more]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            while version() in (None, before) and process.poll() is None:
                time.sleep(0.001)
            process.kill()
        if left.exists():
            phases: list[dict[str, object]] = json.loads(left.read_text(encoding="utf-8"))["phases"]
            return phases
        # The run ended before it could be killed.
        shutil.rmtree(out)
    raise AssertionError(f"every run ended before it could be killed after {stage}")
