"""Passages as JSON."""

from typing import Any

from neardup.explanation import Passage


def describe_passage(passage: Passage) -> dict[str, Any]:
    """Give a passage by name."""
    return {"tokens": passage.tokens, "left": passage.left._asdict(), "right": passage.right._asdict()}
