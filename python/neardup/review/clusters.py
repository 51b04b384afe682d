"""The clusters that the pairs of a run make at each threshold."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from neardup.evaluation.listed_pair import ListedPair
from neardup.jobs.recluster import AtThreshold
from neardup.review.decimals import write_decimal
from neardup.review.measure import Score


def count_clusters(pairs: Iterable[tuple[ListedPair, Score]], thresholds: Sequence[Fraction]) -> list[AtThreshold]:
    """Count the connected components of the pairs at or above each of the ascending thresholds, by union and find."""
    ranked = sorted(((Fraction(*score), pair.left, pair.right) for pair, score in pairs), reverse=True)
    parents, sizes, largest = dict[str, str](), Counter[str](), 1

    def find(name: str) -> str:
        while (parent := parents.setdefault(name, name)) != name:
            parents[name] = parents[parent]
            name = parents[name]
        return name

    found, at = list[AtThreshold](), 0
    for threshold in reversed(thresholds):
        while at < len(ranked) and ranked[at][0] >= threshold:
            first, second = map(find, ranked[at][1:])
            at += 1
            if first != second:
                parents[first] = second
                sizes[second] = (sizes[second] or 1) + (sizes.pop(first, 0) or 1)
                largest = max(largest, sizes[second])
        found.append(AtThreshold(write_decimal(threshold), len(sizes), sizes.total(), largest if sizes else 0))
    return found[::-1]
