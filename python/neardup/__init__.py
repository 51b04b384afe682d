"""neardup: near-duplicate documents, found, grouped and explained.

    import neardup

    result = neardup.dedup(["some text ...", "some other text ..."])
    result.kept

The jobs are `dedup`, `cluster` and `find_pairs`, on this machine or by a `SparkEngine` on many; `explain` compares two
texts, `read` gives the documents of files, `evaluate` holds schemes against labels, `build_lexicon` counts in how many
documents each term stands, `sketch` stores what a signature keeps of documents, `find_passages` finds what stands at
several places of a corpus.

An `Index` holds documents that come and go, one at a time. A `Gate` stores documents as they come and stops duplicates:
`SqliteStore` and `PostgresStore` hold all of them, and a search index of those that are kept. A `SweepStore` keeps
pages as they stood on several dates; `fold` puts near-duplicates in a ranked list behind the best of them. A `Review`
shows people a sample of pairs, and tells precision and recall at every threshold.
"""

from typing import TYPE_CHECKING

from neardup.errors import (
    DamagedIndex,
    DamagedStore,
    DataError,
    EnvironmentFault,
    Interrupted,
    NeardupError,
    UsageError,
)

if TYPE_CHECKING:
    from neardup import classics, profiles
    from neardup._core import Scheme, Table, __version__
    from neardup.document import ArrowStream, Document
    from neardup.explanation import Change, Condition, Explanation, Passage, Span, explain
    from neardup.jobs.cluster import cluster
    from neardup.jobs.dedup import dedup
    from neardup.jobs.evidence import evidence
    from neardup.jobs.lexicon import Lexicon, build_lexicon
    from neardup.jobs.pairs import find_pairs
    from neardup.jobs.passages import find_passages
    from neardup.jobs.read import read
    from neardup.jobs.recluster import AtThreshold, at_thresholds, recluster
    from neardup.jobs.sketch import sketch
    from neardup.live.changes import Changes
    from neardup.live.fold import Folded, fold
    from neardup.live.gate import Gate
    from neardup.live.hit import Hit, Hits
    from neardup.live.index import Index
    from neardup.live.page import Page
    from neardup.live.repair import Damage, Lost, Repaired, repair
    from neardup.live.search.opensearch import OpenSearchIndex
    from neardup.live.search.search_index import Found, SearchIndex
    from neardup.live.search.terms import QueryTerm, SearchTerm, query_terms, search_terms
    from neardup.live.stored_document import Role, StoredDocument
    from neardup.live.stores.document_store import DocumentStore
    from neardup.live.stores.indexed import IndexedStore
    from neardup.live.stores.postgres import PostgresStore
    from neardup.live.stores.sqlite import SqliteStore
    from neardup.live.sweeps.adding import Added
    from neardup.live.sweeps.contacts import Contact, Contacts
    from neardup.live.sweeps.locate import Location
    from neardup.live.sweeps.overlap import Overlap
    from neardup.live.sweeps.stats import Cohort, Interval, Stats
    from neardup.live.sweeps.store import Sighting, SweepStore
    from neardup.live.sweeps.trail import Visit
    from neardup.live.verdict import Admission, Check, Removal, Verdict
    from neardup.reading import Reading, Reject
    from neardup.results import Clustering, Deduplication, Evidence, PairList, PassageList, Sketching
    from neardup.scheme import plan_scheme
    from neardup.spark.engine import SparkEngine
    from neardup.study.cost import Cost, PhaseTime
    from neardup.study.curve import Curve, CurvePoint
    from neardup.study.evaluation import Evaluation, Truth, evaluate
    from neardup.study.intervals import Estimate
    from neardup.study.mirrors import find_mirrors
    from neardup.study.review.agreement import Agreement
    from neardup.study.review.curve import ReviewPoint
    from neardup.study.review.review import Review
    from neardup.study.review.sampled_pair import SampledPair
    from neardup.study.review.table import StratumRow
    from neardup.study.scores import BCubed, PairScore
    from neardup.study.trial import SchemeEvaluation
    from neardup.study.url_groups import group_urls
    from neardup.study.urls import UrlRules, canonical_url
