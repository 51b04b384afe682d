"""Answers of an index as JSON objects, with the names of decisions.parquet."""

from collections.abc import Iterable, Iterator
from typing import Any

from neardup import _core
from neardup.index.hit import Hit, Hits
from neardup.index.index import Index
from neardup.index.verdict import Admission, Check, Removal, Verdict
from neardup.output.json import to_plain
from neardup.output.written import write_time

_EVIDENCE = ("rule", "shared", "id_size", "original_size", "resemblance", "in_original", "of_original", "verified")


def describe_verdict(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as an object; a kept document has no evidence."""
    evidence = {name: None if verdict.kept else getattr(verdict, name) for name in _EVIDENCE}
    decision = "keep" if verdict.kept else "drop"
    return {"id": verdict.id, "verdict": decision, "original": verdict.original, **evidence}


def describe_check(check: Check | Admission) -> dict[str, Any]:
    """Return the outcome of a check or an admission as an object."""
    outcome = {"kind": check.kind, "replaced": check.replaced, "unchanged": check.unchanged}
    return {**describe_verdict(check.verdict), **outcome}


def describe_admission(admission: Admission) -> dict[str, Any]:
    """Return an admission as an object, with the documents that it expired and changed."""
    changed = [describe_verdict(verdict) for verdict in admission.changed]
    return {**describe_check(admission), "expired": admission.expired, "changed": changed}


def describe_removal(removal: Removal) -> dict[str, Any]:
    """Return a removal as an object."""
    return {"removed": removal.removed, "changed": [describe_verdict(verdict) for verdict in removal.changed]}


def describe_hits(hits: Hits) -> dict[str, Any]:
    """Return hits as an object, and whether any may be missing."""
    return {"hits": [_describe_hit(hit) for hit in hits], "thin": hits.thin, "cut": hits.cut}


def describe_document(index: Index, name: str, *, with_text: bool) -> dict[str, Any]:
    """Return a document as an object: url, time, verdict, the ids of its group, and the documents of its cluster."""
    document = index.get(name)
    cluster = index.cluster(name)
    return {
        **describe_verdict(index.verdict(name)),
        "url": document.url,
        "time": write_time(document.time),
        "group": index.group(name),
        "cluster": cluster[0],
        "documents": list(describe_members(index, cluster)),
        **({"text": document.text} if with_text else {}),
    }


def describe_members(index: Index, ids: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield documents as objects: id, url, time, title, original and the difference to the original in a line.

    Documents that are not there are left out. The difference is null for an original, for long texts, and after
    differences of many characters.
    """
    left = _DESCRIBED
    for name in ids:
        row = index.core.get(name)
        if row is None:
            continue
        _, _, text, url, time, original = row
        difference = None
        if original != name and left > 0:
            left -= len(text)
            difference = describe_difference(index, text, original)
        title = _core.title(text)
        yield {
            "id": name,
            "url": url,
            "time": write_time(time),
            "title": title,
            "original": original,
            "difference": difference,
        }


_COMPARED = 1 << 20
"""Number of characters of two texts from which their difference is not computed."""
_DESCRIBED = 16 << 20
"""Number of characters of all documents in an answer from which differences are not computed."""


def describe_difference(index: Index, text: str, other: str) -> str | None:
    """Return in a line how a text differs from that of a document; None if they are long, or it is not there."""
    row = index.core.get(other)
    if row is None or len(text) + len(row[2]) > _COMPARED:
        return None
    return _core.difference(row[2], text)


def _describe_hit(hit: Hit) -> dict[str, Any]:
    shares = {"resemblance": hit.resemblance, "containment": hit.containment, "contained_by": hit.contained_by}
    return {**to_plain(hit), **shares, "time": write_time(hit.time)}
