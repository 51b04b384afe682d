# Written by `make docs` from the list in public.py.

from neardup.evaluation.curve import Curve as Curve
from neardup.evaluation.curve import CurvePoint as CurvePoint
from neardup.evaluation.evaluation import Evaluation as Evaluation
from neardup.evaluation.evaluation import Truth as Truth
from neardup.evaluation.evaluation import evaluate as evaluate
from neardup.evaluation.intervals import Estimate as Estimate
from neardup.evaluation.scores import BCubed as BCubed
from neardup.evaluation.scores import PairScore as PairScore
from neardup.evaluation.trial import Cost as Cost
from neardup.evaluation.trial import PhaseTime as PhaseTime
from neardup.evaluation.trial import SchemeEvaluation as SchemeEvaluation

__all__ = [
    "BCubed",
    "Cost",
    "Curve",
    "CurvePoint",
    "Estimate",
    "Evaluation",
    "PairScore",
    "PhaseTime",
    "SchemeEvaluation",
    "Truth",
    "evaluate",
]
