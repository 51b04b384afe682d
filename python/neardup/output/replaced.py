"""Small files that are replaced as a whole: readers see the previous content or the new one."""

import os
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from neardup.errors import EnvironmentFault


def replace_file(path: Path, content: str) -> None:
    """Write a file aside, through to the disk, and then in the place of the previous one."""
    aside = path.with_name(f".{path.name}-{token_hex(4)}")
    try:
        with open(aside, "x", encoding="utf-8", newline="\n") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except OSError as error:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
        raise EnvironmentFault(f"{path} cannot be written: {error.strerror}") from error
