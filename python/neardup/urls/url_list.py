"""Lists of URLs: text files with one URL a line."""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from typing import cast

from neardup.errors import DataError, EnvironmentFault
from neardup.inputs.sources import refuse_special


def is_url_list(name: str) -> bool:
    """Return by its name whether a file is read as a list of URLs."""
    return name.endswith((".txt", ".txt.gz"))


def list_files(pattern: str) -> list[str]:
    """Return the files of a name or a glob, in order; `DataError` when there are none."""
    # imported here: a job over documents asks for neither
    from glob import glob
    from pathlib import Path

    names = [pattern] if Path(pattern).exists() else sorted(glob(pattern))  # noqa: PTH207 - a name as it was typed
    if not names:
        raise DataError(f"{pattern}: there is no such file or folder")
    return names


def read_lines(name: str) -> Iterator[tuple[int, str | None]]:
    """Read the lines that are not blank, as (number from 1, line without white space around it).

    A line that is not UTF-8 is None. Raises `DataError` for a broken compressed file, `EnvironmentFault` for one that
    cannot be read.
    """
    refuse_special(name)
    try:
        with gzip.open(name) if name.endswith(".gz") else open(name, "rb") as file:
            for number, line in enumerate(cast(Iterable[bytes], file), 1):
                try:
                    text = line.decode().strip()
                except UnicodeDecodeError:
                    yield number, None
                else:
                    if text:
                        yield number, text
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(f"{name}: the compressed file is broken: {error}") from error
    except OSError as error:
        raise EnvironmentFault(f"{name} cannot be read: {error.strerror}") from error
