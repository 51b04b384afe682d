# Written by `make docs` from the list in public.py.

from neardup import classics as classics
from neardup import evaluation as evaluation
from neardup import gate as gate
from neardup import index as index
from neardup import profiles as profiles
from neardup import ray as ray
from neardup import results as results
from neardup import review as review
from neardup import spark as spark
from neardup import sweeps as sweeps
from neardup import urls as urls
from neardup._core import Scheme as Scheme
from neardup._core import __version__ as __version__
from neardup.corpus.markup import extract_main_text as extract_main_text
from neardup.errors import DataError as DataError
from neardup.errors import EnvironmentFault as EnvironmentFault
from neardup.errors import Interrupted as Interrupted
from neardup.errors import NeardupError as NeardupError
from neardup.errors import UsageError as UsageError
from neardup.evaluation import BCubed as BCubed
from neardup.evaluation import Cost as Cost
from neardup.evaluation import Curve as Curve
from neardup.evaluation import CurvePoint as CurvePoint
from neardup.evaluation import Estimate as Estimate
from neardup.evaluation import Evaluation as Evaluation
from neardup.evaluation import PairScore as PairScore
from neardup.evaluation import PhaseTime as PhaseTime
from neardup.evaluation import SchemeEvaluation as SchemeEvaluation
from neardup.evaluation import Truth as Truth
from neardup.evaluation import evaluate as evaluate
from neardup.gate import Changes as Changes
from neardup.gate import DamagedStore as DamagedStore
from neardup.gate import DocumentStore as DocumentStore
from neardup.gate import Found as Found
from neardup.gate import IndexedStore as IndexedStore
from neardup.gate import OpenSearchIndex as OpenSearchIndex
from neardup.gate import Page as Page
from neardup.gate import PostgresStore as PostgresStore
from neardup.gate import QueryTerm as QueryTerm
from neardup.gate import Role as Role
from neardup.gate import SearchIndex as SearchIndex
from neardup.gate import SearchTerm as SearchTerm
from neardup.gate import SqliteStore as SqliteStore
from neardup.gate import StoredDocument as StoredDocument
from neardup.gate import query_terms as query_terms
from neardup.gate import search_terms as search_terms
from neardup.gate.gate import Gate as Gate
from neardup.index import Admission as Admission
from neardup.index import Check as Check
from neardup.index import Damage as Damage
from neardup.index import DamagedIndex as DamagedIndex
from neardup.index import Hit as Hit
from neardup.index import Hits as Hits
from neardup.index import Lost as Lost
from neardup.index import Removal as Removal
from neardup.index import Repaired as Repaired
from neardup.index import Verdict as Verdict
from neardup.index import repair as repair
from neardup.index.index import Index as Index
from neardup.inputs.document import Document as Document
from neardup.jobs.cluster import cluster as cluster
from neardup.jobs.dedup import dedup as dedup
from neardup.jobs.evidence import evidence as evidence
from neardup.jobs.explanation import Explanation as Explanation
from neardup.jobs.explanation import explain as explain
from neardup.jobs.fold import fold as fold
from neardup.jobs.lexicon import build_lexicon as build_lexicon
from neardup.jobs.pairs import find_pairs as find_pairs
from neardup.jobs.passages import find_passages as find_passages
from neardup.jobs.read import read as read
from neardup.jobs.recluster import recluster as recluster
from neardup.jobs.sketch import sketch as sketch
from neardup.jobs.tokens import list_tokens as list_tokens
from neardup.ray import RayEngine as RayEngine
from neardup.results import ArrowStream as ArrowStream
from neardup.results import AtThreshold as AtThreshold
from neardup.results import Change as Change
from neardup.results import Condition as Condition
from neardup.results import Evidence as Evidence
from neardup.results import Folded as Folded
from neardup.results import Lexicon as Lexicon
from neardup.results import Passage as Passage
from neardup.results import Reading as Reading
from neardup.results import Reject as Reject
from neardup.results import Sketching as Sketching
from neardup.results import Span as Span
from neardup.results import Table as Table
from neardup.results import WrittenToken as WrittenToken
from neardup.results import at_thresholds as at_thresholds
from neardup.results.outcomes import Clustering as Clustering
from neardup.results.outcomes import Deduplication as Deduplication
from neardup.results.outcomes import PairList as PairList
from neardup.results.outcomes import PassageList as PassageList
from neardup.review import Agreement as Agreement
from neardup.review import Doubt as Doubt
from neardup.review import Goal as Goal
from neardup.review import Outlook as Outlook
from neardup.review import Review as Review
from neardup.review import ReviewPoint as ReviewPoint
from neardup.review import SampledPair as SampledPair
from neardup.review import StratumRow as StratumRow
from neardup.schemes.plan import plan_scheme as plan_scheme
from neardup.spark import SparkEngine as SparkEngine
from neardup.sweeps import Added as Added
from neardup.sweeps import ChangedInterval as ChangedInterval
from neardup.sweeps import ChangeReport as ChangeReport
from neardup.sweeps import Cohort as Cohort
from neardup.sweeps import Contact as Contact
from neardup.sweeps import Contacts as Contacts
from neardup.sweeps import Interval as Interval
from neardup.sweeps import ListedStep as ListedStep
from neardup.sweeps import Location as Location
from neardup.sweeps import Overlap as Overlap
from neardup.sweeps import Removed as Removed
from neardup.sweeps import Sighting as Sighting
from neardup.sweeps import Stats as Stats
from neardup.sweeps import StepCounts as StepCounts
from neardup.sweeps import StepList as StepList
from neardup.sweeps import SweepSize as SweepSize
from neardup.sweeps import SweepStore as SweepStore
from neardup.sweeps import Visit as Visit
from neardup.urls import UrlRules as UrlRules
from neardup.urls import canonical_url as canonical_url
from neardup.urls import find_mirrors as find_mirrors
from neardup.urls import group_urls as group_urls

__all__ = [
    "Clustering",
    "DataError",
    "Deduplication",
    "Document",
    "EnvironmentFault",
    "Explanation",
    "Gate",
    "Index",
    "Interrupted",
    "NeardupError",
    "PairList",
    "PassageList",
    "Scheme",
    "UsageError",
    "__version__",
    "build_lexicon",
    "classics",
    "cluster",
    "dedup",
    "evidence",
    "explain",
    "extract_main_text",
    "find_pairs",
    "find_passages",
    "fold",
    "list_tokens",
    "plan_scheme",
    "profiles",
    "read",
    "recluster",
    "sketch",
]
