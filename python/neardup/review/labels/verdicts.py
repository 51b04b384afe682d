"""What several people say together of a pair."""

from collections.abc import Iterable


def judge(labels: Iterable[str]) -> bool | None:
    """Return whether most of those who are sure take a pair for a duplicate; None when as many do as do not."""
    votes = sum({"duplicate": 1, "not": -1}.get(label, 0) for label in labels)
    return votes > 0 if votes else None
