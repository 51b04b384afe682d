"""The options of verbs as a `TypedDict`, for callers that keep them in one; each is made when it is accessed."""

from typing import Any, TypedDict

from neardup.options.table import options_of

VERBS = {
    "ClusterOptions": ("cluster",),
    "DedupOptions": ("dedup",),
    "DocumentOptions": ("read",),
    "EvaluateOptions": ("evaluate",),
    "EvidenceOptions": ("evidence",),
    "IndexOptions": ("index create",),
    "JobOptions": ("dedup", "cluster", "pairs"),
    "LexiconOptions": ("lexicon",),
    "ListOptions": ("pairs",),
    "PairOptions": ("cluster", "pairs"),
    "PassageOptions": ("passages",),
    "ReviewOptions": ("review new",),
    "SketchOptions": ("sketch",),
}
"""The verbs of each type; for several verbs, it has the options that all of them share."""


def __getattr__(name: str) -> Any:
    if name not in VERBS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    shared = [
        option for option in options_of(*VERBS[name]) if option.in_python and set(VERBS[name]) <= set(option.verbs)
    ]
    return TypedDict(name, {option.name: Any for option in shared}, total=False)  # type: ignore[operator]
