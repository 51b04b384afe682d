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
    """One pass of a scheme, and what is asked of it."""

    verbs: tuple[Verb, ...]
    number: int
    """Counted from 1."""
    keep: str
    max_family: int
    """The largest family of which all pairs are listed."""
    options: Options

    def tasks(self) -> _core.Tasks:
        """Return its kernels."""
        return self.options.tasks()


@dataclass(frozen=True)
class Common:
    """The common keys of a pass."""

    rows: DataFrame
    """A key, its size, and on the left one of a few of its documents."""
    capped: list[int]
    """Those above their cap, ascending."""
    dropped: list[int]
    """Those that propose nothing."""
    giving_way: list[int]
    """Those whose documents meet by rarer ones."""
    bounding: list[int]
    """Those whose documents are compared with the first of them only."""

    def holders(self, keys: list[int]) -> DataFrame:
        """Return as number a document that holds each of some keys."""
        return self.rows.where(sf.col("key").isin(keys)).select(sf.col("left").alias("number"))


def find_common(met: DataFrame, one: "Pass") -> Common:
    """Sort the common keys that `Meet` speaks of by what becomes of them."""
    rows = met.where("size is not null").select("key", "size", "left")
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
