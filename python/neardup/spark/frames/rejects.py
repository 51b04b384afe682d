"""Flawed records: those that lack fields, that are no documents, and that cannot be used."""

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from neardup import _core
from neardup.errors import DataError
from neardup.spark.frames.documents import ROW_BITS, Documents, place_of, row_of

if TYPE_CHECKING:
    from neardup.spark.session.operations import SparkOperations
MISSING = _core.missing_flags
"""Number of things that a record may lack, a bit each: the line end, the address, the time, and others."""
NEVER = (1 << 63) - 1
"""The time of a document without one: it sorts last."""


def note_lacking(
    engine: "SparkOperations", documents: Documents, signed: DataFrame, sources: _core.Sources, options: dict[str, Any]
) -> list[str]:
    """Return a sentence for each thing that records of a run lack; `DataError` for a field that no record has."""
    good = signed.where("reason is null")
    is_by_time = options.get("keep") in ("earliest", "latest")
    ranks = good.select("place.rank").distinct().collect() if options.get("prefer") else []
    return sources.notes(
        _count_missing(engine, documents, signed),
        records=engine.count(signed) - engine.total(signed, "bad"),
        has_times=is_by_time and not good.where(f"place.key != {NEVER}").isEmpty(),
        ranks={row["rank"] for row in ranks},
    )


def _count_missing(engine: "SparkOperations", documents: Documents, signed: DataFrame) -> list[list[int]]:
    """Count the records of each source that lack each of the `MISSING` things."""
    counts = [[0] * MISSING for _ in documents.units]
    if engine.total(signed, "lacking"):
        lacking = signed.where("lacks > 0").groupBy(place_of("number").alias("place"), "lacks")
        for row in lacking.agg(sf.count("*").alias("records")).collect():
            for bit in range(MISSING):
                counts[row["place"]][bit] += row["records"] * (row["lacks"] >> bit & 1)
    return counts


_IS_RECORD = f"number & {(1 << ROW_BITS) - 1} > 0"
"""Condition of a record: rows of a source count from 1, and row 0 lists what reading passed over."""
ADVICE = (
    "ids must be unique; leave the id field out (--id-field), so that ids are source and row and no record is lost, "
    "or continue without such records: --on-error skip"
)


@dataclass(frozen=True)
class Others:
    """Records of the sources that are no documents."""

    passed_over: Counter[int] = field(default_factory=Counter)
    """Number of them in each source, by its place."""
    kinds: Counter[str] = field(default_factory=Counter)
    """Number of them of each kind."""
    flaws: Counter[str] = field(default_factory=Counter)
    """Number of documents of each flaw, whose texts were read as far as possible."""


def count_others(engine: "SparkOperations", documents: Documents, signed: DataFrame) -> Others:
    """Count the records that reading passed over; row 0 of each source that has any lists them."""
    others = Others()
    if not documents.are_read or engine.total(signed, "bad") == 0:
        return others
    for row in signed.where("reason is not null").where(f"not ({_IS_RECORD})").select("number", "reason").collect():
        counts = json.loads(row["reason"])
        others.kinds.update(counts["kinds"])
        others.flaws.update(counts["flaws"])
        others.passed_over[row["number"] >> ROW_BITS] += sum(counts["kinds"].values())
    return others


def check_records(engine: "SparkOperations", documents: Documents, signed: DataFrame, *, skip: bool) -> list[str]:
    """Return the records that cannot be used, as lines of `rejects.jsonl`, those of the input first.

    `DataError` for the first one unless `skip`.
    """
    if engine.total(signed, "bad") == 0:
        return []
    bad = signed.where("reason is not null")
    bad = bad.where(_IS_RECORD) if documents.are_read else bad
    bad = bad.orderBy(sf.desc("side"), "number").select("number", "reason")
    rows = bad.collect() if skip else bad.limit(1).collect()
    if rows and not skip:
        raise DataError(_describe_reject(documents, rows[0]["number"], rows[0]["reason"]))
    return [row["reason"] if documents.are_read else json.dumps(_as_reject(documents, **row.asDict())) for row in rows]


def _as_reject(documents: Documents, number: Any, reason: str) -> dict[str, Any]:
    if documents.sources is None:
        return {"id": number, "reason": reason}
    return {"source": documents.sources[number >> ROW_BITS], "unit": "row", "row": row_of(number), "reason": reason}


def _describe_reject(documents: Documents, number: Any, reason: str) -> str:
    if documents.are_read:
        return _core.describe_reject(reason)
    return f"{documents.describe_place(number)}: {reason}"


def find_repeated(engine: "SparkOperations", documents: Documents, signed: DataFrame) -> DataFrame | None:
    """Return documents whose id an earlier one of their side has: number, side, id, first; None if there is none."""
    if not documents.has_ids:
        return None
    given = signed.where("reason is null").select("side", "number", "id", "offset", "length")
    ids = given.groupBy("side", "id").agg(sf.min("number").alias("first"), sf.count("*").alias("count"))
    several = engine.keep(ids.where("count > 1").drop("count"))
    if engine.count(several) == 0:
        return None
    repeated = given.join(engine.sent(several), ["side", "id"])
    # A DataFrame has no order, so that none of its rows is first.
    return engine.keep(repeated.where("number != first") if documents.are_numbered else repeated)


def reject_repeated(documents: Documents, repeated: DataFrame, rejects: list[str], *, skip: bool) -> list[str]:
    """Add documents whose id occurs twice to the rejects; `DataError` for the first one unless `skip`."""
    rows = repeated.orderBy(sf.desc("side"), "number").collect()
    first = rows[0]
    if documents.sources is None:
        raise DataError(
            f'the id "{first["id"]}" occurs more than once, and a DataFrame has no first: ids must be unique'
        )
    if not skip:
        reason = f'the id "{first["id"]}" is already used at {documents.describe_place(first["first"])}'
        raise DataError(f"{documents.describe_place(first['number'])}: {reason}; {ADVICE}")
    added = [
        {
            "source": documents.sources[row["number"] >> ROW_BITS],
            "unit": documents.units[row["number"] >> ROW_BITS] if documents.units else "row",
            "row": row_of(row["number"]),
            "offset": row["offset"],
            "len": row["length"],
            "reason": f'the id "{row["id"]}" is already used at {documents.describe_place(row["first"])}',
        }
        for row in rows
    ]
    return rejects + [json.dumps(reject, ensure_ascii=False) for reject in added]
