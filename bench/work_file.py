"""Measure the work file of a run: bytes by stage and column."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

STAGES = ("signed", "arranged", "found")
LAST = "written.json"
KEPT = ("columns", LAST, *(f"{stage}.json" for stage in STAGES))


def keep(command: list[str], out: Path, work: Path) -> None:
    """Run a command that writes to `out`, and keep its work files in `work`.

    The command removes them when it ends. So it is killed once all stages are done; running it again finishes it.
    """
    files = out.with_name(f"{out.name}.partial") / "work"
    while not (work / LAST).exists():
        shutil.rmtree(out, ignore_errors=True)
        shutil.rmtree(work, ignore_errors=True)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while process.poll() is None and not (files / LAST).exists():
            time.sleep(0.0005)
        process.kill()
        if process.wait() > 0:
            raise subprocess.CalledProcessError(process.returncode, command)
        # it may have ended, or begun to remove them
        if all((files / name).exists() for name in KEPT):
            shutil.copytree(files, work, copy_function=os.link)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def measure(work: Path) -> dict[str, dict[str, int]]:
    """Return the bytes of every stage by column.

    The ledger contains the name and the start of each column that another stage reads. A column counts up to the start
    of the next. `between` counts the bytes before the first, which only the stage itself used.
    """
    taken: dict[str, dict[str, int]] = {}
    start = 0
    for stage in STAGES:
        entry = json.loads((work / f"{stage}.json").read_text(encoding="utf-8"))
        end = entry["end"]
        inside = sorted({place: name for place, name in columns(entry["left"]) if start <= place < end}.items())
        sums = taken.setdefault(stage, {})
        for (place, name), (following, _) in zip([(start, "between"), *inside], [*inside, (end, "")], strict=True):
            sums[name] = sums.get(name, 0) + following - place
        start = end
    return taken


def columns(left: Any, name: str = "") -> Iterator[tuple[int, str]]:
    """Yield the start and the name of each column in an entry of the ledger."""
    match left:
        case dict():
            for key, value in left.items():
                yield from columns(value, key)
        case [int(place), int(length), bool()]:
            if length:
                yield place, name
        case list():
            for value in left:
                yield from columns(value, name)
