"""The folder a study writes: it appears when everything in it is complete."""

import json
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any

from neardup.errors import EnvironmentFault, UsageError

RUN = "run.json"


@contextmanager
def result_folder(output: str | PathLike[str], *, overwrite: bool = False, mark: str = RUN) -> Iterator[Path]:
    """Give a folder to write into, and put it into place when the block ends well.

    The file `mark` is what makes a folder a result. Raises `UsageError` when `output` is there already and is not to be
    replaced, or is no result, and `EnvironmentFault` when it cannot be written.
    """
    target = Path(output)
    if not target.name:
        raise UsageError(f"{target}: not a name for an output folder")
    partial = target.with_name(f"{target.name}.partial")
    if target.exists() and not overwrite:
        raise UsageError(f"{target}: the output is there already; give another folder, or --overwrite")
    if target.exists() and not (target / mark).is_file():
        raise UsageError(f"{target}: not a result of neardup (it has no {mark}); give another folder")
    try:
        partial.mkdir(parents=True)
    except FileExistsError:
        raise UsageError(f"{partial}: another run is writing it, or was stopped; remove it when none is") from None
    except OSError as error:
        raise EnvironmentFault(f"{partial} cannot be made: {error.strerror}") from error
    try:
        yield partial
        if target.exists():
            shutil.rmtree(target)
        partial.rename(target)
    except OSError as error:
        raise EnvironmentFault(f"{error.filename or target} cannot be written: {error.strerror}") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write rows as JSON, one a line."""
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def write_summary(folder: Path, summary: dict[str, Any]) -> None:
    """Write run.json."""
    (folder / RUN).write_text(json.dumps(summary, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
