"""What the edge of Tianwang's keywords costs: duplicates whose keywords N and N + 1 changed places."""

from typing import NamedTuple

import neardup
from comparison.sets import TELLING, Labelled
from comparison.settings import COUNTS
from comparison.trials import Trials
from neardup.classics import tianwang
from neardup.evaluation.labels import Labels, read_labels
from neardup.inputs.sources import Inputs
from pages import write_table


class Swaps(NamedTuple):
    """Labelled duplicates, by what their keywords have in common.

    The first N + 1 of two pages are the same, and so are the first N - 1, but the first N are not, exactly when the
    keywords at the places N and N + 1 changed places. So three runs of rule 5 show it, and no keyword has to be seen.
    """

    duplicates: int
    """All of them."""
    missed: int
    """Not the same first N: what rules 4 and 5 miss."""
    edge: int
    """Of these, the same first N - 1, in any order."""
    swapped: int
    """Of these, the same first N + 1: the keywords at N and N + 1 changed places."""
    reordered: int
    """The same first N, in another order: what rules 2 and 3 miss besides."""


def write_swaps(trials: Trials) -> str:
    """Write the swaps by set and N."""
    head = ["set", "N", "duplicates", "other first N", "same first N - 1", "N and N + 1 swapped", "same N, reordered"]
    return write_table(head, (_write_row(trials, labelled, n) for labelled in TELLING for n in COUNTS))


def _write_row(trials: Trials, labelled: Labelled, n: int) -> list[str]:
    found = trials.keep(labelled, f"swaps at {n}", lambda: _count(trials, labelled, n)._asdict())
    return [labelled.short, str(n), *(f"{found[field]:,}" for field in Swaps._fields)]


def _count(trials: Trials, labelled: Labelled, n: int) -> Swaps:
    options = {"at": None, "margin": None, "complete": False, **labelled.options}
    return count_swaps(read_labels(trials.truth(labelled), **options), trials.documents(labelled), n)


def count_swaps(labels: Labels, inputs: Inputs, n: int) -> Swaps:
    """Count the swaps at the edge of the first `n` keywords, at least 2; documents are named by their `id`."""
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
    """Find the labelled duplicates that a rule of Tianwang's takes for such."""
    pairs = neardup.find_pairs(inputs, scheme=tianwang(rule, n), id_field="id").pairs
    return {pair for pair in zip(pairs.column("left"), pairs.column("right"), strict=True) if labels.judge(*pair)}
