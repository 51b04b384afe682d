"""One pass of a scheme, as it runs on Spark, and its common keys."""

from dataclasses import dataclass
from typing import Literal

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from neardup import _core
from neardup.spark.passes.tasks import Options

Verb = Literal["dedup", "cluster", "pairs"]


@dataclass(frozen=True)
class Pass:
    """One pass of a scheme, and its verbs."""

    verbs: tuple[Verb, ...]
    number: int
    """Number of the pass, from 1."""
    keep: str
    max_family: int
    """The largest family of which all pairs are listed."""
    options: Options

    def tasks(self) -> _core.Tasks:
        """Return the kernels of the pass."""
        return self.options.tasks()


@dataclass(frozen=True)
class Common:
    """The common keys of a pass."""

    rows: DataFrame
    """Rows of a key, its size and, on the left, one of a few of its documents."""
    capped: list[int]
    """Keys above their cap, ascending."""
    dropped: list[int]
    """Keys that propose no pair."""
    giving_way: list[int]
    """Keys whose documents meet by rarer keys."""
    bounding: list[int]
    """Keys whose documents are compared with the first of them only."""

    def holders(self, keys: list[int]) -> DataFrame:
        """Return as number a few documents of each of some keys."""
        return self.rows.where(sf.col("key").isin(keys)).select(sf.col("left").alias("number"))


def find_common(linked: DataFrame, one: "Pass") -> Common:
    """Classify the common keys in the rows of `LinkByKeys`."""
    rows = linked.where("size is not null").select("key", "size", "left")
    sizes = {row["key"]: row["size"] for row in rows.select("key", "size").distinct().collect()}
    limits = one.tasks().limits
    common = Common(rows, [], [], [], [])
    for key, size in sorted(sizes.items()):
        cap, drops, above = limits[key >> 32]
        is_capped = cap is not None and size > cap
        if is_capped:
            common.capped.append(key)
        if is_capped and drops:
            common.dropped.append(key)
        elif is_capped or ("pairs" in one.verbs and size > one.max_family):
            common.bounding.append(key)
        elif above is not None and size > above:
            common.giving_way.append(key)
    return common
