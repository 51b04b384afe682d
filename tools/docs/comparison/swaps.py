"""Duplicates that Tianwang misses because keywords N and N + 1 changed places."""

from typing import NamedTuple

import neardup
from comparison.sets import VARIED, Labelled
from comparison.settings import COUNTS
from comparison.trials import Trials
from neardup.classics import tianwang
from neardup.evaluation.labels import Labels, read_labels
from neardup.inputs.sources import Inputs
from pages import write_table


class Swaps(NamedTuple):
    """Counts of labelled duplicates, by the keywords that they have in common.

    Two pages have the same first N + 1 keywords and the same first N - 1, but not the same first N, exactly if the
    keywords at N and N + 1 changed places. So three runs of rule 5 count the swaps without reading keywords.
    """

    duplicates: int
    """All labelled duplicates."""
    missed: int
    """Duplicates with other first N keywords, which rules 4 and 5 miss."""
    edge: int
    """Those of the missed with the same first N - 1, in any order."""
    swapped: int
    """Those of `edge` with the same first N + 1: the keywords at N and N + 1 changed places."""
    reordered: int
    """Duplicates with the same first N in another order, which rules 2 and 3 miss as well."""


def write_swaps(trials: Trials) -> str:
    """Write the swaps by set and N."""
    head = ["set", "N", "duplicates", "other first N", "same first N - 1", "N and N + 1 swapped", "same N, reordered"]
    return write_table(head, (_write_row(trials, labelled, n) for labelled in VARIED for n in COUNTS))


def _write_row(trials: Trials, labelled: Labelled, n: int) -> list[str]:
    found = trials.keep(labelled, f"swaps at {n}", lambda: _count(trials, labelled, n)._asdict())
    return [labelled.short, str(n), *(f"{found[field]:,}" for field in Swaps._fields)]


def _count(trials: Trials, labelled: Labelled, n: int) -> Swaps:
    options = {"at": None, "margin": None, "complete": False, **labelled.options}
    return count_swaps(read_labels(trials.truth(labelled), **options), trials.documents(labelled), n)


def count_swaps(labels: Labels, inputs: Inputs, n: int) -> Swaps:
    """Count the swaps at the edge of the first `n` keywords, `n` at least 2; documents are identified by `id`."""
    before, same, after = (_find(labels, inputs, 5, count) for count in (n - 1, n, n + 1))
    duplicates = sum(pairs for _, pairs in labels.positives())
    return Swaps(
        duplicates=duplicates,
        missed=duplicates - len(same),
        edge=len(before - same),
        swapped=len((before & after) - same),
        reordered=len(same - _find(labels, inputs, 2, n)),
    )


def _find(labels: Labels, inputs: Inputs, rule: int, n: int) -> set[tuple[str, str]]:
    """Find the labelled duplicates that a rule of Tianwang recognises."""
    pairs = neardup.find_pairs(inputs, scheme=tianwang(rule, n), id_field="id").pairs
    return {pair for pair in zip(pairs.column("left"), pairs.column("right"), strict=True) if labels.judge(*pair)}
