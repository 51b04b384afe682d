"""Kept documents in OpenSearch or Elasticsearch."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from neardup.allowed import allow_all, show
from neardup.errors import EnvironmentFault, UsageError
from neardup.stores.stored_document import StoredDocument
from neardup.stores.terms import search_terms

_BATCH = 8 << 20
"""Characters of text above which a bulk request is sent; servers accept 100 MB by default."""
_LONGEST_ID = 512
"""Maximum bytes of an id on the server; SHA-256 represents a longer one."""
_SHOWN = 5
_STORED_ONLY = {"type": "keyword", "index": False, "doc_values": False}
# terms are split at spaces only; a phrase does not match across the parts of two words
_MAPPINGS = {
    "dynamic": False,
    "_source": {"excludes": ["words", "parts"]},
    "properties": {
        "id": _STORED_ONLY,
        "url": _STORED_ONLY,
        "words": {"type": "text", "analyzer": "whitespace"},
        "parts": {"type": "text", "analyzer": "whitespace", "position_increment_gap": 100},
    },
}


@allow_all
class OpenSearchIndex:
    """A `SearchIndex` in one index of a server, by its bulk API.

    A document has the fields `id`, `url`, `words` (all words as a line) and `parts` (a list: the parts of each word
    that has parts other than itself). A query must match all of `query_terms`: `words` the word, or `parts` its parts
    as a phrase. Errors of the client itself are not caught.
    """

    def __init__(self, client: Any, index: str) -> None:
        """Make the index if it is missing; `client` is an `opensearchpy.OpenSearch` or one with the same calls."""
        if not hasattr(client, "indices"):
            raise UsageError(f"client is {show(client)}; allowed are opensearchpy.OpenSearch and what has its calls")
        self._client = client
        self._index = index
        if not client.indices.exists(index=index):
            client.indices.create(index=index, body={"mappings": _MAPPINGS})

    def put(self, documents: Sequence[StoredDocument]) -> None:
        """Make documents searchable; they replace those of the same ids. `EnvironmentFault` names refused ones."""
        for batch in _cut(documents):
            lines: list[Mapping[str, object]] = []
            for document in batch:
                terms = search_terms(document.text)
                words = " ".join(term.word for term in terms)
                parts = [term.parts for term in terms if term.parts != term.word]
                lines += (
                    {"index": {"_index": self._index, "_id": _short(document.id)}},
                    {"id": document.id, "url": document.url, "words": words, "parts": parts},
                )
            self._send(lines, [document.id for document in batch])

    def remove(self, ids: Sequence[str]) -> None:
        """Remove documents; ids that are not there are ignored. `EnvironmentFault` names refused ones."""
        if ids:
            self._send([{"delete": {"_index": self._index, "_id": _short(gone)}} for gone in ids], ids)

    def _send(self, lines: Sequence[Mapping[str, object]], ids: Sequence[str]) -> None:
        answer = self._client.bulk(body=lines)
        if not answer["errors"]:
            return
        # one item for every action, in their order
        outcomes = [outcome for item in answer["items"] for outcome in item.values()]
        refused = [(key, outcome["error"]) for key, outcome in zip(ids, outcomes, strict=True) if "error" in outcome]
        if refused:
            shown = ", ".join(repr(key) for key, _ in refused[:_SHOWN]) + (", ..." if len(refused) > _SHOWN else "")
            reason = refused[0][1]
            raise EnvironmentFault(
                f"index {self._index!r} refused {len(refused)} of {len(ids)} documents ({shown}): "
                f"{reason.get('type')}: {reason.get('reason')}"
            )


def _cut(documents: Sequence[StoredDocument]) -> Iterator[list[StoredDocument]]:
    batch: list[StoredDocument] = []
    size = 0
    for document in documents:
        if batch and size + len(document.text) > _BATCH:
            yield batch
            batch, size = [], 0
        batch.append(document)
        size += len(document.text)
    if batch:
        yield batch


def _short(document_id: str) -> str:
    written = document_id.encode()
    return document_id if len(written) <= _LONGEST_ID else sha256(written).hexdigest()
