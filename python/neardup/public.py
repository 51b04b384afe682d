"""The public names: the place of each, and the module that defines it. There is no other list of them."""

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any
from warnings import warn

PUBLIC: dict[str, dict[str, str]] = {
    "neardup": {
        "_core": "Scheme __version__",
        "corpus.markup": "extract_main_text",
        "errors": "DataError EnvironmentFault Interrupted NeardupError UsageError",
        "gate.gate": "Gate",
        "index.index": "Index",
        "inputs.document": "Document",
        "jobs.cluster": "cluster",
        "jobs.dedup": "dedup",
        "jobs.evidence": "evidence",
        "jobs.explanation": "Explanation explain",
        "jobs.fold": "fold",
        "jobs.lexicon": "build_lexicon",
        "jobs.pairs": "find_pairs",
        "jobs.passages": "find_passages",
        "jobs.read": "read",
        "jobs.recluster": "recluster",
        "jobs.sketch": "sketch",
        "jobs.tokens": "list_tokens",
        "results.outcomes": "Clustering Deduplication PairList PassageList",
        "schemes.plan": "plan_scheme",
    },
    "neardup.results": {
        "inputs.document": "ArrowStream",
        "jobs.explanation": "Change Condition Passage Span",
        "jobs.fold": "Folded",
        "jobs.lexicon": "Lexicon",
        "jobs.recluster": "AtThreshold at_thresholds",
        "jobs.tokens": "WrittenToken",
        "results.outcomes": "Evidence Sketching",
        "results.document_reader": "Reading Reject",
        "table": "Table",
    },
    "neardup.index": {
        "errors": "DamagedIndex",
        "index.hit": "Hit Hits",
        "index.restoration": "Damage Lost Repaired repair",
        "index.verdict": "Admission Check Removal Verdict",
    },
    "neardup.gate": {
        "errors": "DamagedStore",
        "gate.gate": "Page",
        "stores.stored_document": "Changes Role StoredDocument",
        "stores.document_store": "DocumentStore Found SearchIndex",
        "stores.indexed": "IndexedStore",
        "stores.postgres": "PostgresStore",
        "stores.opensearch": "OpenSearchIndex",
        "stores.terms": "QueryTerm SearchTerm query_terms search_terms",
        "stores.sqlite": "SqliteStore",
    },
    "neardup.sweeps": {
        "sweeps.addition": "Added",
        "sweeps.changes": "ListedStep StepCounts",
        "sweeps.change_report": "ChangedInterval ChangeReport StepList",
        "sweeps.contacts": "Contact Contacts",
        "sweeps.locate": "Location",
        "sweeps.evidence": "Overlap",
        "sweeps.removal": "Removed",
        "sweeps.sightings": "SweepSize",
        "sweeps.stats": "Cohort Interval Stats",
        "sweeps.store": "Sighting SweepStore",
        "sweeps.trail": "Visit",
    },
    "neardup.evaluation": {
        "evaluation.trial": "Cost PhaseTime SchemeEvaluation",
        "evaluation.curve": "Curve CurvePoint",
        "evaluation.evaluation": "Evaluation Truth evaluate",
        "evaluation.intervals": "Estimate",
        "evaluation.scores": "BCubed PairScore",
    },
    "neardup.review": {
        "review.advice": "Outlook",
        "review.agreement": "Agreement",
        "review.curve": "ReviewPoint StratumRow",
        "review.goal": "Goal",
        "review.review": "Review",
        "review.sample": "SampledPair",
        "review.second_look": "Doubt",
    },
    "neardup.urls": {
        "urls.mirrors": "find_mirrors",
        "urls.url_groups": "group_urls",
        "urls.urls": "UrlRules canonical_url",
    },
    "neardup.ray": {"ray.engine": "RayEngine"},
    "neardup.spark": {"spark.engine": "SparkEngine"},
}
"""Names by the module that defines them, for each place where they are public."""
MODULES = ("classics", "profiles")
"""Public modules of schemes, at the root."""
TYPED = "neardup.options.typed"
"""New place of the types of options, which the root had until the verbs got explicit parameters."""
ROOT = "neardup"


def homes(place: str) -> dict[str, str]:
    """Return the names of a place with the modules that define them, in order of the names."""
    pairs = ((name, home) for home, names in PUBLIC[place].items() for name in names.split())
    return dict(sorted(pairs))


def moved() -> Iterator[tuple[str, str]]:
    """Yield the names that the root had until this release, with their places now."""
    yield from ((name, place) for place in PUBLIC if place != ROOT for name in homes(place))
    yield from ((name, TYPED) for name in import_module(TYPED).VERBS)


def names_of(place: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a place: a name is imported at its first use (PEP 562).

    No command needs all of them, and most take milliseconds to import.
    """
    known = homes(place)
    names = sorted([*known, *(MODULES if place == ROOT else ())])

    def find(name: str) -> Any:
        if name in known:
            value = getattr(import_module(f"{ROOT}.{known[name]}"), name)
            setattr(sys.modules[place], name, value)
            return value
        if place == ROOT and (name in MODULES or f"{ROOT}.{name}" in PUBLIC):
            return import_module(f"{ROOT}.{name}")
        new = dict(moved()).get(name) if place == ROOT else None
        if new is None:
            raise AttributeError(f"module {place!r} has no attribute {name!r}")
        warn(f"use {new}.{name}: the next release has no neardup.{name}", DeprecationWarning, 2)
        return getattr(import_module(new), name)

    return find, lambda: names, names
