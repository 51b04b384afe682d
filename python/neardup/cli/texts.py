"""Texts that are named one at a time: files, stdin, documents by id."""

import sys
from pathlib import Path
from typing import Any

from neardup import _core
from neardup.errors import DataError, EnvironmentFault, UsageError
from neardup.inputs.sources import refuse_special


def find_texts(names: tuple[str, ...], inputs: tuple[str, ...], fields: dict[str, Any]) -> list[str]:
    """Read texts: from a file each, or from the inputs by id."""
    from neardup.cli.shown.unread import note_account
    from neardup.jobs.read import read

    if inputs:
        wanted = set(names)
        found: dict[str, str] = {}
        reading = read(list(inputs), **fields)
        for document in reading:
            if document.id in wanted:
                found[str(document.id)] = document.text
            if len(found) == len(wanted):
                break
        for name in names:
            if name not in found:
                note_account(reading.account)
                raise DataError(f"there is no document {name!r} in {', '.join(inputs)}")
        return [found[name] for name in names]
    return [read_text(name, fields) for name in names]


def read_text(path: str, fields: dict[str, Any]) -> str:
    """Read the text of a file: for HTML, which the suffix shows, the extracted text; for any other file its content."""
    from neardup.jobs.read import read

    if not is_html(path):
        return _core.decode_text(_read_bytes(path), path, fields.get("encoding"))
    texts = [document.text for document in read([path], **fields)]
    if len(texts) != 1:
        raise UsageError(f"{path} holds {len(texts)} documents: name the file by --in and the documents by their ids")
    return texts[0]


def is_html(path: str) -> bool:
    """Whether a file is HTML, by its suffix."""
    return Path(path).suffix.lower() in (".html", ".htm")


def read_stdin() -> str:
    """Read the text of stdin."""
    return _core.decode_text(sys.stdin.buffer.read(), "stdin")


def read_lines(path: str) -> list[str]:
    """Read the lines of a file, or of stdin (-), that are not empty."""
    text = read_stdin() if path == "-" else _core.decode_text(_read_bytes(path), path)
    return [line for line in (line.removesuffix("\r") for line in text.split("\n")) if line]


def _read_bytes(path: str) -> bytes:
    refuse_special(path)
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise EnvironmentFault(f"{path} cannot be read: {error.strerror}") from error
