"""Components: what a chain of pairs connects."""

from collections.abc import Iterable


def connect(pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Group names by chains of pairs; each group in order, the largest group first, then by its smallest name."""
    parents: dict[str, str] = {}

    def root(name: str) -> str:
        while (parent := parents.setdefault(name, name)) != name:
            # halving the path on the way keeps it short
            parents[name] = name = parents[parent]
        return name

    for left, right in pairs:
        parents[root(right)] = root(left)
    groups: dict[str, list[str]] = {}
    for name in sorted(parents):
        groups.setdefault(root(name), []).append(name)
    return sorted(groups.values(), key=lambda group: (-len(group), group[0]))
