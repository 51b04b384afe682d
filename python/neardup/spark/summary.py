"""The summary of a run over Spark: what `run.json` says, in the words of a run on one machine."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from neardup import _core
from neardup.spark.documents import INPUT, Names, place_of
from neardup.spark.tasks import RULES

if TYPE_CHECKING:
    from neardup.spark.passes import Found, Pass
    from neardup.spark.request import Request

LISTED = 100
"""Documents that are listed by id, of each kind."""


@dataclass(frozen=True)
class Outcome:
    """All that a run found, as the summary is made of it."""

    passes: "list[Pass]"
    found: "list[Found]"
    names: Names
    made: dict[str, DataFrame]
    """The tables, the verb's own first."""
    drops: DataFrame
    rejects: list[str]
    digest: str
    phases: list[tuple[str, float]]


def summarise(request: "Request", outcome: Outcome) -> str:
    """Write the summary of a run."""
    counts, capped = _counts(request, outcome), _capped(outcome)
    summary: dict[str, Any] = {
        "neardup": _core.__version__,
        "unicode": _core.unicode_version,
        "engine": "spark",
        "verb": request.verb,
        "command": request.options.get("command"),
        "scheme": str(request.scheme),
        "notes": request.scheme.notes_of_run([one["pass"] for one in capped]),
        "keep": request.keep,
        "verified": request.scheme.verified,
        "digest": outcome.digest,
        "passes": _passes(outcome, counts["documents"], decides=request.verb != "pairs"),
        "counts": counts,
        "effort": None,
        "clusters": _groups(request, outcome),
        "inputs": _inputs(request, outcome),
        "phases": [
            {
                "name": name,
                "seconds": seconds,
                "unit": "documents",
                "amount": counts["documents"],
                "rate": _rate(counts["documents"], seconds),
            }
            for name, seconds in outcome.phases
        ],
        "certificate": None,
        "capped": capped,
        "stars": [],
        "starred_keys": [],
        "without_text": _without_text(outcome),
        "thin": [],
    }
    return json.dumps(summary, indent=2, ensure_ascii=False)


def _rate(amount: int | None, seconds: float) -> float:
    return (amount or 0) / seconds if seconds else 0.0


def _listed(outcome: Outcome) -> DataFrame:
    """Give the documents of the input that results list."""
    return outcome.found[0].signed.where((sf.col("side") == INPUT) & sf.col("reason").isNull())


def _counts(request: "Request", outcome: Outcome) -> dict[str, int | None]:
    def count(condition: Any) -> Any:
        return sf.count(sf.when(condition, 1))

    least = outcome.passes[0].tasks().shortest
    usable = outcome.found[0].signed.where("reason is null")
    is_input = sf.col("side") == INPUT
    documents, *_ = usable.agg(
        count(is_input).alias("documents"),
        count(is_input & (sf.col("tokens") == 0)).alias("without_text"),
        count(is_input & sf.col("tokens").between(1, least - 1)).alias("short"),
        count(~is_input).alias("reference"),
    ).collect()
    decided = dict.fromkeys(range(len(RULES)), 0)
    if request.verb != "pairs":
        decided |= {row["rule"]: row["count"] for row in outcome.drops.groupBy("rule").count().collect()}
    dropped = sum(decided.values())
    pairs = outcome.made["pairs"].count() if "pairs" in outcome.made else None
    return {
        "documents": documents["documents"],
        "kept": documents["documents"] - dropped,
        "dropped": dropped,
        **{name: decided[rule] for rule, name in enumerate(RULES)},
        "pairs": pairs,
        "without_text": documents["without_text"],
        "short": documents["short"],
        "thin_samples": None,
        "rejected": len(outcome.rejects),
        "reference": documents["reference"],
    }


def _passes(outcome: Outcome, documents: int | None, *, decides: bool) -> list[dict[str, Any]]:
    dropped = {row["pass"]: row["count"] for row in outcome.drops.groupBy("pass").count().collect()}
    seen, passes = documents or 0, []
    for one in outcome.passes:
        went = dropped.get(one.number, 0)
        is_told = decides or one.number < len(outcome.passes)
        tasks = one.tasks()
        told = {"lexicon": tasks.lexicon, "frame": tasks.frame, "caps": tasks.caps}
        passes.append({"documents": seen, "dropped": went if is_told else None, **told})
        seen -= went
    return passes


def _groups(request: "Request", outcome: Outcome) -> dict[str, int] | None:
    """Give Broder's table: how many clusters of two or more, and of what."""
    if request.verb == "pairs":
        return None
    name, size_of = ("decisions", "group_size") if request.verb == "dedup" else ("clusters", "size")
    rows = outcome.made[name]
    others = sf.count(sf.when(sf.col("rule_number") != 0, 1))
    staying = sf.count(sf.when(sf.col("rule_number").isNull(), 1))
    groups = (
        rows.groupBy("group")
        .agg(sf.first(size_of).alias("size"), ((others == 0) & (staying <= 1)).alias("identical"))
        .where("size > 1")
    )
    table = {
        row["identical"]: row
        for row in groups.groupBy("identical")
        .agg(sf.count("*").alias("clusters"), sf.sum("size").alias("documents"), sf.max("size").alias("largest"))
        .collect()
    }

    def told(*, identical: bool, name: str) -> int:
        return int(table[identical][name]) if identical in table else 0

    return {
        "clusters": sum(told(identical=one, name="clusters") for one in (True, False)),
        "documents": sum(told(identical=one, name="documents") for one in (True, False)),
        "identical_clusters": told(identical=True, name="clusters"),
        "identical_documents": told(identical=True, name="documents"),
        "mixed_clusters": told(identical=False, name="clusters"),
        "mixed_documents": told(identical=False, name="documents"),
        "largest": max(told(identical=one, name="largest") for one in (True, False)),
    }


def _inputs(request: "Request", outcome: Outcome) -> list[dict[str, Any]]:
    documents = request.documents
    if documents.sources is None:
        return []
    gone = outcome.drops.select("number", sf.lit(1).alias("gone")) if request.verb != "pairs" else None
    rows = _listed(outcome).select("number")
    rows = rows.withColumn("gone", sf.lit(None).cast("int")) if gone is None else rows.join(gone, "number", "left")
    of_source = rows.groupBy(place_of("number").alias("place")).agg(
        sf.count("*").alias("documents"), sf.count("gone").alias("gone")
    )
    return [
        {"name": documents.sources[row["place"]], "documents": row["documents"], "kept": row["documents"] - row["gone"]}
        for row in of_source.orderBy("place").collect()
    ]


def _capped(outcome: Outcome) -> list[dict[str, Any]]:
    """Give the keys above their caps, each with a few of its documents."""
    keys: dict[tuple[int, int], dict[str, Any]] = {}
    for one, found in zip(outcome.passes, outcome.found, strict=True):
        rows = outcome.names.attach(found.common.withColumnRenamed("left", "number"), "number", "id")
        for row in rows.orderBy("key", "number").select("key", "size", "id").collect():
            told = keys.setdefault(
                (one.number, row["key"]),
                {
                    "pass": one.number,
                    "table": row["key"] >> 32,
                    "key": row["key"] & 0xFFFFFFFF,
                    "size": row["size"],
                    "sample": [],
                    "says": None,
                },
            )
            told["sample"].append(row["id"])
    return list(keys.values())


def _without_text(outcome: Outcome) -> list[str]:
    rows = _listed(outcome).where("tokens = 0").select("number").orderBy("number").limit(LISTED)
    return [row["id"] for row in outcome.names.attach(rows, "number", "id").orderBy("number").collect()]
