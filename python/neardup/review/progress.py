"""How far reviewers are."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from neardup.evaluation.listed_pair import Key
from neardup.review.sampling.sampled_pair import SampledPair
from neardup.review.sampling.strata import Strata


class Progress(NamedTuple):
    """How many pairs of the sample a person has labelled: of all, and of each stratum from the lowest on."""

    labelled: int
    total: int
    strata: list["StratumProgress"]


class StratumProgress(NamedTuple):
    """The same of a stratum."""

    low: str
    high: str
    labelled: int
    total: int


def tell_progress(strata: Strata, sample: Iterable[SampledPair], labelled: Collection[Key]) -> Progress:
    """Return how far a person is who has labelled these pairs."""
    total, done = Counter[int](), Counter[int]()
    for pair in sample:
        total[pair.stratum] += 1
        done[pair.stratum] += pair.key in labelled
    rows = [
        StratumProgress(strata.low(stratum), strata.high(stratum), done[stratum], total[stratum])
        for stratum in range(len(strata))
    ]
    return Progress(done.total(), total.total(), rows)


class Reviewer(NamedTuple):
    """A person, and of how many pairs a label of that person stands."""

    name: str
    labelled: int


def tell_reviewers(labels: Mapping[Key, Collection[str]]) -> list[Reviewer]:
    """Return who labelled how many pairs, by name: of each pair, who says something."""
    counts = Counter(who for said in labels.values() for who in said)
    return [Reviewer(who, counts[who]) for who in sorted(counts)]
