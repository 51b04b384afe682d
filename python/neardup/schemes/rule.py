"""The rules by which two documents count as near-duplicates."""

from typing import Literal, get_args

Rule = Literal["identical", "lexical", "shingles", "near"]
"""Name of a rule."""
RULES: tuple[str, ...] = get_args(Rule)
"""The rules by their number, which digests and rows of the core contain; the first that applies decides."""
