"""Pairs for a second look: reviewers disagree, one disagrees with herself, or pairs of like score contradict."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from neardup.evaluation.listed_pair import Key
from neardup.review.agreement import judge
from neardup.review.label_log import Label
from neardup.review.sample import SampledPair

NEIGHBOURS = 10
"""Number of decided pairs nearest in score with which a label is compared."""
OPPOSED = 9
"""Least number of these with the other label that makes a label doubtful."""

Reason = Literal["reviewers disagree", "a reviewer disagrees with herself", "pairs of like score have the other label"]
History = Mapping[Key, Mapping[str, Sequence[Label]]]
"""The valid labels of each person for each pair, oldest first."""


class Doubt(NamedTuple):
    """A pair for a second look: the valid labels by person, and the reasons."""

    pair: SampledPair
    labels: dict[str, Label]
    reasons: list[Reason]


def list_doubts(sample: Iterable[SampledPair], history: History) -> list[Doubt]:
    """List the pairs for a second look, in the order of the sample.

    A label that contradicts its neighbours is confirmed, and no longer doubtful, when the pair has a second one of the
    same kind. A reviewer who labelled a pair in two ways no longer disagrees with herself when most of her labels are
    as the last one.
    """
    pairs = {pair.key: pair for pair in sample}
    opposed = set(find_opposed(pairs, history))
    doubts = []
    for key, pair in pairs.items():
        given = history.get(key, {})
        labels = {who: several[-1] for who, several in given.items()}
        reasons: list[Reason] = []
        if {"duplicate", "not"} <= set(labels.values()):
            reasons.append("reviewers disagree")
        if any(map(is_changed, given.values())):
            reasons.append("a reviewer disagrees with herself")
        if key in opposed:
            reasons.append("pairs of like score have the other label")
        if reasons:
            doubts.append(Doubt(pair, labels, reasons))
    return doubts


def is_changed(labels: Sequence[Label]) -> bool:
    """Return whether a person labelled a pair both `duplicate` and `not`, and the last label is not that of most."""
    verdict = judge(labels)
    return {"duplicate", "not"} <= set(labels) and (verdict is None or verdict is not (labels[-1] == "duplicate"))


def find_opposed(pairs: Mapping[Key, SampledPair], history: History) -> Iterable[Key]:
    """Yield the pairs with one label that OPPOSED of the NEIGHBOURS nearest decided pairs contradict."""
    verdicts = {key: judge(several[-1] for several in history[key].values()) for key in pairs if key in history}
    ranked = sorted((pairs[key].score, key, verdict) for key, verdict in verdicts.items() if verdict is not None)
    for at, (score, key, verdict) in enumerate(ranked):
        near = ranked[max(at - NEIGHBOURS, 0) : at] + ranked[at + 1 : at + 1 + NEIGHBOURS]
        near.sort(key=lambda other: (abs(other[0] - score), other[1]))
        others = [other[2] for other in near[:NEIGHBOURS]]
        sure = [label for several in history[key].values() for label in several if label != "unsure"]
        if others.count(not verdict) >= OPPOSED and len(sure) == 1:
            yield key
