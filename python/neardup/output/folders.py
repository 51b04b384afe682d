"""Output folders: they appear when they are complete, and replace only what neardup made."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from neardup import _core
from neardup.errors import EnvironmentFault

RESULT, REVIEW, SWEEPS = "result", "review", "sweeps"
"""Kinds of folders, as their markers call them: results, a review, a store of sweeps."""


@contextmanager
def output_folder(
    output: str | PathLike[str], names: Iterable[str], *, kind: str = RESULT, overwrite: bool = False
) -> Iterator[Path]:
    """Yield a folder to write `names` into, and put it into its place if the block ends without an error.

    A name that ends with / is a folder, in which anything may be written. Raises `UsageError` if another process
    makes the output, or if one that is there must not be replaced; `EnvironmentFault` if it cannot be written.
    """
    made = _core.OutputFolder(fspath(output), kind, overwrite)
    try:
        made.clear()
        for name in names:
            if name.endswith("/"):
                made.tree(name)
            else:
                made.file(name)
        yield made.folder
        made.finish()
    except OSError as error:
        raise EnvironmentFault(f"{error.filename or output} cannot be written: {error.strerror}") from error
    finally:
        made.give_up()


def refuse_inputs(output: str | PathLike[str] | None, *inputs: Any) -> None:
    """Raise `UsageError` if the output is one of the inputs, or contains one; inputs without a path pass."""
    if output is None:
        return
    several = [one for some in inputs for one in (some if isinstance(some, list | tuple) else [some])]
    _core.refuse_inputs(fspath(output), [fspath(one) for one in several if isinstance(one, str | PathLike)])


RUN = "run.json"
REJECTS = "rejects.jsonl"


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write rows as JSON, one a line."""
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def write_summary(folder: Path, summary: dict[str, Any]) -> None:
    """Write run.json."""
    (folder / RUN).write_text(json.dumps(summary, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
