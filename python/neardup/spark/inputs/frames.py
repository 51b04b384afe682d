"""DataFrames, which have no order: their documents are in the order of their ids."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, cast

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import BinaryType, StringType, StructField

from neardup import _core
from neardup.errors import UsageError
from neardup.spark.session.batches import Batches
from neardup.spark.session.exchange import MESSAGES

PLAIN = 8
"""Bytes of a value that is no text."""


class Frames:
    """The DataFrames of a run: those of each side are one table."""

    by_id = True

    def __init__(self, inputs: Sequence[DataFrame], against: Sequence[DataFrame], options: dict[str, Any]) -> None:
        sides = [[needed(frame, options) for frame in frames] for frames in (inputs, against) if frames]
        self._id = options["id_field"]
        self._tables = [reduce(DataFrame.unionByName, frames) for frames in sides]
        schemas = [to_arrow_schema(table.schema).empty_table() for table in self._tables]
        self.inputs, self.against = schemas[:1], schemas[1:]

    @cached_property
    def _sums(self) -> list[tuple[int, int, int]]:
        """Number of the rows of each table, their bytes, and a hash of all."""
        return [sums_of(table) for table in self._tables]

    @cached_property
    def sizes(self) -> list[tuple[int, int]]:
        """Rows and bytes of each table."""
        return [(rows, size) for rows, size, _ in self._sums]

    @property
    def identity(self) -> bytes:
        """The sums of all tables."""
        return repr(self._sums).encode()

    def messages(self, driver: _core.RunDriver) -> DataFrame:
        """Return the rows of all tables as messages to their homes, of which each has a range of the ids."""
        made = []
        for number, table in enumerate(self._tables):
            first, count = driver.homes_of(number)
            key = sf.col(f"`{self._id}`").cast("string")
            ranges = table.repartitionByRange(count, key).sortWithinPartitions(key)
            made.append(ranges.mapInArrow(PackRows(first), MESSAGES))
        return reduce(DataFrame.unionByName, made)


@dataclass(frozen=True)
class PackRows:
    """Kernel that packs the rows of a partition for the home of its number; partition 0 is that of the home `first`."""

    first: int

    def __call__(self, batches: Batches) -> Batches:
        home, number = self.first + cast(TaskContext, TaskContext.get()).partitionId(), 0
        for batch in batches:
            packed = pa.table(_core.pack_rows(home, number, pa.Table.from_batches([batch])))
            number += len(packed)
            yield from packed.to_batches()


def needed(frame: DataFrame, options: dict[str, Any]) -> DataFrame:
    """Return the columns of a DataFrame that a run reads; `UsageError` without ids, or for ids of another type.

    Spark writes some types as text in another way than the core.
    """
    id_field = options.get("id_field")
    if id_field is None:
        raise UsageError("a Spark DataFrame has no order, so its documents need ids: name their column as id_field")
    names = _core.needed_columns(to_arrow_schema(frame.schema).empty_table(), options)
    rows = frame.select(*[f"`{name}`" for name in names])
    kind = rows.schema[id_field].dataType.typeName()
    if kind not in ("string", "byte", "short", "integer", "long", "boolean"):
        raise UsageError(f"the column `{id_field}` is of type {kind}; ids on Spark are strings or integers: cast it")
    return rows


def sums_of(table: DataFrame) -> tuple[int, int, int]:
    """Return the number of rows, their bytes and a hash of all, which does not depend on their order."""
    columns = [sf.col(f"`{field.name}`") for field in table.schema]
    hashed = [
        column
        for column, field in zip(columns, table.schema, strict=True)
        if "map<" not in field.dataType.simpleString()
    ]
    size = reduce(Column.__add__, map(size_of, columns, table.schema))
    row = table.agg(sf.count("*"), sf.sum(size), sf.bit_xor(sf.xxhash64(*hashed))).first()
    rows, size_of_all, hash_of_all = row or (0, 0, 0)
    return int(rows), int(size_of_all or 0), int(hash_of_all or 0)


def size_of(column: Column, field: StructField) -> Column:
    """Return the bytes of each value of a column, as far as they are known without reading it."""
    if not isinstance(field.dataType, StringType | BinaryType):
        return sf.lit(PLAIN)
    return sf.coalesce(sf.octet_length(column).cast("bigint"), sf.lit(0))
