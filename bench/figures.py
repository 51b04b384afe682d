"""How good an answer is: pairs and removals compared with the truth."""

from collections import Counter
from collections.abc import Iterable, Sequence

from exact import Truth

Figures = dict[str, float | int | None]


def share(part: int, whole: int) -> float | None:
    """Return part / whole, or None when there is nothing to share."""
    return part / whole if whole else None


def judge_pairs(truth: Truth, given: Iterable[tuple[int, int]]) -> Figures:
    """Recall and precision of a list of pairs; a pair given twice counts once."""
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
    """Recall and precision of the pairs of documents that carry one label."""
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
    """Recall and precision of removals against the leader rule on the exact pairs, in input order.

    `lost` counts removed documents that truly meet no document that the tool kept: what they said is gone.
    """
    originals = truth.originals()
    wanted = {document for document, original in enumerate(originals) if original != document}
    near = truth.neighbours()
    standing = {truth.group[document] for document in range(len(truth.ids)) if document not in removed}
    lost = 0
    for document in removed:
        group = truth.group[document]
        lost += group < 0 or not (group in standing or any(other in standing for other in near.get(group, ())))
    right = len(removed & wanted)
    return {
        "removed": len(removed),
        "true_removed": len(wanted),
        "removal_recall": share(right, len(wanted)),
        "removal_precision": share(right, len(removed)),
        "lost": lost,
    }
