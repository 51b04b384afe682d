"""Quality of an answer: pairs and removals compared with the truth."""

from collections import Counter
from collections.abc import Iterable, Sequence

from exact import Truth

Figures = dict[str, float | int | None]


def share(part: int, whole: int) -> float | None:
    """Return part / whole, or None if `whole` is 0."""
    return part / whole if whole else None


def judge_pairs(truth: Truth, given: Iterable[tuple[int, int]]) -> Figures:
    """Return recall and precision of a list of pairs; a pair that occurs twice counts once."""
    pairs = {(min(pair), max(pair)) for pair in given}
    right = sum(truth.shared(*pair) is not None for pair in pairs)
    wanted = sum(1 for _ in truth.pairs())
    return {
        "pairs": len(pairs),
        "true_pairs": wanted,
        "pair_recall": share(right, wanted),
        "pair_precision": share(right, len(pairs)),
    }


def judge_clusters(truth: Truth, labels: Sequence[int]) -> Figures:
    """Return recall and precision of the pairs of documents with equal labels."""
    together = sum(count * (count - 1) // 2 for count in Counter(labels).values())
    wanted = right = 0
    for left, other, _ in truth.pairs():
        wanted += 1
        right += labels[left] == labels[other]
    return {
        "pairs": together,
        "true_pairs": wanted,
        "pair_recall": share(right, wanted),
        "pair_precision": share(right, together),
    }


def judge_removals(truth: Truth, removed: set[int]) -> Figures:
    """Return recall and precision of removals, compared with the leader rule on the exact pairs in input order.

    `lost` counts removed documents that are near no document that the tool kept: their content is lost.
    """
    originals = truth.originals()
    wanted = {document for document, original in enumerate(originals) if original != document}
    near = truth.neighbours()
    kept = {truth.group[document] for document in range(len(truth.ids)) if document not in removed}
    lost = 0
    for document in removed:
        group = truth.group[document]
        lost += group < 0 or not (group in kept or any(other in kept for other in near.get(group, ())))
    right = len(removed & wanted)
    return {
        "removed": len(removed),
        "true_removed": len(wanted),
        "removal_recall": share(right, len(wanted)),
        "removal_precision": share(right, len(removed)),
        "lost": lost,
    }
