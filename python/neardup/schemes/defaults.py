"""Defaults of the threshold and the recall of a scheme."""

DEFAULT_THRESHOLD = "0.8"
"""Resemblance from which two documents are near-duplicates."""

DEFAULT_RECALL = "0.99"
"""Probability of finding a pair exactly at the threshold."""
