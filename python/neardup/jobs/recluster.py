"""Clusters of a finished run at other thresholds, without its documents."""

from collections.abc import Iterable
from os import PathLike
from typing import Literal, NamedTuple

from neardup import _core
from neardup.allowed import allow
from neardup.options.values import given, output_of
from neardup.results.outcomes import Clustering
from neardup.schemes.number import Number, write_number

ReclusterPolicy = Literal["resemblance", "containment", "contained-by"]


@allow
def recluster(
    run: str | PathLike[str],
    threshold: Number,
    policy: ReclusterPolicy = "resemblance",
    *,
    output: str | PathLike[str] | None = None,
    overwrite: bool = False,
) -> Clustering:
    """Cluster a finished run again, without its documents.

    With `resemblance` and `containment` (of either in the other) the clusters are components; with `contained-by` every
    document joins the largest that contains it. The last two need all pairs: of `find_pairs`, or of `cluster` with
    `pairs=True`. Phase four of Broder, Glassman, Manasse, Zweig 1997.

    Args:
        run: The folder of the results of `cluster` with `forest=True`, or of `find_pairs`.
        threshold: The score from which documents belong together, at or above the threshold of the run.
        policy: What the score measures.
        output: Folder for the clusters at one threshold.
        overwrite: Replace a result that is already in the output folder.

    Returns:
        The documents that belong with another: id, cluster, size. The summary has `warnings` of families too large for
        the run to compare all their pairs.

    Raises:
        UsageError: The run cannot answer this.
        DataError: A file of the run is damaged.
        EnvironmentFault: A file cannot be read or written.

    Example:
        >>> text = "the quay was empty when the last ferry left for the islands that night"
        >>> run = neardup.cluster([text, text.upper(), "another text"], output=folder / "run", forest=True)
        >>> neardup.recluster(folder / "run", 0.9).clusters.column("size")
        [2, 2]
    """
    options = given("recluster", locals())
    folder = output_of(options)
    written = write_number(threshold, "threshold")
    return Clustering(_core.recluster(str(run), written, policy, folder, bool(overwrite)), folder)


class AtThreshold(NamedTuple):
    """Counts of the clusters of a run at one threshold."""

    threshold: str
    clusters: int
    """Number of clusters of two or more documents."""
    clustered: int
    """Number of documents in them."""
    largest: int
    """Number of documents in the largest."""


@allow
def at_thresholds(
    run: str | PathLike[str],
    thresholds: Iterable[Number],
    policy: ReclusterPolicy = "resemblance",
) -> list[AtThreshold]:
    """Count the clusters of a finished run at several thresholds, to choose one for `recluster`.

    Args:
        run: As for `recluster`.
        thresholds: The thresholds.
        policy: As for `recluster`.

    Returns:
        The counts at each threshold, in the order given.

    Raises:
        UsageError: The run cannot answer this.
        DataError: A file of the run is damaged.
        EnvironmentFault: A file cannot be read.

    Example:
        >>> text = "the quay was empty when the last ferry left for the islands that night"
        >>> run = neardup.cluster([text, text.upper(), "another text"], output=folder / "run", forest=True)
        >>> [row.largest for row in neardup.results.at_thresholds(folder / "run", [0.8, 0.9])]
        [2, 2]
    """
    return compare_thresholds(run, thresholds, policy)[0]


def compare_thresholds(
    run: str | PathLike[str], thresholds: Iterable[Number], policy: ReclusterPolicy, *, words_alone: bool = False
) -> tuple[list[AtThreshold], list[str]]:
    """Return the counts of `at_thresholds`, and the warnings of `recluster`.

    With `words_alone`, the threshold 1 is allowed for a run without signs.
    """
    written = [write_number(threshold, "threshold") for threshold in thresholds]
    rows, warnings = _core.at_thresholds(str(run), written, policy, words_alone)
    return [AtThreshold(*row) for row in rows], warnings
