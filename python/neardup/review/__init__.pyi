# Written by `make docs` from the list in public.py.

from neardup.review.advice import Outlook as Outlook
from neardup.review.agreement import Agreement as Agreement
from neardup.review.curve import ReviewPoint as ReviewPoint
from neardup.review.curve import StratumRow as StratumRow
from neardup.review.goal import Goal as Goal
from neardup.review.review import Review as Review
from neardup.review.sample import SampledPair as SampledPair
from neardup.review.second_look import Doubt as Doubt

__all__ = [
    "Agreement",
    "Doubt",
    "Goal",
    "Outlook",
    "Review",
    "ReviewPoint",
    "SampledPair",
    "StratumRow",
]
