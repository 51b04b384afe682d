"""One scheme, run over documents and compared with labels."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from neardup.errors import DataError
from neardup.evaluation.counts import Components, Counts, sum_components
from neardup.evaluation.curve import Curve, draw_curve
from neardup.evaluation.labels import Labels
from neardup.evaluation.scores import BCubed, PairScore, score_documents, score_pairs
from neardup.inputs.sources import Inputs
from neardup.jobs.cluster import cluster
from neardup.jobs.pairs import find_pairs
from neardup.results.account import Account
from neardup.results.outcomes import PairList


class PhaseTime(NamedTuple):
    """Duration of a phase of a run."""

    name: str
    seconds: float


class Cost(NamedTuple):
    """Time and memory of a scheme; None if the run does not report it.

    `seconds`, `phases` and `documents_per_second` are those of the run that lists the pairs; clusters are made in a run
    of their own, which takes `cluster_seconds`. Megabytes (millions of bytes) are those of the inputs as they are on
    disk, per second of the phase `sign`, which reads them.
    """

    seconds: float
    phases: list[PhaseTime]
    documents_per_second: float | None
    megabytes_per_second: float | None
    sketch_bytes_per_document: float | None
    cluster_seconds: float


def extract_cost(pairs: dict[str, Any], clusters: dict[str, Any]) -> Cost:
    """Extract the cost from the summaries of both runs."""
    phases = [PhaseTime(phase["name"], phase["seconds"]) for phase in pairs["phases"]]
    seconds, documents = sum(phase.seconds for phase in phases), pairs["counts"]["documents"]
    signed = next((phase for phase in pairs["phases"] if phase["name"] == "sign" and phase["unit"] == "bytes"), None)
    return Cost(
        seconds=seconds,
        phases=phases,
        documents_per_second=_share(documents, seconds),
        megabytes_per_second=None if signed is None else _share(signed["amount"] / 1e6, signed["seconds"]),
        sketch_bytes_per_document=_share(pairs.get("sketch_bytes"), documents),
        cluster_seconds=sum(phase["seconds"] for phase in clusters["phases"]),
    )


def _share(part: float | None, whole: float) -> float | None:
    return part / whole if part is not None and whole else None


UNKNOWN_SHOWN = 5
"""Number of documents without an input that an error names."""
STARS = (
    "groups of very many documents that are equal or share a key are listed as stars: "
    "of their pairs only those with the first document count as found"
)


class SchemeEvaluation(NamedTuple):
    """Scores of one scheme against the labels.

    `pairs` scores the listed pairs. `clusters` scores all pairs that the clusters imply, including those that only a
    chain connects. `b_cubed` scores the clusters document by document.
    """

    scheme: str
    verified: bool
    notes: list[str]
    pairs: PairScore
    clusters: PairScore
    b_cubed: BCubed
    curve: Curve
    cost: Cost


class FoundPairs(NamedTuple):
    """Result of a scheme: pairs with their scores, and the cluster of every document, named by one of its documents."""

    pairs: list[tuple[str, str, float]]
    clusters: dict[str, str]


class Scores(NamedTuple):
    """Scores of the result of a scheme."""

    pairs: PairScore
    clusters: PairScore
    b_cubed: BCubed
    curve: Curve


def try_scheme(
    line: str, labels: Labels, inputs: Inputs, options: dict[str, Any]
) -> tuple[SchemeEvaluation, int, Account]:
    """Run a scheme for clusters and for pairs, and score both.

    Returns the scores, the number of documents, and the account. Raises `DataError` if the labels name a document that
    is in no input.
    """
    clustering = cluster(inputs, scheme=line, **options)
    table = clustering.clusters
    clusters = dict(zip(table.column("id"), table.column("cluster"), strict=True))
    _check_names(labels, clusters)
    listing = find_pairs(inputs, scheme=line, **options)
    measure = "containment" if line.rpartition(" | ")[2].startswith("containment") else "resemblance"
    scores = score_found(labels, FoundPairs(list(_list_pairs(listing, measure)), clusters), measure)
    has_stars = listing.summary["stars"] or listing.summary["starred_keys"]
    notes = [*listing.summary["notes"], *([STARS] if has_stars else [])]
    cost = extract_cost(listing.summary, clustering.summary)
    found = SchemeEvaluation(listing.scheme, listing.verified, notes, *scores, cost)
    return found, len(clusters), Account.of_run(clustering.summary)


def score_found(labels: Labels, found: FoundPairs, measure: str) -> Scores:
    """Score the result of a scheme; components are those of the duplicates and the found clusters together."""
    components = Components(labels.links())
    for document, first in found.clusters.items():
        components.join(document, first)
    judged: list[tuple[str, float, bool]] = []
    for left, right, score in found.pairs:
        verdict = labels.judge(left, right)
        if verdict is not None:
            judged.append((left, score, verdict))
    wanted = [(document, Counts(0, 0, pairs)) for document, pairs in labels.positives()]
    listed = [(left, Counts(int(right), int(not right), 0)) for left, _, right in judged]
    implied = labels.count_implied(found.clusters)
    known, positives = labels.knows_negatives, sum(counts.positives for _, counts in wanted)
    curve = draw_curve(measure, ((score, right) for _, score, right in judged), positives, knows_negatives=known)
    return Scores(
        score_pairs(sum_components([*wanted, *listed], components), knows_negatives=known),
        score_pairs(sum_components([*wanted, *implied], components), knows_negatives=known),
        score_documents(labels.partition(found.clusters), found.clusters, components),
        curve,
    )


def _list_pairs(listing: PairList, measure: str) -> Iterator[tuple[str, str, float]]:
    """Return the pairs with their scores; containment is that of the smaller set in the larger, as in the scheme."""
    table = listing.pairs
    scores = table.column("resemblance")
    if measure == "containment":
        scores = list(map(max, table.column("left_in_right"), table.column("right_in_left")))
    return zip(table.column("left"), table.column("right"), scores, strict=True)


def _check_names(labels: Labels, clusters: dict[str, str]) -> None:
    names = list(labels.names())
    unknown = [name for name in names if name not in clusters]
    if unknown:
        first = ", ".join(map(repr, unknown[:UNKNOWN_SHOWN]))
        more = ", ..." if len(unknown) > UNKNOWN_SHOWN else ""
        raise DataError(
            f"the labels name {len(names):,} documents, and no input has {len(unknown):,} of them: {first}{more}; "
            "labels name documents by the field of the id (id_field, --id-field)"
        )
