# Written by `make docs` from the list in public.py.

from neardup.review.figures.curve import ReviewPoint as ReviewPoint
from neardup.review.figures.table import StratumRow as StratumRow
from neardup.review.labels.agreement import Agreement as Agreement
from neardup.review.review import Review as Review
from neardup.review.sampling.sampled_pair import SampledPair as SampledPair

__all__ = [
    "Agreement",
    "Review",
    "ReviewPoint",
    "SampledPair",
    "StratumRow",
]
