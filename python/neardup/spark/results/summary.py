"""The summary of a run over Spark: `run.json`, with the names of a run on one machine."""

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as sf

from neardup import _core
from neardup.schemes.rule import RULES
from neardup.spark.frames.documents import INPUT, REFERENCE, Names, place_of
from neardup.spark.frames.rejects import Others
from neardup.spark.results.tables import Table

if TYPE_CHECKING:
    from neardup.spark.passes.one_pass import Pass
    from neardup.spark.passes.passes import PassFindings
    from neardup.spark.request import Request

LISTED = 100
"""Maximum number of documents of each kind that are listed by id."""
_LACKS_FEATURES = "tokens > 0 and size = 0"
"""Condition of a document that has tokens but no feature in a pass."""


@dataclass(frozen=True)
class RunFindings:
    """All findings of a run, from which the summary is made."""

    passes: "list[Pass]"
    found: "list[PassFindings]"
    names: Names
    made: dict[str, Table]
    """The tables, the verb's own first."""
    pairs: int | None
    """Number of listed pairs, if they were requested."""
    drops: DataFrame
    signs_only: int | None
    """Number of dropped documents that differ from their original in signs only; None if signs are compared."""
    rejects: list[str]
    others: Others
    notes: list[str]
    """Sentences on what its records lack."""
    digest: str
    phases: list[tuple[str, float]]


def summarise(request: "Request", outcome: RunFindings) -> str:
    """Write the summary of a run."""
    tally, capped = _tally(request, outcome), _capped(outcome)
    counts = _counts(request, outcome, tally)
    summary: dict[str, Any] = {
        "neardup": _core.__version__,
        "tokens_version": _core.tokens_version,
        "unicode": _core.unicode_version,
        "digest_version": _core.digest_version,
        "engine": "spark",
        "verb": request.verb,
        "command": request.options.get("command"),
        "scheme": str(request.scheme),
        "notes": request.scheme.notes_of_run(
            [one["pass"] for one in capped],
            documents=counts["documents"],
            without_features=counts["without_features"],
            short=counts["short"],
            signs_only=outcome.signs_only,
            of_records=outcome.notes,
        ),
        "keep": request.keep,
        "verified": request.scheme.verified,
        "digest": outcome.digest,
        "passes": _passes(request, outcome, tally),
        "files": request.accounting,
        "records": _records(outcome, tally),
        "counts": counts,
        "effort": None,
        "clusters": _groups(request, outcome),
        "inputs": _inputs(request, outcome, tally),
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
        "stars": _stars(request, outcome, tally),
        "starred_keys": _starred_keys(outcome),
        "without_text": _without_text(outcome) if counts["without_text"] else [],
        "thin": [],
    }
    return json.dumps(summary, indent=2, ensure_ascii=False)


def _rate(amount: int | None, seconds: float) -> float:
    return (amount or 0) / seconds if seconds else 0.0


@dataclass(frozen=True)
class _Tally:
    """Rows of counts: of documents by side and source, and of dropped ones by source, pass and rule."""

    documents: list[Row]
    drops: list[Row]

    def sum(self, name: str, side: int) -> int:
        """Return the sum of a column over the documents of a side."""
        return sum(row[name] for row in self.documents if row["side"] == side)

    def dropped(self, **where: int) -> int:
        """Count the dropped documents that meet all conditions."""
        rows = (row for row in self.drops if all(row[name] == value for name, value in where.items()))
        return sum(row["count"] for row in rows)


def _tally(request: "Request", outcome: RunFindings) -> _Tally:
    place = place_of("number") if request.documents.are_numbered else sf.lit(0)
    tokens, least = sf.col("tokens"), outcome.passes[0].tasks().shortest
    signed = outcome.found[0].signed.where("reason is null").groupBy("side", place.alias("place"))
    documents = signed.agg(
        sf.count("*").alias("documents"),
        sf.count(sf.when(tokens == 0, 1)).alias("without_text"),
        sf.count(sf.when(tokens.between(1, least - 1), 1)).alias("short"),
        sf.count(sf.when(sf.expr(_LACKS_FEATURES), 1)).alias("without_features"),
    ).collect()
    # In a list of pairs, a dropped document is one that later passes do not see.
    return _Tally(documents, outcome.drops.groupBy(place.alias("place"), "pass", "rule").count().collect())


def _counts(request: "Request", outcome: RunFindings, tally: _Tally) -> dict[str, Any]:
    decides = request.verb != "pairs"
    documents, dropped = tally.sum("documents", INPUT), tally.dropped() if decides else 0
    rules = {name: tally.dropped(rule=rule) if decides else 0 for rule, name in enumerate(RULES)}
    signs = {} if outcome.signs_only is None else {"signs_only": outcome.signs_only}
    return {
        "documents": documents,
        "kept": documents - dropped,
        "dropped": dropped,
        **rules,
        **signs,
        "pairs": outcome.pairs,
        "without_text": tally.sum("without_text", INPUT),
        "without_features": _without_features(outcome, tally),
        "short": tally.sum("short", INPUT),
        "thin_samples": None,
        "rejected": len(outcome.rejects),
        "reference": tally.sum("documents", REFERENCE),
    }


