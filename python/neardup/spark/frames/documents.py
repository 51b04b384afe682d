"""Documents of the pipeline: a DataFrame in which every document is identified by a number.

A DataFrame of a caller has no order: the numbers of its documents are their ids. Other documents are numbered in input
order: the upper bits are the place of the source among all, the lower bits the row in the source.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from neardup import _core
from neardup.errors import DataError, UsageError
from neardup.spark.session.batches import Batches, Kernel, table_of

if TYPE_CHECKING:
    from neardup.spark.session.operations import SparkOperations

REFERENCE, INPUT = 0, 1
ROW_BITS = 40
"""Number of lower bits for the row in the source, counted from 1."""
UUID_BYTES = 16
"""Number of bytes of a UUID."""


def place_of(number: str) -> Column:
    """Return the place, among all sources, of the source of the documents in column `number`."""
    return sf.shiftright(sf.col(number), ROW_BITS)


def row_of(number: int) -> int:
    """Return the row of a numbered document in its source, from 1."""
    return number & ((1 << ROW_BITS) - 1)


@dataclass(frozen=True)
class Documents:
    """The documents of a run."""

    table: DataFrame
    """Their fields, with the `number` and the `side` of each."""
    options: dict[str, Any]
    """Options of the core that name the fields."""
    sources: tuple[str, ...] | None
    """The names of the sources, those of the reference last; None for DataFrames."""
    reference: int | None = None
    """The place of the first source of the reference, for DataFrames any number; None without a reference."""
    has_ids: bool = False
    """Whether ids are given."""
    units: tuple[str, ...] = ()
    """For documents read from files, the unit in which places in each source are counted."""
    files: tuple[DataFrame, Kernel] | None = None
    """Splits of files, and the kernel that reads them; None unless all documents of the files belong to the table."""

    @property
    def against(self) -> bool:
        """Whether there is a reference."""
        return self.reference is not None

    def is_input(self, number: str) -> Column:
        """Return whether the documents in column `number` are of the input."""
        if self.sources is None:
            return sf.substring(number, 1, 1) == "i" if self.against else sf.lit(True)
        return place_of(number) < (len(self.sources) if self.reference is None else self.reference)

    @property
    def number(self) -> str:
        """Spark's type of the numbers."""
        kind: str = self.table.schema["number"].dataType.simpleString()
        return kind

    @property
    def are_numbered(self) -> bool:
        """Whether documents have a source and a row."""
        return self.sources is not None

    @property
    def has_archives(self) -> bool:
        """Whether some documents are records of web archives."""
        return "record" in self.units

    @property
    def has_urls(self) -> bool:
        """Whether documents may have URLs."""
        return bool(self.options.get("url_field"))

    def is_archived(self, number: str) -> Column:
        """Return whether the documents in column `number` are records of web archives."""
        places = [place for place, unit in enumerate(self.units) if unit == "record"]
        return sf.lit(True) if len(places) == len(self.units) else place_of(number).isin(places)

    @property
    def are_read(self) -> bool:
        """Whether id, time and rank are known already, and the reason of a record that cannot be used."""
        return bool(self.units)

    def describe_place(self, number: Any) -> str:
        """Return the place of a document as messages name it."""
        if self.sources is None:
            return f'the document "{number}"'
        place = number >> ROW_BITS
        unit = self.units[place] if self.units else "row"
        return self.sources[place] if unit == "file" else f"{self.sources[place]}, {unit} {row_of(number)}"

    def map(self, engine: "SparkOperations", kernel: Kernel, schema: str) -> DataFrame:
        """Apply `kernel` to the documents; for files, in the task that reads them, so that Spark sees no text."""
        if self.files is None:
            return engine.map(self.table, kernel, schema)
        splits, read = self.files
        return engine.map(splits, Chain(read, kernel), schema)

    def only(self, numbers: DataFrame) -> "Documents":
        """Return the documents in `numbers`."""
        return replace(self, table=self.table.join(numbers, "number", "left_semi"), files=None)

    def without(self, numbers: DataFrame) -> "Documents":
        """Return the documents without those in `numbers`."""
        return replace(self, table=self.table.join(numbers, "number", "left_anti"), files=None)


@dataclass(frozen=True)
class Chain:
    """A kernel that is applied to the output of another."""

    first: Kernel
    then: Kernel

    def __call__(self, batches: Batches) -> Batches:
        return self.then(self.first(batches))


def take_frames(frames: Sequence[DataFrame], against: Sequence[DataFrame], options: dict[str, Any]) -> Documents:
    """Make documents of DataFrames; `UsageError` without a field of ids."""
    id_field = options.get("id_field")
    if id_field is None:
        raise UsageError("a Spark DataFrame has no order, so its documents need ids: name their column as id_field")
    tables = []
    for side, of_side in ((INPUT, frames), (REFERENCE, against)):
        for frame in of_side:
            fields = _fields(frame, options)
            name = _write_ids(frame, id_field)
            # The ids of input and reference are separate namespaces.
            number = sf.concat(sf.lit("ri"[side]), name) if against else name
            tables.append(fields.select("*", number.alias("number"), sf.lit(side).alias("side")))
    table = tables[0]
    for other in tables[1:]:
        table = table.unionByName(other)
    return Documents(table, options, None, 0 if against else None, has_ids=True)


def _write_ids(frame: DataFrame, id_field: str) -> Column:
    """Return the ids of a DataFrame as text; `UsageError` for types that Spark writes in another way than the core."""
    kind = frame.select(f"`{id_field}`").schema[0].dataType.typeName()
    if kind not in ("string", "byte", "short", "integer", "long", "boolean"):
        raise UsageError(f"the column `{id_field}` is of type {kind}; ids on Spark are strings or integers: cast it")
    return sf.col(f"`{id_field}`").cast("string")


