"""Tables, batches, readers and arrays of pyarrow."""

from functools import cached_property
from typing import Any, cast

import pyarrow as pa

from neardup import _core
from neardup.errors import DataError
from neardup.inputs.document import ArrowStream
from neardup.inputs.form import FieldNames, KeptRows, TableForm


class ArrowRows(TableForm):
    """A table or a record batch."""

    def __init__(self, rows: Any) -> None:
        self.rows = rows

    @property
    def stream(self) -> ArrowStream:
        """The rows themselves."""
        stream: ArrowStream = self.rows
        return stream

    @property
    def count(self) -> int:
        """Number of its rows."""
        return int(self.rows.num_rows)

    def take(self, kept: KeptRows) -> Any:
        """Return a table or a batch."""
        return take_rows(self.rows, kept)


class ArrowInput(TableForm):
    """Rows outside memory, which are read into it as a table if they are returned."""

    @property
    def count(self) -> int:
        """Number of its rows."""
        return int(cast(Any, self.stream).num_rows)


class ArrowReader(ArrowInput):
    """A reader of record batches."""

    def __init__(self, reader: Any) -> None:
        self.reader = reader

    @property
    def once(self) -> ArrowStream:
        """The reader itself."""
        reader: ArrowStream = self.reader
        return reader

    @cached_property
    def stream(self) -> Any:
        """The rows as a table."""
        return self.reader.read_all() if isinstance(self.reader, pa.RecordBatchReader) else self.reader

    def take(self, kept: KeptRows) -> Any:
        """Return a reader."""
        return take_rows(self.stream, kept).to_reader()

    def __reduce__(self) -> Any:
        return ArrowReader, (self.stream,)


class ArrowDataset(ArrowInput):
    """A dataset or a scanner of one."""

    def __init__(self, dataset: Any) -> None:
        self.dataset = dataset

    @property
    def once(self) -> ArrowStream:
        """The rows, read from the files of the dataset one batch after another."""
        scanner = self.dataset if hasattr(self.dataset, "to_reader") else self.dataset.scanner()
        reader: ArrowStream = scanner.to_reader()
        return reader

    @cached_property
    def stream(self) -> Any:
        """The rows as a table."""
        try:
            return self.dataset.to_table()
        except (pa.ArrowException, OSError) as error:
            raise DataError(f"the {type(self.dataset).__name__} cannot be read: {error}") from error

    def take(self, kept: KeptRows) -> Any:
        """Return a dataset, or a scanner, of rows in memory."""
        from pyarrow.dataset import Scanner, dataset

        rows = take_rows(self.stream, kept)
        made = dataset(rows)
        return made.scanner() if isinstance(self.dataset, Scanner) else made

    def __reduce__(self) -> Any:
        return ArrowRows, (self.stream,)


class ArrowTexts(TableForm):
    """An array or a chunked array of texts."""

    def __init__(self, texts: Any, name: str) -> None:
        self.texts = texts
        self.name_of_texts = name

    @property
    def stream(self) -> ArrowStream:
        """A table whose only column has the texts."""
        stream: ArrowStream = pa.table({self.name_of_texts: self.texts})
        return stream

    @property
    def is_column(self) -> bool:
        """Whether it is one column of texts."""
        return True

    @property
    def count(self) -> int:
        """Number of its rows."""
        return len(self.texts)

    def take(self, kept: KeptRows) -> Any:
        """Return an array of the same kind."""
        taken = take_rows(pa.table({kept.field: self.texts}), kept).column(0)
        return taken if isinstance(self.texts, pa.ChunkedArray) else _joined(taken, self.texts.type)


class ArrowStructs(TableForm):
    """An array or a chunked array of structs, whose fields are those of a table."""

    def __init__(self, structs: Any) -> None:
        self.structs = structs

    @property
    def stream(self) -> ArrowStream:
        """The structs as a table."""
        table: ArrowStream = _table(self.structs)
        return table

    @property
    def count(self) -> int:
        """Number of its rows."""
        return len(self.structs)

    def take(self, kept: KeptRows) -> Any:
        """Return an array of the same kind."""
        structs = take_rows(_table(self.structs), kept).to_struct_array()
        return structs if isinstance(self.structs, pa.ChunkedArray) else _joined(structs, self.structs.type)


def form_of(given: Any, fields: FieldNames) -> TableForm | None:
    """Return the form of a value of pyarrow; None for other types, such as scalars."""
    if isinstance(given, pa.Table | pa.RecordBatch):
        return ArrowRows(given)
    if isinstance(given, pa.RecordBatchReader):
        return ArrowReader(given)
    if type(given).__module__ == "pyarrow._dataset" and hasattr(given, "to_table"):
        return ArrowDataset(given)
    if isinstance(given, pa.Array | pa.ChunkedArray):
        return ArrowStructs(given) if pa.types.is_struct(given.type) else ArrowTexts(given, fields.compared)
    return None


def take_rows(rows: Any, kept: KeptRows) -> Any:
    """Return some rows of a table or a batch, with their new texts."""
    try:
        # `take` joins the chunks of a column, and fails if they have 2 GB of text or more
        taken = rows.filter(_mask(rows.num_rows, kept))
    except pa.ArrowNotImplementedError:
        # pyarrow does not filter columns of views
        made = pa.table(_core.Table.of_stream(rows).take(list(kept.rows)))
        taken = (
            made if isinstance(rows, pa.Table) else made.combine_chunks().to_batches()[0] if made else rows.slice(0, 0)
        )
    if not kept.gaps:
        return taken
    place = taken.schema.get_field_index(kept.field)
    return taken.set_column(place, taken.schema.field(place), _replaced(taken.column(place), kept))


def _table(structs: Any) -> Any:
    return pa.Table.from_struct_array(structs)


def _joined(chunks: Any, kind: Any) -> Any:
    """Return chunks as one array; those of dictionaries are joined, too."""
    joined = chunks.unify_dictionaries().combine_chunks() if chunks.num_chunks else pa.array([], kind)
    return joined.chunk(0) if isinstance(joined, pa.ChunkedArray) else joined


def _mask(count: int, kept: KeptRows) -> Any:
    stays = bytearray(count)
    for row in kept.rows:
        stays[row] = 1
    return pa.array(map(bool, stays), pa.bool_())


def _replaced(texts: Any, kept: KeptRows) -> Any:
    made = pa.array(kept.new_texts(texts.to_pylist()), _plain(texts.type)).cast(texts.type)
    return pa.chunked_array([made]) if isinstance(texts, pa.ChunkedArray) else made


def _plain(kind: Any) -> Any:
    return kind.value_type if pa.types.is_dictionary(kind) else kind
