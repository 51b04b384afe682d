"""neardup: near-duplicate documents, found, grouped and explained.

    import neardup

    result = neardup.dedup(["some text ...", "some other text ..."])
    result.kept

The jobs are `dedup`, `cluster` and `find_pairs`; `explain` compares two texts, `read` gives the documents of files,
`build_lexicon` counts in how many of them each term stands.
"""

from typing import TYPE_CHECKING

from neardup.errors import DataError, EnvironmentFault, Interrupted, NeardupError, UsageError

if TYPE_CHECKING:
    from neardup._core import Scheme, Table, __version__
    from neardup.document import ArrowStream, Document
    from neardup.explanation import Change, Explanation, Passage, Span, explain
    from neardup.lexicon import Lexicon, build_lexicon
    from neardup.options import DedupOptions, JobOptions, LexiconOptions, PairOptions
    from neardup.pipeline import cluster, dedup, find_pairs, read
    from neardup.results import Clustering, Deduplication, PairList
    from neardup.scheme import plan_scheme
else:
    # at run time each of these is imported when it is first asked for (PEP 562): no command needs them all
    _HOMES = {
        "_core": ("Scheme", "Table", "__version__"),
        "document": ("ArrowStream", "Document"),
        "explanation": ("Change", "Explanation", "Passage", "Span", "explain"),
        "lexicon": ("Lexicon", "build_lexicon"),
        "options": ("DedupOptions", "JobOptions", "LexiconOptions", "PairOptions"),
        "pipeline": ("cluster", "dedup", "find_pairs", "read"),
        "results": ("Clustering", "Deduplication", "PairList"),
        "scheme": ("plan_scheme",),
    }

    def __getattr__(name):
        from importlib import import_module

        for home, names in _HOMES.items():
            if name in names:
                value = globals()[name] = getattr(import_module(f"neardup.{home}"), name)
                return value
        raise AttributeError(f"module 'neardup' has no attribute {name!r}")

    def __dir__():
        return __all__


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
    "Lexicon",
    "LexiconOptions",
    "NeardupError",
    "PairList",
    "PairOptions",
    "Passage",
    "Scheme",
    "Span",
    "Table",
    "UsageError",
    "__version__",
    "build_lexicon",
    "cluster",
    "dedup",
    "explain",
    "find_pairs",
    "plan_scheme",
    "read",
]
