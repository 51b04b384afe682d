"""Verdicts as JSON, in the names of decisions.parquet."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from neardup.live.verdict import Admission, Removal, Verdict

_EVIDENCE = ("rule", "shared", "id_size", "original_size", "resemblance", "in_original", "of_original", "verified")


def describe_verdict(verdict: "Verdict") -> dict[str, Any]:
    """Give a verdict by name; of a kept document there is no evidence."""
    evidence = {name: None if verdict.kept else getattr(verdict, name) for name in _EVIDENCE}
    decision = "keep" if verdict.kept else "drop"
    return {"id": verdict.id, "verdict": decision, "original": verdict.original, **evidence}


def describe_admission(admission: "Admission") -> dict[str, Any]:
    """Give what came of a document by name."""
    return {
        **describe_verdict(admission.verdict),
        "replaced": admission.replaced,
        "unchanged": admission.unchanged,
        "expired": admission.expired,
        "changed": [describe_verdict(verdict) for verdict in admission.changed],
    }


def describe_removal(removal: "Removal") -> dict[str, Any]:
    """Give what came of a removal by name."""
    return {"removed": removal.removed, "changed": [describe_verdict(verdict) for verdict in removal.changed]}
