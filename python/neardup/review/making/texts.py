"""The documents of a sample, fetched by their ids."""

from collections.abc import Iterable, Iterator
from typing import Any, cast

from neardup import _core
from neardup.errors import DataError
from neardup.inputs.document import Document
from neardup.inputs.sources import Gathered
from neardup.options.values import translate


def fetch_documents(gathered: Gathered, options: dict[str, Any], ids: set[str]) -> dict[str, Document]:
    """Return the documents of these ids, from the inputs of a run and as its options read them.

    One index is asked for each; other inputs are read once more. Raises `DataError` when one is not there any more.
    """
    documents = {str(document.id): document for document in _documents(gathered, options, ids)}
    if gone := ids - documents.keys():
        raise DataError(f"the document {min(gone)!r} went while the review was made; make the review once more")
    return documents


def _documents(gathered: Gathered, options: dict[str, Any], ids: Iterable[str]) -> Iterator[Document]:
    if len(gathered.inputs) == 1 and isinstance(index := gathered.inputs[0], _core.Index):
        for held in filter(None, map(index.get, ids)):
            _, key, text, url, time, _ = held
            yield Document(text, key, url, time)
        return
    core = {**gathered.options, **translate(options)}
    core.pop("scheme", None)
    for key, text, url, time, _, _ in _core.read(gathered.inputs, cast(Any, core)):
        if key in ids:
            yield Document(text, key, url, time)
