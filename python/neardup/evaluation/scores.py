"""Precision, recall and F1: of pairs, and of clusters document by document."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from neardup.evaluation.counts import Components, Counts
from neardup.evaluation.intervals import Estimate, estimate

NO_NEGATIVES = (
    "no pair is labelled 0 and the labels are not said to be complete (--complete), "
    "so a found pair cannot be known to be wrong"
)
NOTHING_FOUND = "no pair that the labels decide on was found"
NO_POSITIVES = "the labels name no pair of duplicates"
NOTHING = f"{NO_POSITIVES}, and {NOTHING_FOUND}"


class PairScore(NamedTuple):
    """Numbers of pairs, compared with labels, and the ratios that follow.

    Pairs are found and right (tp), found and wrong (fp, None if it cannot be known) or missed (fn). `components` is the
    number of components that they are in.
    """

    tp: int
    fp: int | None
    fn: int
    components: int
    precision: Estimate
    recall: Estimate
    f1: Estimate


class BCubed(NamedTuple):
    """Means over `documents` of the precision and recall of each document's cluster (Bagga and Baldwin 1998)."""

    documents: int
    components: int
    precision: Estimate
    recall: Estimate
    f1: Estimate


def score_pairs(units: Mapping[Counts, int], *, knows_negatives: bool) -> PairScore:
    """Score the counts of components: precision tp / (tp + fp), recall tp / (tp + fn), F1 2 tp / (2 tp + fp + fn)."""
    tp, fp, positives = (sum(unit[at] * times for unit, times in units.items()) for at in range(3))
    unknown = Estimate(None, None, None, NO_NEGATIVES)
    precision = estimate(units, lambda tp, fp, _: tp / (tp + fp), lambda tp, fp, _: tp + fp, NOTHING_FOUND)
    recall = estimate(units, lambda tp, _, positives: tp / positives, lambda *unit: unit[2], NO_POSITIVES)
    f1 = estimate(
        units,
        lambda tp, fp, positives: 2 * tp / (tp + fp + positives),
        lambda _, fp, positives: fp + positives,
        NOTHING,
    )
    return PairScore(
        tp=tp,
        fp=fp if knows_negatives else None,
        fn=positives - tp,
        components=sum(units.values()),
        precision=precision if knows_negatives else unknown,
        recall=recall,
        f1=f1 if knows_negatives else unknown,
    )


def score_documents(truth: Mapping[str, str] | str, predicted: Mapping[str, str], components: Components) -> BCubed:
    """Score predicted clusters against true ones, document by document.

    For a document whose predicted cluster P and true cluster T, both among the documents of `truth`, share k documents,
    precision is k / |P| and recall k / |T| (Bagga and Baldwin 1998). F1 is the harmonic mean of both means. If there
    are no true clusters, `truth` is a text with the reason.
    """
    if isinstance(truth, str):
        unknown = Estimate(None, None, None, truth)
        return BCubed(0, 0, unknown, unknown, unknown)
    shared = Counter((predicted[document], cluster) for document, cluster in truth.items())
    found, true = Counter(predicted[document] for document in truth), Counter(truth.values())
    sums: dict[str, tuple[float, float, int]] = {}
    for document, cluster in truth.items():
        component = components.of(document)
        both = shared[predicted[document], cluster]
        precision, recall, documents = sums.get(component, (0.0, 0.0, 0))
        sums[component] = (precision + both / found[predicted[document]], recall + both / true[cluster], documents + 1)
    units = Counter(sums.values())
    return BCubed(
        documents=len(truth),
        components=units.total(),
        precision=estimate(units, lambda p, _, n: p / n, lambda *unit: unit[2], NOTHING),
        recall=estimate(units, lambda _, r, n: r / n, lambda *unit: unit[2], NOTHING),
        f1=estimate(units, lambda p, r, n: 2 * p * r / (p + r) / n, lambda *unit: unit[2], NOTHING),
    )
