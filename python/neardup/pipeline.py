"""The jobs: dedup, cluster, find pairs, show the evidence, read."""

from collections.abc import Iterable, Sequence
from itertools import chain
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Unpack, cast, overload

from neardup import _core
from neardup.allowed import allow, check_count, check_options, show
from neardup.document import ArrowStream, Document
from neardup.engine import RunResult
from neardup.errors import UsageError
from neardup.options import (
    FIELDS,
    ClusterOptions,
    DedupOptions,
    DocumentOptions,
    EvidenceOptions,
    JobOptions,
    ListOptions,
    gather_references,
    translate,
)
from neardup.reading import Reading
from neardup.results import Clustering, Deduplication, Evidence, PairList
from neardup.scheme import Number, write_number
from neardup.sources import Gathered, Inputs, file_name, gather, gather_paths, is_frame

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame

Files = str | PathLike[str] | Iterable[PathLike[str]]


@overload
def dedup(inputs: Files, **options: Unpack[DedupOptions]) -> "Deduplication[Path | None]": ...  # type: ignore[overload-overlap]
@overload
def dedup(inputs: "DataFrame", **options: Unpack[DedupOptions]) -> "Deduplication[DataFrame]": ...  # type: ignore[overload-overlap]
@overload
def dedup(inputs: ArrowStream, **options: Unpack[DedupOptions]) -> Deduplication[_core.Table]: ...
@overload
def dedup(inputs: Iterable[Document], **options: Unpack[DedupOptions]) -> Deduplication[list[Document]]: ...
@overload
def dedup(inputs: Iterable[str], **options: Unpack[DedupOptions]) -> Deduplication[list[str]]: ...
@overload
def dedup(inputs: Iterable[ArrowStream], **options: Unpack[DedupOptions]) -> Deduplication[None]: ...
@allow
def dedup(inputs: Inputs, **options: Unpack[DedupOptions]) -> Deduplication[Any]:
    """Drop every document that truly meets the measure with a kept one (the leader rule).

    `inputs` is one path, glob or "-" as `str`; or a list of `Path`; or a list of texts (`str`); or a list of
    `Document`; or an Arrow table; or a Spark DataFrame. `options` are those of `neardup.DedupOptions`. Raises
    `UsageError`, `DataError`, `EnvironmentFault`.
    """
    check_options(options, DedupOptions)
    gathered = gather(inputs)
    result = run_verb("dedup", gathered, cast(dict[str, Any], options))
    return Deduplication(result, _folder(options), gathered.items)


@allow
def cluster(inputs: Inputs, **options: Unpack[ClusterOptions]) -> Clustering:
    """Group documents into components of the pairs that meet the measure, each with its leader groups.

    `inputs` as in `dedup`; `options` are those of `neardup.ClusterOptions`. Raises `UsageError`, `DataError`,
    `EnvironmentFault`.
    """
    check_options(options, ClusterOptions)
    return Clustering(run_verb("cluster", gather(inputs), cast(dict[str, Any], options)), _folder(options))


@allow
def find_pairs(inputs: Inputs, **options: Unpack[ListOptions]) -> PairList:
    """List every pair of documents that meets the measure, groups of equal documents expanded.

    With `against`, only pairs of an input with a reference document. `inputs` as in `dedup`; `options` are those of
    `neardup.ListOptions`. Raises `UsageError`, `DataError`, `EnvironmentFault`.
    """
    check_options(options, ListOptions)
    return PairList(run_verb("pairs", gather(inputs), cast(dict[str, Any], options)), _folder(options))


@allow
def recluster(
    run: str | PathLike[str],
    threshold: Number,
    policy: Literal["resemblance", "containment", "contained-by"] = "resemblance",
    *,
    output: str | PathLike[str] | None = None,
    overwrite: bool = False,
) -> Clustering:
    """Cluster a finished run again, without its documents.

    `run` is the folder of the results of `cluster` with `forest=True`, or of `find_pairs`; `threshold` lies at or above
    that of the run. With `resemblance` and `containment` (of either in the other) the clusters are components; with
    `contained-by` every document goes to the largest that contains it. The last two ask for all pairs: of
    `find_pairs`, or of `cluster` with `pairs=True`. The clusters list the documents that belong with another: id,
    cluster, size. The summary has `warnings`: of families too large for the run to compare all their pairs. Raises
    `UsageError` for what the run cannot answer. Phase four of Broder, Glassman, Manasse, Zweig 1997.
    """
    folder = None if output is None else str(output)
    result = _core.recluster(str(run), write_number(threshold, "threshold"), policy, folder, overwrite)
    return Clustering(result, folder)


class AtThreshold(NamedTuple):
    """What clusters a run has at one threshold."""

    threshold: str
    clusters: int
    """Clusters of two or more."""
    clustered: int
    """Documents in them."""
    largest: int
    """Documents in the largest."""


@allow
def at_thresholds(
    run: str | PathLike[str],
    thresholds: Iterable[Number],
    policy: Literal["resemblance", "containment", "contained-by"] = "resemblance",
) -> list[AtThreshold]:
    """Tell what clusters a finished run has at each of several thresholds, to choose one; what `recluster` then makes.

    `run`, `policy` and the errors are those of `recluster`.
    """
    return compare_thresholds(run, thresholds, policy)[0]


