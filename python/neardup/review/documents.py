"""The documents of listed pairs, read from the inputs of a review."""

from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any, cast

from neardup import _core
from neardup.errors import DataError
from neardup.index.index import Index
from neardup.inputs.document import Document
from neardup.inputs.sources import Inputs, Streams
from neardup.review.digests import write_digests


def fetch_documents(
    inputs: Streams, core: dict[str, Any], listed: set[str], drawn: set[str], folder: Path
) -> dict[str, Document]:
    """Return the documents of the ids `drawn`, and write the digests of all `listed` ones.

    `core` are the options of the core by which the inputs are read. Raises `DataError` if a document is not there any
    more.
    """
    documents, missing = dict[str, Document](), set(listed)

    def read() -> Iterator[Document]:
        for document in read_documents(inputs, core, listed):
            key = str(document.id)
            missing.discard(key)
            if key in drawn:
                documents[key] = document
            yield document

    write_digests(folder, read())
    if missing:
        raise DataError(f"the document {min(missing)!r} went while the review was made; make the review once more")
    return documents


def read_documents(inputs: Streams, core: dict[str, Any], ids: Iterable[str]) -> Iterator[Document]:
    """Yield those documents of the ids that are in the inputs.

    A single index is asked for each document; other inputs are read as a whole.
    """
    if len(inputs) == 1 and isinstance(index := inputs[0], _core.Index):
        for row in filter(None, map(index.get, ids)):
            _, key, text, url, time, _ = row
            yield Document(text, key, url, time)
        return
    options = {name: value for name, value in core.items() if name != "scheme"}
    wanted = set(ids)
    for key, text, url, time, _, _ in _core.read(inputs, cast(Any, options)):
        if key in wanted:
            yield Document(text, key, url, time)


def find_indexes(inputs: Inputs) -> list[str]:
    """Return the folders of the indexes that the inputs are; empty if they are anything else."""
    folders = [_find_index(one) for one in (inputs if isinstance(inputs, list | tuple) else [inputs])]
    return [folder for folder in folders if folder] if all(folders) else []


def _find_index(given: object) -> str | None:
    if isinstance(given, str | PathLike):
        folder = str(Path(given).absolute())
        return folder if _core.Index.exists_in(folder) else None
    return str(Path(given.folder).absolute()) if isinstance(given, Index) else None
