"""The labels of a review, as `neardup.evaluation.evaluate` reads them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from neardup.evaluation.intervals import DIGITS
from neardup.review.labels.standing import LABELS, Labels
from neardup.review.labels.verdicts import judge
from neardup.review.sampling.sampled_pair import SampledPair


def export_rows(sample: Iterable[SampledPair], labels: Labels) -> Iterator[dict[str, Any]]:
    """Yield the decided pairs as a, b and label (0 or 1), with their resemblance and how many said what."""
    for pair in sample:
        said = Counter[str](labels.get(pair.key, {}).values())
        verdict = judge(said.elements())
        if verdict is not None:
            a, b = pair.key
            row = {"a": a, "b": b, "label": int(verdict), "resemblance": round(float(pair.resemblance), DIGITS)}
            yield row | {label: said[label] for label in LABELS}