def _without_features(outcome: RunFindings, tally: _Tally) -> int:
    """Count the documents with tokens that have no feature in any pass that compared them."""
    first, *later = (found.signed for found in outcome.found)
    count = tally.sum("without_features", INPUT)
    if not later or count == 0:
        return count
    rows = first.where((sf.col("side") == INPUT) & sf.col("reason").isNull()).where(_LACKS_FEATURES)
    for signed in later:
        rows = rows.join(signed.where("size > 0").select("number"), "number", "left_anti")
    return rows.count()


def _passes(request: "Request", outcome: RunFindings, tally: _Tally) -> list[dict[str, Any]]:
    seen, passes = tally.sum("documents", INPUT), []
    for one in outcome.passes:
        dropped = tally.dropped(**{"pass": one.number})
        decides = request.verb != "pairs" or one.number < len(outcome.passes)
        tasks = one.tasks()
        facts = {"lexicon": tasks.lexicon, "frame": tasks.frame, "caps": tasks.caps}
        passes.append({"documents": seen, "dropped": dropped if decides else None, **facts})
        seen -= dropped
    return passes


def _groups(request: "Request", outcome: RunFindings) -> dict[str, int] | None:
    """Return Broder's table: counts of the clusters of two or more documents, by kind."""
    if request.verb == "pairs":
        return None
    name, size_of = ("decisions", "group_size") if request.verb == "dedup" else ("clusters", "size")
    rows = outcome.made[name].rows
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

    def get_count(*, identical: bool, name: str) -> int:
        return int(table[identical][name]) if identical in table else 0

    return {
        "clusters": sum(get_count(identical=one, name="clusters") for one in (True, False)),
        "documents": sum(get_count(identical=one, name="documents") for one in (True, False)),
        "identical_clusters": get_count(identical=True, name="clusters"),
        "identical_documents": get_count(identical=True, name="documents"),
        "mixed_clusters": get_count(identical=False, name="clusters"),
        "mixed_documents": get_count(identical=False, name="documents"),
        "largest": max(get_count(identical=one, name="largest") for one in (True, False)),
    }


def _records(outcome: RunFindings, tally: _Tally) -> dict[str, Any]:
    """Count the records."""
    read = tally.sum("documents", INPUT) + tally.sum("documents", REFERENCE)
    rejected = len(outcome.rejects)
    passed_over = outcome.others.passed_over.total()
    return {
        "found": read + rejected + passed_over,
        "read": read,
        "rejected": rejected,
        "passed_over": passed_over,
        "kinds": dict(sorted(outcome.others.kinds.items())),
        "flaws": dict(sorted(outcome.others.flaws.items())),
    }


def _inputs(request: "Request", outcome: RunFindings, tally: _Tally) -> list[dict[str, Any]]:
    decides, documents = request.verb != "pairs", request.documents
    names = (documents.sources or ())[: documents.reference]
    counts = {row["place"]: row["documents"] for row in tally.documents if row["side"] == INPUT}
    rejected = Counter(json.loads(reject).get("source") for reject in outcome.rejects)
    return [
        {
            "name": name,
            "documents": counts.get(place, 0),
            "kept": counts.get(place, 0) - (tally.dropped(place=place) if decides else 0),
            "rejected": rejected[name],
            "passed_over": outcome.others.passed_over[place],
        }
        for place, name in enumerate(names)
    ]


def _capped(outcome: RunFindings) -> list[dict[str, Any]]:
    """Return the keys above their caps, each with a few of its documents."""
    keys: dict[tuple[int, int], dict[str, Any]] = {}
    for one, found in zip(outcome.passes, outcome.found, strict=True):
        if not found.common.capped:
            continue
        capped = found.common.rows.where(sf.col("key").isin(found.common.capped))
        rows = outcome.names.attach(capped.withColumnRenamed("left", "number"), "number", "id")
        for row in rows.orderBy("key", "number").select("key", "size", "id").collect():
            entry = keys.setdefault(
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
            entry["sample"].append(row["id"])
    return list(keys.values())


def _stars(request: "Request", outcome: RunFindings, tally: _Tally) -> list[tuple[str, int]]:
    """Return the first document and the size of every group of copies that is too large to list all its pairs."""
    documents = sum(row["documents"] for row in tally.documents)
    if not request.lists or documents <= request.max_family:
        return []
    too_large = (sf.col("members") > request.max_family) & (sf.col("number") == sf.col("first.number"))
    return _named(outcome, [found.members.where(too_large).select("number", "members") for found in outcome.found])


def _starred_keys(outcome: RunFindings) -> list[tuple[str, int]]:
    """Return the same for groups of documents that share a key."""
    if not any(found.common.bounding for found in outcome.found):
        return []
    return _named(outcome, [found.rows.where("kind = 'star'").select("left", "shared") for found in outcome.found])


def _named(outcome: RunFindings, firsts: list[DataFrame]) -> list[tuple[str, int]]:
    """Name documents pass by pass, each with a size."""
    named = [
        outcome.names.attach(rows.toDF("number", "size"), "number", "id").orderBy("number", "size").collect()
        for rows in firsts
    ]
    return [(row["id"], row["size"]) for rows in named for row in rows]


def _without_text(outcome: RunFindings) -> list[str]:
    signed = outcome.found[0].signed.where(
        (sf.col("side") == INPUT) & (sf.col("tokens") == 0) & sf.col("reason").isNull()
    )
    rows = outcome.names.attach(signed.select("number").orderBy("number").limit(LISTED), "number", "id")
    return [row["id"] for row in rows.orderBy("number").collect()]
