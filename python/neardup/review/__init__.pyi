# Written by `make docs` from the list in public.py.

from neardup.review.agreement import Agreement as Agreement
from neardup.review.curve import ReviewPoint as ReviewPoint
from neardup.review.curve import StratumRow as StratumRow
from neardup.review.review import Review as Review
from neardup.review.sample import SampledPair as SampledPair

__all__ = [
    "Agreement",
    "Review",
    "ReviewPoint",
    "SampledPair",
    "StratumRow",
]