def take_streams(
    engine: "SparkOperations", streams: Sequence[Any], against: Sequence[Any], options: dict[str, Any]
) -> Documents:
    """Make documents of Arrow streams, which the driver reads.

    Raises `DataError` for a row with a value that is no text, number or time where one is read: tasks cannot reject it.
    """
    tables = []
    for source, stream in enumerate([*streams, *against]):
        rows = pa.table(stream)
        _refuse_marked(source, rows)
        side = INPUT if source < len(streams) else REFERENCE
        rows = rows.select(_field_names(options, rows.column_names))
        numbers = pa.array(((source << ROW_BITS) + row for row in range(1, len(rows) + 1)), pa.int64())
        sides = pa.array([side] * len(rows), pa.int32())
        columns = [_for_spark(column) for column in rows.columns]
        names = [*rows.column_names, "number", "side"]
        tables.append(pa.table([*columns, numbers, sides], names=names))
    table = engine.session.createDataFrame(pa.concat_tables(tables, promote_options="permissive").combine_chunks())
    # The streams of each side are numbered separately.
    sources = [str(number + 1) for number in range(len(streams))] + [str(number + 1) for number in range(len(against))]
    reference = len(streams) if against else None
    return Documents(table, options, tuple(sources), reference, has_ids=options.get("id_field") is not None)


def _refuse_marked(source: int, rows: pa.Table) -> None:
    reasons = rows.column(_core.reasons_column).to_pylist() if _core.reasons_column in rows.column_names else []
    for row, reason in enumerate(reasons, 1):
        if reason is not None:
            raise DataError(f"{source + 1}, row {row}: {reason}; mend it, or run on one machine, which can skip it")


def _for_spark(column: Any) -> Any:
    """Convert a column to a type that Spark knows."""
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        return _for_spark(column.cast(kind.storage_type))
    if pa.types.is_dictionary(kind):
        return _for_spark(column.cast(kind.value_type))
    if pa.types.is_null(kind):
        return column.cast(pa.string())
    if pa.types.is_binary_view(kind):
        return column.cast(pa.binary())
    if pa.types.is_fixed_size_binary(kind) and kind.byte_width == UUID_BYTES:
        return pa.array((value and str(UUID(bytes=value)) for value in column.to_pylist()), pa.string())
    if pa.types.is_string_view(kind):
        return column.cast(pa.string())
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        plain = _for_spark(pa.nulls(0, kind.value_type)).type
        return column.cast(pa.list_(plain))
    if pa.types.is_unsigned_integer(kind):
        return column.cast(pa.int64() if kind.bit_width < 64 else pa.string())
    return column


def _field_names(options: dict[str, Any], columns: Sequence[str]) -> list[str]:
    """Return the names of the columns that the options ask for; `UsageError` if one is not there."""
    names = [options.get("html_field") or options.get("text_field") or "text"]
    names += [options[name] for name in ("id_field", "time_field", "url_field") if options.get(name)]
    names += [field for field, *_ in options.get("prefer", ())]
    for name in names:
        if name not in columns and re.search(r"[.+]|\[\]", name):
            raise UsageError(
                f"`{name}` is no column: nested and joined fields of tables are not read on Spark: make it a column"
            )
        if name not in columns:
            raise UsageError(f"there is no column `{name}`; there are {', '.join(columns)}")
    return list(dict.fromkeys(names))


def _fields(frame: DataFrame, options: dict[str, Any]) -> DataFrame:
    return frame.select(*[f"`{name}`" for name in _field_names(options, frame.columns)])


@dataclass(frozen=True)
class Names:
    """The ids of documents, and the order of ids."""

    documents: Documents
    given: DataFrame | None
    """The columns number and id, if numbered documents have given ids."""

    @classmethod
    def of(cls, documents: Documents, signed: DataFrame) -> "Names":
        """Return the names of signed documents."""
        given = documents.are_numbered and documents.has_ids
        return cls(documents, signed.select("number", "id") if given else None)

    def select_ids(self, signed: DataFrame) -> DataFrame:
        """Return signed documents as `number` and `id`."""
        if self.given is not None:
            return signed.select("number", "id")
        return self.attach(signed.select("number"), "number", "id")

    def attach(self, table: DataFrame, number: str, name: str) -> DataFrame:
        """Add the id of the document in column `number` as column `name`."""
        if self.documents.sources is None:
            first = 2 if self.documents.against else 1
            return table.withColumn(name, sf.expr(f"substring({number}, {first})"))
        if self.given is not None:
            ids = self.given.select(sf.col("number").alias(number), sf.col("id").alias(name))
            return table.join(ids, number, "left")
        return (
            self.attach_place(table, number, "__source", "__row")
            .withColumn(name, sf.when(sf.col(number).isNotNull(), sf.concat("__source", sf.lit(":"), "__row")))
            .drop("__source", "__row")
        )

    def attach_place(self, table: DataFrame, number: str, source: str, row: str) -> DataFrame:
        """Add the columns `source` and `row` of numbered documents."""
        names = list(enumerate(self.documents.sources or ()))
        sources = table_of(table.sparkSession, names, f"__place bigint, {source} string")
        rows = table.withColumn(row, sf.col(number).bitwiseAND((1 << ROW_BITS) - 1))
        return (
            rows.withColumn("__place", place_of(number)).join(sf.broadcast(sources), "__place", "left").drop("__place")
        )

    def order(self, number: str, name: str) -> str:
        """Return the column by which ids are ordered: `number`, or `name` with the ids of these."""
        return number if self.documents.are_numbered and not self.documents.has_ids else name

    @property
    def input_order(self) -> str:
        """The column, `number` or `id`, of the input order; DataFrames have only the order of ids."""
        return "number" if self.documents.are_numbered else "id"
