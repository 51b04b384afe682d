# Written by `make docs` from the list in public.py.

from neardup.inputs.document import ArrowStream as ArrowStream
from neardup.jobs.explanation import Change as Change
from neardup.jobs.explanation import Condition as Condition
from neardup.jobs.explanation import Passage as Passage
from neardup.jobs.explanation import Span as Span
from neardup.jobs.fold import Folded as Folded
from neardup.jobs.lexicon import Lexicon as Lexicon
from neardup.jobs.recluster import AtThreshold as AtThreshold
from neardup.jobs.recluster import at_thresholds as at_thresholds
from neardup.jobs.tokens import WrittenToken as WrittenToken
from neardup.results.document_reader import Reading as Reading
from neardup.results.document_reader import Reject as Reject
from neardup.results.outcomes import Evidence as Evidence
from neardup.results.outcomes import Sketching as Sketching
from neardup.table import Table as Table

__all__ = [
    "ArrowStream",
    "AtThreshold",
    "Change",
    "Condition",
    "Evidence",
    "Folded",
    "Lexicon",
    "Passage",
    "Reading",
    "Reject",
    "Sketching",
    "Span",
    "Table",
    "WrittenToken",
    "at_thresholds",
]
