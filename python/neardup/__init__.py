"""neardup: near-duplicate documents, found, grouped and explained.

    import neardup

    result = neardup.dedup(["some text ...", "some other text ..."])
    result.kept

The jobs are `dedup`, `cluster` and `find_pairs`; `explain` compares two texts, `read` gives the documents of files.
"""

from neardup._core import Scheme, Table, __version__
from neardup.document import ArrowStream, Document
from neardup.errors import DataError, EnvironmentFault, Interrupted, NeardupError, UsageError
from neardup.explanation import Change, Explanation, Passage, Span, explain
from neardup.options import DedupOptions, JobOptions, PairOptions
from neardup.pipeline import cluster, dedup, find_pairs, read
from neardup.results import Clustering, Deduplication, PairList
from neardup.scheme import plan_scheme

__all__ = [
    "ArrowStream",
    "Change",
    "Clustering",
    "DataError",
    "DedupOptions",
    "Deduplication",
    "Document",
    "EnvironmentFault",
    "Explanation",
    "Interrupted",
    "JobOptions",
    "NeardupError",
    "PairList",
    "PairOptions",
    "Passage",
    "Scheme",
    "Span",
    "Table",
    "UsageError",
    "__version__",
    "cluster",
    "dedup",
    "explain",
    "find_pairs",
    "plan_scheme",
    "read",
]
