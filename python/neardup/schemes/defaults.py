"""What a scheme promises unless a call says otherwise."""

DEFAULT_THRESHOLD = "0.8"
"""Resemblance from which two documents are near-duplicates."""

DEFAULT_RECALL = "0.99"
"""Probability of finding a pair exactly at the threshold."""
