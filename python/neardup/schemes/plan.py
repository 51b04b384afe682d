"""The default scheme for a threshold and a recall."""

from neardup._core import Scheme, plan
from neardup.allowed import allow
from neardup.schemes.defaults import DEFAULT_RECALL, DEFAULT_THRESHOLD
from neardup.schemes.number import Number, write_number


@allow
def plan_scheme(threshold: Number = DEFAULT_THRESHOLD, recall: Number = DEFAULT_RECALL) -> Scheme:
    """Choose the default scheme: word 5-shingles, MinHash, and the bands that keep the promised recall.

    `threshold` is a resemblance, 0 < t <= 1; `recall` the probability, below 1, that a pair exactly at the threshold is
    found, or "exact". A float means the decimal it prints as. Raises `UsageError` for numbers out of range.
    """
    return Scheme(plan(write_number(threshold, "threshold"), write_number(recall, "recall")))
