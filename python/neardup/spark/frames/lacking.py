"""What records lack: named fields, preferred values, times, the end of a last line."""

from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from neardup import _core
from neardup.spark.frames.documents import Documents, place_of

if TYPE_CHECKING:
    from neardup.spark.session.operations import SparkOperations

MISSING = 4
"""The address, the time, the preference and the line end: a bit each."""
NEVER = (1 << 63) - 1
"""The time of a document without one: it sorts last."""


def note_lacking(
    engine: "SparkOperations", documents: Documents, signed: DataFrame, sources: _core.Sources, options: dict[str, Any]
) -> list[str]:
    """Say what the records of a run lack, a sentence each; `DataError` for a field that no record has."""
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
    """Count for each source the records that lack each."""
    counts = [[0] * MISSING for _ in documents.units]
    if engine.total(signed, "lacking"):
        lacking = signed.where("lacks > 0").groupBy(place_of("number").alias("place"), "lacks")
        for row in lacking.agg(sf.count("*").alias("records")).collect():
            for bit in range(MISSING):
                counts[row["place"]][bit] += row["records"] * (row["lacks"] >> bit & 1)
    return counts
