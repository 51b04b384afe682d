"""Digests of the texts of all documents with a listed pair: pairs that are drawn later must have the same texts."""

import json
from collections.abc import Collection, Iterable
from hashlib import blake2b
from pathlib import Path

from neardup.errors import DataError, EnvironmentFault, UsageError
from neardup.inputs.document import Document
from neardup.inputs.sources import refuse_special
from neardup.output.folders import write_rows

FILE = "digests.jsonl"


def digest_text(text: str) -> str:
    """Return the digest of a text, of 128 bits."""
    return blake2b(text.encode(), digest_size=16).hexdigest()


def write_digests(folder: Path, documents: Iterable[Document]) -> None:
    """Write the digest of each document, one a line."""
    write_rows(folder / FILE, ({"id": one.id, "digest": digest_text(one.text)} for one in documents))


def read_digests(folder: Path, ids: Collection[str]) -> dict[str, str]:
    """Return the digests of the documents `ids`. Raises `DataError` if one is missing, or a line is damaged.

    Raises `UsageError` for a review of an earlier build, which noted none.
    """
    path, digests = folder / FILE, dict[str, str]()
    refuse_special(path)
    number = 1
    try:
        with open(path, "rb") as file:
            for line in file:
                row = json.loads(line)
                if row["id"] in ids:
                    digests[row["id"]] = str(row["digest"])
                number += 1
    except FileNotFoundError:
        advice = "make a new review with a larger each, and copy labels.jsonl there"
        raise UsageError(f"an earlier neardup made this review, to which no pairs can be added; {advice}") from None
    except OSError as error:
        raise EnvironmentFault(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, TypeError, KeyError, RecursionError):
        raise DataError(f"{path}, line {number}: not a digest of a document") from None
    if missing := set(ids) - digests.keys():
        raise DataError(f"{path}: the document {min(missing)!r} is missing")
    return digests
