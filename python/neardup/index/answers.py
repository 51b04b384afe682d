"""Answers of an index as JSON objects, with the names of decisions.parquet."""

from typing import Any

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
    members = [(member, index.get(member)) for member in cluster]
    return {
        **describe_verdict(index.verdict(name)),
        "url": document.url,
        "time": write_time(document.time),
        "group": index.group(name),
        "cluster": cluster[0],
        "documents": [{"id": member, "url": other.url, "time": write_time(other.time)} for member, other in members],
        **({"text": document.text} if with_text else {}),
    }


def _describe_hit(hit: Hit) -> dict[str, Any]:
    shares = {"resemblance": hit.resemblance, "containment": hit.containment, "contained_by": hit.contained_by}
    return {**to_plain(hit), **shares, "time": write_time(hit.time)}