else:
    # at run time each of these is imported when it is first asked for (PEP 562): no command needs them all
    _HOMES = {
        "_core": ("Scheme", "Table", "__version__"),
        "document": ("ArrowStream", "Document"),
        "explanation": ("Change", "Condition", "Explanation", "Passage", "Span", "explain"),
        "jobs.lexicon": ("Lexicon", "build_lexicon"),
        "live.fold": ("Folded", "fold"),
        "live.sweeps.adding": ("Added",),
        "live.sweeps.contacts": ("Contact", "Contacts"),
        "live.sweeps.locate": ("Location",),
        "live.sweeps.overlap": ("Overlap",),
        "live.sweeps.stats": ("Cohort", "Interval", "Stats"),
        "live.sweeps.store": ("Sighting", "SweepStore"),
        "live.sweeps.trail": ("Visit",),
        "live.changes": ("Changes",),
        "live.gate": ("Gate",),
        "live.page": ("Page",),
        "live.repair": ("Damage", "Lost", "Repaired", "repair"),
        "live.search.opensearch": ("OpenSearchIndex",),
        "live.search.search_index": ("Found", "SearchIndex"),
        "live.search.terms": ("QueryTerm", "SearchTerm", "query_terms", "search_terms"),
        "live.stored_document": ("Role", "StoredDocument"),
        "live.stores.document_store": ("DocumentStore",),
        "live.stores.indexed": ("IndexedStore",),
        "live.stores.postgres": ("PostgresStore",),
        "live.stores.sqlite": ("SqliteStore",),
        "live.hit": ("Hit", "Hits"),
        "live.index": ("Index",),
        "live.verdict": ("Admission", "Check", "Removal", "Verdict"),
        "options.typed": (
            "ClusterOptions",
            "DedupOptions",
            "DocumentOptions",
            "EvaluateOptions",
            "EvidenceOptions",
            "IndexOptions",
            "JobOptions",
            "LexiconOptions",
            "ListOptions",
            "PairOptions",
            "PassageOptions",
            "ReviewOptions",
            "SketchOptions",
        ),
        "jobs.passages": ("find_passages",),
        "jobs.cluster": ("cluster",),
        "jobs.dedup": ("dedup",),
        "jobs.evidence": ("evidence",),
        "jobs.pairs": ("find_pairs",),
        "jobs.read": ("read",),
        "jobs.recluster": ("AtThreshold", "at_thresholds", "recluster"),
        "reading": ("Reading", "Reject"),
        "results": ("Clustering", "Deduplication", "Evidence", "PairList", "PassageList", "Sketching"),
        "scheme": ("plan_scheme",),
        "jobs.sketch": ("sketch",),
        "spark": ("SparkEngine",),
        "study.cost": ("Cost", "PhaseTime"),
        "study.curve": ("Curve", "CurvePoint"),
        "study.evaluation": ("Evaluation", "Truth", "evaluate"),
        "study.intervals": ("Estimate",),
        "study.mirrors": ("find_mirrors",),
        "study.review.agreement": ("Agreement",),
        "study.review.curve": ("ReviewPoint",),
        "study.review.review": ("Review",),
        "study.review.sampled_pair": ("SampledPair",),
        "study.review.table": ("StratumRow",),
        "study.scores": ("BCubed", "PairScore"),
        "study.trial": ("SchemeEvaluation",),
        "study.url_groups": ("group_urls",),
        "study.urls": ("UrlRules", "canonical_url"),
    }

    def __getattr__(name):
        from importlib import import_module

        if name in ("classics", "profiles"):
            return import_module(f"neardup.{name}")
        for home, names in _HOMES.items():
            if name in names:
                value = globals()[name] = getattr(import_module(f"neardup.{home}"), name)
                return value
        raise AttributeError(f"module 'neardup' has no attribute {name!r}")

    def __dir__():
        return __all__


__all__ = [
    "Added",
    "Admission",
    "Agreement",
    "ArrowStream",
    "AtThreshold",
    "BCubed",
    "Change",
    "Changes",
    "Check",
    "ClusterOptions",
    "Clustering",
    "Cohort",
    "Condition",
    "Contact",
    "Contacts",
    "Cost",
    "Curve",
    "CurvePoint",
    "Damage",
    "DamagedIndex",
    "DamagedStore",
    "DataError",
    "DedupOptions",
    "Deduplication",
    "Document",
    "DocumentOptions",
    "DocumentStore",
    "EnvironmentFault",
    "Estimate",
    "EvaluateOptions",
    "Evaluation",
    "Evidence",
    "EvidenceOptions",
    "Explanation",
    "Folded",
    "Found",
    "Gate",
    "Hit",
    "Hits",
    "Index",
    "IndexOptions",
    "IndexedStore",
    "Interrupted",
    "Interval",
    "JobOptions",
    "Lexicon",
    "LexiconOptions",
    "ListOptions",
    "Location",
    "Lost",
    "NeardupError",
    "OpenSearchIndex",
    "Overlap",
    "Page",
    "PairList",
    "PairOptions",
    "PairScore",
    "Passage",
    "PassageList",
    "PassageOptions",
    "PhaseTime",
    "PostgresStore",
    "QueryTerm",
    "Reading",
    "Reject",
    "Removal",
    "Repaired",
    "Review",
    "ReviewOptions",
    "ReviewPoint",
    "Role",
    "SampledPair",
    "Scheme",
    "SchemeEvaluation",
    "SearchIndex",
    "SearchTerm",
    "Sighting",
    "SketchOptions",
    "Sketching",
    "Span",
    "SparkEngine",
    "SqliteStore",
    "Stats",
    "StoredDocument",
    "StratumRow",
    "SweepStore",
    "Table",
    "Truth",
    "UrlRules",
    "UsageError",
    "Verdict",
    "Visit",
    "__version__",
    "at_thresholds",
    "build_lexicon",
    "canonical_url",
    "classics",
    "cluster",
    "dedup",
    "evaluate",
    "evidence",
    "explain",
    "find_mirrors",
    "find_pairs",
    "find_passages",
    "fold",
    "group_urls",
    "plan_scheme",
    "profiles",
    "query_terms",
    "read",
    "recluster",
    "repair",
    "search_terms",
    "sketch",
]
