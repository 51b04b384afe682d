"""The strata of a review, one by one."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from neardup.evaluation.intervals import Estimate
from neardup.evaluation.listed_pair import Key
from neardup.review.figures.cells import Cell
from neardup.review.figures.estimate import estimate_share
from neardup.review.sampling.sampled_pair import SampledPair
from neardup.review.sampling.strata import Strata


class StratumRow(NamedTuple):
    """A stratum: resemblances from `low` to below `high`, or just 1; its pairs, those in the sample, and their labels.

    Of the sample so many are decided, and so many are duplicates; `undecided` are labelled, and nobody was sure, or
    as many for as against. `share` is that of duplicates.
    """

    low: str
    high: str
    pairs: int
    sampled: int
    decided: int
    undecided: int
    duplicates: int
    share: Estimate


def tell_strata(
    strata: Strata, sample: Iterable[SampledPair], verdicts: Mapping[Key, bool | None], cells: Iterable[Cell]
) -> list[StratumRow]:
    """Return of each stratum; `cells` are the strata that have pairs."""
    sampled = Counter(pair.stratum for pair in sample)
    undecided = Counter(pair.stratum for pair in sample if verdicts.get(pair.key, False) is None)
    known = {cell.stratum: cell for cell in cells}
    return [
        StratumRow(
            low=strata.low(stratum),
            high=strata.high(stratum),
            pairs=cell.pairs,
            sampled=sampled[stratum],
            decided=cell.decided,
            undecided=undecided[stratum],
            duplicates=cell.duplicates,
            share=estimate_share(cell, strata),
        )
        for stratum in range(len(strata))
        for cell in [known.get(stratum, Cell(stratum, 0, 0, 0, 0))]
    ]