def compare_thresholds(
    run: str | PathLike[str],
    thresholds: Iterable[Number],
    policy: Literal["resemblance", "containment", "contained-by"],
) -> tuple[list[AtThreshold], list[str]]:
    """Tell the same, and what `recluster` warns of."""
    written = [write_number(threshold, "threshold") for threshold in thresholds]
    rows, warnings = _core.at_thresholds(str(run), written, policy)
    return [AtThreshold(*row) for row in rows], warnings


@allow
def evidence(run: str | PathLike[str], **options: Unpack[EvidenceOptions]) -> Evidence:
    """Find where the documents of the pairs of a finished run say the same.

    `run` is the folder of the results of `dedup` (every dropped document with its original), `cluster` (with its
    leader) or `find_pairs`; `options` are those of `neardup.EvidenceOptions`. The documents are read again, from where
    the run read them or from `inputs`. Raises `UsageError` when they are not the same, `DataError`, `EnvironmentFault`.
    """
    import json

    asked = cast(dict[str, Any], options)
    check_options(asked, EvidenceOptions)
    for name in ("ids", "clusters"):
        if isinstance(asked.get(name), str):
            raise UsageError(f"{name} is {asked[name]!r}; it is a list of ids")
    if asked.get("sample") is not None:
        check_count("sample", asked["sample"])
    if asked.get("texts") and asked.get("output") is None:
        raise UsageError("texts go to evidence.jsonl in the folder of the results: name it as output")
    scheme, reading = json.loads(_core.reading(str(run)))
    gathered = {}
    for name in ("inputs", "against"):
        if asked.get(name) is not None or reading[name] is not None:
            given = gather if name == "inputs" else gather_references
            gathered[name] = given(asked[name]) if asked.get(name) is not None else gather_paths(reading[name])
    if "inputs" not in gathered:
        raise UsageError(f"{run}: its documents did not come from files, or from stdin: give them once more as inputs")
    own = ("output", "overwrite", "threads", "memory", "command")
    core = translate(
        {name: asked[name] for name in own if name in asked}
        | {"scheme": scheme, "main_content": reading["main_content"]}
    )
    core |= {name: reading[name] for name in (*FIELDS, "prefer", "quoted_tsv", "on_error") if reading[name] is not None}
    if "against" in gathered:
        core["against"] = gathered["against"].inputs
    result = _core.evidence(
        str(run),
        gathered["inputs"].inputs,
        cast(Any, core),
        list(asked.get("ids") or ()),
        list(asked.get("clusters") or ()),
        asked.get("rule"),
        asked.get("sample"),
        bool(asked.get("texts", False)),
        asked.get("progress"),
    )
    return Evidence(result, None if asked.get("output") is None else str(asked["output"]))


@allow
def read(inputs: "Files | list[str] | ArrowStream | DataFrame", **options: Unpack[DocumentOptions]) -> Reading:
    """Read the documents of files, indexes or a table one after another, in input order.

    A list of `str` is a list of paths here. Fields, HTML and archives are read as in the jobs, and the errors are the
    same; `on_error="skip"` passes over records that cannot be used, and leaves them in `rejects`. A Spark DataFrame
    comes to this machine a partition at a time, in the order of its ids. `options` are those of
    `neardup.DocumentOptions`.
    """
    check_options(options, DocumentOptions)
    core = translate(cast(dict[str, Any], options))
    if is_frame(inputs):
        from neardup.spark.reading import stream_of

        return _reading([stream_of(inputs, core)], core)
    if isinstance(inputs, ArrowStream):
        known = gather(inputs)
        return _reading(known.inputs, {**known.options, **core})
    if not isinstance(inputs, str | PathLike | Iterable):
        raise UsageError(f"documents cannot be read from {show(inputs)}; give a path, a list of paths, or a table")
    names = [file_name(path) for path in ([inputs] if isinstance(inputs, str | PathLike) else inputs)]
    gathered = gather_paths(names).inputs
    indexes = [index for index in gathered if isinstance(index, _core.Index)]
    if indexes:
        from neardup.live.index import Index

        return Reading(chain.from_iterable(map(Index, indexes, names)), None)
    return _reading(names, core)


def _reading(inputs: Sequence[str] | Sequence[ArrowStream], core: dict[str, Any]) -> Reading:
    reader = _core.read(inputs, cast(Any, core))
    return Reading(
        (Document(text, key, url, time, source, row) for key, text, url, time, source, row in reader), reader
    )


def run_verb(
    verb: Literal["dedup", "cluster", "pairs", "sketch", "passages"],
    gathered: Gathered,
    options: dict[str, Any],
    more: dict[str, Any] | None = None,
) -> RunResult:
    """Run a verb over gathered inputs; `more` are options that no other verb has."""
    core = translate(options) | (more or {})
    chosen = {"scheme", "threshold", "recall"} & core.keys()
    for name, value in gathered.options.items():
        if name != "scheme" or not chosen:
            core.setdefault(name, value)
    if "id_field" not in core and any(isinstance(one, _core.Index) for one in core.get("against", ())):
        raise UsageError(
            "an index has its ids in the field `id`: what is compared with it needs ids, too, in a field of that name"
        )
    engine = options.get("engine") or gathered.engine
    if engine is not None:
        return engine.run(verb, gathered.inputs, core, options.get("progress"), options.get("notice"))
    return _core.run(verb, gathered.inputs, cast(Any, core), options.get("progress"), options.get("notice"))


def _folder(options: JobOptions) -> str | None:
    output = options.get("output")
    return None if output is None else str(output)
